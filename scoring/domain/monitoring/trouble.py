"""What needs a manager's attention, in one sentence each."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.domain.monitoring.board import RoundBoard


@dataclass(frozen=True)
class Trouble:
    """One sentence, and the filter that lists the people concerned; empty if it concerns nobody."""

    sentence: str
    only: str = ""
    round: str = ""


def troubles(boards: Sequence[RoundBoard], *, worker_alive: bool) -> list[Trouble]:
    """Return everything that needs attention, the most urgent first."""
    found = [] if worker_alive else [Trouble(_("No worker is running, so the figures on this page stand still."))]
    for board in boards:
        people, name = board.people, {"round": board.round.title}
        sentences = {
            "flagged": ngettext(
                "%(round)s: the answers of %(number)s person want a look.",
                "%(round)s: the answers of %(number)s people want a look.",
                people["flagged"],
            ),
            "overdue": ngettext(
                "%(round)s: %(number)s person has not come back a day after the pause.",
                "%(round)s: %(number)s people have not come back a day after the pause.",
                people["overdue"],
            ),
            "silent": ngettext(
                "%(round)s: %(number)s person stopped in the middle, two days ago or longer.",
                "%(round)s: %(number)s people stopped in the middle, two days ago or longer.",
                people["silent"],
            ),
        }
        for only, sentence in sentences.items():
            if people[only]:
                found.append(Trouble(sentence % (name | {"number": people[only]}), only, board.round.key))
        if board.pay and board.pay.too_little:
            words = _("%(round)s: an hour of active time comes to %(pay)s, less than you promise.")
            found.append(Trouble(words % (name | {"pay": board.pay.an_hour})))
    return found
