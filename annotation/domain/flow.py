"""Where a person stands in their round: the only place that decides which screen comes next."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from annotation.domain.errors import TooEarly, WrongScreen
from annotation.models import Assignment, Participation, State
from annotation.queries import ENDED, open_screens, with_texts


@dataclass(frozen=True)
class Consent:
    """The person has not agreed to take part yet."""


@dataclass(frozen=True)
class Screen:
    """The assignment to be answered, and the one after it where that is known."""

    assignment: Assignment
    following: Assignment | None = None


@dataclass(frozen=True)
class Rest:
    """The pause between two sessions; `begin` ends it, before `until` only where the pause is not enforced."""

    until: datetime
    enforced: bool
    over: bool

    @property
    def may_begin(self) -> bool:
        return self.over or not self.enforced


@dataclass(frozen=True)
class Finished:
    """Every screen is answered."""

    at: datetime


@dataclass(frozen=True)
class Ended:
    """The person left or was excluded, or the project is closed."""

    reason: str


Place = Consent | Screen | Rest | Finished | Ended
CLOSED = "The project is closed: it takes no more answers. Thank you for your help."
EXCLUDED = "Your participation in this round has ended. The project's managers can tell you why."
LEFT = "You have left this round. Thank you for the answers that you gave."


def where_now(participation: Participation, now: datetime) -> Place:
    """The person's place at that moment, from stored times only; one query at the most."""
    if participation.finished_at is not None and participation.state == State.FINISHED:
        return Finished(participation.finished_at)
    if participation.state in ENDED:
        return Ended(EXCLUDED if participation.state == State.EXCLUDED else LEFT)
    if participation.project.closed_at is not None and participation.project.closed_at <= now:
        return Ended(CLOSED)
    if participation.consented_at is None:
        return Consent()
    if participation.state == State.RESTING and participation.rest_until is not None:
        enforced = participation.project.round(participation.round).pause_enforced
        return Rest(participation.rest_until, enforced, over=now >= participation.rest_until)
    coming = open_screens(with_texts(participation.assignments.all()))[:2]
    return Screen(*coming) if coming else Ended("There is nothing to answer in this round yet.")


def guard_begin(participation: Participation, now: datetime) -> None:
    """That the person may begin the next session.

    Raises:
        TooEarly: an enforced pause is not over yet.
        WrongScreen: there is no pause to end.
    """
    match where_now(participation, now):
        case Rest(may_begin=True):
            return
        case Rest(until=until):
            shown = timezone.localtime(until)
            raise TooEarly(f"The pause lasts until {shown:%Y-%m-%d %H:%M} ({shown:%Z}). Please come back then.")
        case _:
            raise WrongScreen("This session has begun already.")


def one_back(here: Screen) -> Assignment | None:
    """The screen before, if it belongs to the same block (of a selection: to the same incident)."""
    before = (
        with_texts(here.assignment.participation.assignments.all())
        .filter(session=here.assignment.session, position=here.assignment.position - 1)
        .first()
    )
    return before if before is not None and same_block(before, here.assignment) else None


def same_block(one: Assignment, other: Assignment) -> bool:
    """Whether two screens of a person belong to the same block, and of a selection to the same incident."""
    return (
        one.participation_id == other.participation_id
        and (one.session, one.block) == (other.session, other.block)
        and incident_of(one) == incident_of(other)
    )


def incident_of(assignment: Assignment) -> int | None:
    return assignment.sentence.document.incident_id if assignment.sentence else None


def may_answer(here: Place, assignment: Assignment, *, again: bool) -> bool:
    """Whether an answer to that assignment is welcome.

    The present screen is; so is any screen of the present incident in a selection, where people go to and fro; and
    an answer given again to the screen before, inside the block.
    """
    if not isinstance(here, Screen):
        return False
    present = here.assignment
    answered = assignment.answered_at is not None
    if present.pk == assignment.pk or not same_block(present, assignment):
        return present.pk == assignment.pk and not again
    if assignment.sentence_id is not None:
        return answered == again
    return again and answered and assignment.position == present.position - 1
