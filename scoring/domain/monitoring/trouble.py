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
    found = (
        [] if worker_alive else [Trouble(_("No worker is running, so the figures on this page are not being updated."))]
    )
    for board in boards:
        people, name = board.people, {"round": board.round.title}
        sentences = {
            "flagged": ngettext(
                "%(round)s: %(number)s annotator needs review.",
                "%(round)s: %(number)s annotators need review.",
                people["flagged"],
            ),
            "overdue": ngettext(
                "%(round)s: %(number)s annotator has not returned a day after the pause ended.",
                "%(round)s: %(number)s annotators have not returned a day after the pause ended.",
                people["overdue"],
            ),
            "silent": ngettext(
                "%(round)s: %(number)s annotator has been inactive for two days or more.",
                "%(round)s: %(number)s annotators have been inactive for two days or more.",
                people["silent"],
            ),
        }
        for only, sentence in sentences.items():
            if people[only]:
                found.append(Trouble(sentence % (name | {"number": people[only]}), only, board.round.key))
        if board.pay and board.pay.too_little:
            words = _("%(round)s: pay per hour of active time is %(pay)s, which is less than your minimum.")
            found.append(Trouble(words % (name | {"pay": board.pay.an_hour})))
    return found
