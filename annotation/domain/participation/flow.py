"""The state of a person in their round; nothing else decides which screen comes next."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.domain.errors import TooEarly, WrongScreen
from annotation.models import Assignment, Participation, State
from annotation.queries.people import ENDED
from annotation.queries.screens import next_screens, with_texts


@dataclass(frozen=True)
class Consent:
    """The person has not agreed to take part yet."""


@dataclass(frozen=True)
class AboutYou:
    """Questions about the person come next; each may be skipped."""


@dataclass(frozen=True)
class Screen:
    """The assignment to be answered, and the assignment after it where that is known."""

    assignment: Assignment
    following: Assignment | None = None


@dataclass(frozen=True)
class Practice:
    """Practice or a check comes before the work."""


@dataclass(frozen=True)
class Next:
    """In an open round, the person has no open tuple and may take the next one from the pool."""


@dataclass(frozen=True)
class Idle:
    """In an open round, all remaining tuples are leased to others; some may become free again."""


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
class Paused:
    """The project is paused: nobody gets a new screen until a manager resumes it."""


@dataclass(frozen=True)
class Ended:
    """The person left or was excluded, their time is over, or the project is closed."""

    reason: str


Place = Consent | AboutYou | Practice | Screen | Next | Idle | Rest | Finished | Paused | Ended
CLOSED = _("This project is closed and no longer accepts answers. Thank you for your help.")
EXCLUDED = _("Your participation in this round has ended. The project's managers can tell you why.")
LEFT = _("You have left this round. Thank you for your answers.")
REASSIGNED = _("Your place was given to someone else because you had been away. Your answers count. Thank you!")
OVERDUE = _("The time for this round is over. Your answers are kept. Thank you for your help.")
PAUSED = _("The project is paused until further notice. Your answers are saved; please come back later.")


def where_now(participation: Participation, now: datetime, coming: Sequence[Assignment] | None = None) -> Place:
    """Return the person's place at that moment, from stored times only and with at most one query.

    Parameters: coming, the person's open screens in order, where they are known; the first two are enough.
    """
    if ended := _end(participation, now):
        return ended
    if _is_paused(participation, now):
        return Paused()
    return Ended(str(OVERDUE)) if _is_overdue(participation, now) else _place(participation, now, coming)


def where_answered(participation: Participation, shown_at: datetime | None, now: datetime) -> Place:
    """Return the person's place for an answer to a screen that was first shown at `shown_at`.

    An answer that was on its way at the pause of the project or at the deadline is accepted if its screen was shown
    before.
    """
    place = where_now(participation, now)
    late, project = _is_overdue(participation, now), participation.project
    stopped = [moment for moment in (project.paused_at, participation.due_at if late else None) if moment]
    before = shown_at is not None and bool(stopped) and shown_at <= min(stopped)
    return _place(participation, now) if before and not _end(participation, now) else place


def _end(participation: Participation, now: datetime) -> Finished | Ended | None:
    if participation.finished_at is not None and participation.state == State.FINISHED:
        return Finished(participation.finished_at)
    if participation.state in ENDED:
        left = str(REASSIGNED) if participation.reassigned else LEFT
        return Ended(EXCLUDED if participation.state == State.EXCLUDED else left)
    if participation.project.closed_at is not None and participation.project.closed_at <= now:
        return Ended(CLOSED)
    return None


def _is_paused(participation: Participation, now: datetime) -> bool:
    return participation.project.paused_at is not None and participation.project.paused_at <= now


def _is_overdue(participation: Participation, now: datetime) -> bool:
    return participation.due_closes and participation.due_at is not None and participation.due_at <= now


def _place(participation: Participation, now: datetime, coming: Sequence[Assignment] | None = None) -> Place:
    if participation.consented_at is None:
        return Consent()
    if participation.asking:
        return AboutYou()
    if participation.practising:
        return Practice()
    if participation.state == State.RESTING and participation.rest_until is not None:
        enforced = participation.project.round(participation.round).pause_enforced
        return Rest(participation.rest_until, enforced, over=now >= participation.rest_until)
    if coming is None:
        coming = next_screens(participation)
    if coming:
        return Screen(*coming)
    return Next() if participation.design.is_open else Ended(_("There is nothing to answer in this round yet."))


def guard_begin(participation: Participation, now: datetime) -> None:
    """Raise TooEarly in an enforced pause or a paused project, and WrongScreen if there is no pause to end."""
    match where_now(participation, now):
        case Rest(may_begin=True):
            return
        case Rest(until=until):
            shown = timezone.localtime(until)
            raise TooEarly(
                _("The pause lasts until %(time)s (%(zone)s). Please come back then.")
                % {"time": f"{shown:%Y-%m-%d %H:%M}", "zone": f"{shown:%Z}"}
            )
        case Paused():
            raise TooEarly(str(PAUSED))
        case _:
            raise WrongScreen(_("This session has already started."))


def previous_screen(screen: Screen) -> Assignment | None:
    """Return the previous screen if it belongs to the same block, and in a selection to the same incident."""
    before = (
        with_texts(screen.assignment.participation.assignments.all())
        .filter(session=screen.assignment.session, position=screen.assignment.position - 1, lapsed_at__isnull=True)
        .first()
    )
    return before if before is not None and same_block(before, screen.assignment) else None


def same_block(first: Assignment, second: Assignment) -> bool:
    """Return whether two screens of a person belong to the same block, and in a selection to the same incident."""
    return (
        first.participation_id == second.participation_id
        and (first.session, first.block) == (second.session, second.block)
        and incident_of(first) == incident_of(second)
    )


def incident_of(assignment: Assignment) -> int | None:
    return assignment.sentence.document.incident_id if assignment.sentence else None


def may_answer(place: Place, assignment: Assignment, *, again: bool) -> bool:
    """Return whether an answer to that assignment is accepted.

    The current screen is accepted, and so is any screen of the current incident in a selection, where people go back
    and forth. An answer may be given again to the previous screen of the same block.
    """
    if not isinstance(place, Screen):
        return False
    present = place.assignment
    answered = assignment.answered_at is not None
    if present.pk == assignment.pk or not same_block(present, assignment):
        return present.pk == assignment.pk and not again
    if assignment.sentence_id is not None:
        return answered == again
    return again and answered and assignment.position == present.position - 1
