"""Whether an answer to a screen is accepted, and which screen follows."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from annotation.domain.errors import WrongScreen
from annotation.domain.judgment.answers import Answer
from annotation.domain.participation import flow
from annotation.domain.participation.leasing import take_back
from annotation.models import Assignment, Judgment, Participation
from annotation.queries.screens import with_texts

GONE = _("You were away for a while, so this screen went to someone else. Your answer was not saved.")


@dataclass(frozen=True)
class Turn:
    """An answer about to be stored: the locked participation, its screen, and the next open screen.

    stored: the answer, if it had been stored before.
    """

    participation: Participation
    assignment: Assignment
    following: Assignment | None
    stored: Judgment | None = None


def turn_at(participation: Participation, answer: Answer, now: datetime) -> Turn:
    """Return the person's turn at that screen. Raise WrongScreen unless it is open to them or the answer is stored."""
    place = flow.where_now(participation, now)
    present = getattr(place, "assignment", None)
    if present is not None and present.pk == answer.assignment_id:
        assignment = present
    else:
        assignment = with_texts(participation.assignments.all()).filter(pk=answer.assignment_id).first()
    if assignment is None:
        raise WrongScreen(_("That screen is not yours, so nothing was changed."))
    if isinstance(place, flow.Paused | flow.Ended):
        place = flow.where_answered(participation, assignment.shown_at, now)
        present = getattr(place, "assignment", None)
    stored = _stored(assignment, answer)
    welcome = stored or flow.may_answer(place, assignment, again=answer.again)
    if not welcome and not (isinstance(place, flow.Screen | flow.Next) and take_back(assignment, now)):
        raise WrongScreen(_why_wrong(place, assignment))
    following = place.following if isinstance(place, flow.Screen) and present == assignment else present
    return Turn(participation, assignment, following, stored)


def _why_wrong(place: flow.Place, assignment: Assignment) -> str:
    match place:
        case flow.Rest(may_begin=True):
            return _("This session is over, so your answer was not saved. Start the next session first.")
        case flow.Rest():
            return _("The pause is not over yet, so your answer was not saved.")
        case flow.Ended(reason=reason):
            return reason
        case flow.Paused():
            return str(flow.PAUSED)
    if assignment.lapsed_at is not None:
        return GONE
    if assignment.answered_at is not None:
        return _("You have already answered this, and your earlier answer is kept. This is your current screen.")
    return _("That was not your current screen, so nothing was changed. This is your current screen.")


def _stored(assignment: Assignment, answer: Answer) -> Judgment | None:
    if assignment.answered_at is None:
        return None
    return assignment.judgments.filter(key=answer.key).first()
