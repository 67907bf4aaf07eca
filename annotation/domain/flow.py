"""Where a person stands in their round: the only place that decides which screen comes next."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.domain.errors import TooEarly, WrongScreen
from annotation.models import Assignment, Participation, State
from annotation.protocols.spec import BestWorstDesign, Design
from annotation.queries import ENDED, open_screens, with_texts


@dataclass(frozen=True)
class Consent:
    """The person has not agreed to take part yet."""


@dataclass(frozen=True)
class AboutYou:
    """Questions about the person come next; every one may be skipped."""


@dataclass(frozen=True)
class Screen:
    """The assignment to be answered, and the one after it where that is known."""

    assignment: Assignment
    following: Assignment | None = None


@dataclass(frozen=True)
class Practice:
    """Practice or a check comes before the work."""


@dataclass(frozen=True)
class Next:
    """Of an open round: the person has nothing before them and may take the next tuple from the pool."""


@dataclass(frozen=True)
class Idle:
    """Of an open round: all tuples that are left are with other people; some may come back."""


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
    """The project shows nobody a new screen until its managers go on."""


@dataclass(frozen=True)
class Ended:
    """The person left or was excluded, their time is over, or the project is closed."""

    reason: str


Place = Consent | AboutYou | Practice | Screen | Next | Idle | Rest | Finished | Paused | Ended
CLOSED = _("The project is closed: it takes no more answers. Thank you for your help.")
EXCLUDED = _("Your participation in this round has ended. The project's managers can tell you why.")
LEFT = _("You have left this round. Thank you for the answers that you gave.")
GIVEN_ON = _("Your place stood idle and was given to somebody else. Thank you: the answers that you gave count.")
OVERDUE = _("The time for this round is over. The answers that you gave are kept. Thank you for your help.")
PAUSED = _("The project is paused until further notice. Nothing of your work is lost; please come back later.")


def where_now(participation: Participation, now: datetime) -> Place:
    """The person's place at that moment, from stored times only; one query at the most."""
    if ended := _end(participation, now):
        return ended
    if _is_paused(participation, now):
        return Paused()
    return Ended(str(OVERDUE)) if _is_overdue(participation, now) else _place(participation, now)


def where_answered(participation: Participation, shown_at: datetime | None, now: datetime) -> Place:
    """The person's place for an answer to a screen that was first shown at that time.

    An answer on its way when the project was paused, or when time ran out, is taken: the screen was shown before.
    """
    here = where_now(participation, now)
    late, project = _is_overdue(participation, now), participation.project
    stopped = [moment for moment in (project.paused_at, participation.due_at if late else None) if moment]
    before = shown_at is not None and bool(stopped) and shown_at <= min(stopped)
    return _place(participation, now) if before and not _end(participation, now) else here


def _end(participation: Participation, now: datetime) -> Finished | Ended | None:
    if participation.finished_at is not None and participation.state == State.FINISHED:
        return Finished(participation.finished_at)
    if participation.state in ENDED:
        left = str(GIVEN_ON) if participation.given_on else LEFT
        return Ended(EXCLUDED if participation.state == State.EXCLUDED else left)
    if participation.project.closed_at is not None and participation.project.closed_at <= now:
        return Ended(CLOSED)
    return None


def _is_paused(participation: Participation, now: datetime) -> bool:
    return participation.project.paused_at is not None and participation.project.paused_at <= now


def _is_overdue(participation: Participation, now: datetime) -> bool:
    return participation.due_closes and participation.due_at is not None and participation.due_at <= now


def _place(participation: Participation, now: datetime) -> Place:
    if participation.consented_at is None:
        return Consent()
    if participation.asking:
        return AboutYou()
    if participation.practising:
        return Practice()
    if participation.state == State.RESTING and participation.rest_until is not None:
        enforced = participation.project.round(participation.round).pause_enforced
        return Rest(participation.rest_until, enforced, over=now >= participation.rest_until)
    coming = open_screens(with_texts(participation.assignments.all()))[:2]
    if coming:
        return Screen(*coming)
    return Next() if is_open(participation.design) else Ended(_("There is nothing to answer in this round yet."))


def is_open(design: Design) -> bool:
    """Whether people of the round take tuples from a common pool."""
    return isinstance(design, BestWorstDesign) and design.open


def choosing_design(participation: Participation) -> BestWorstDesign:
    """The design of the person's round, which is one of best and worst."""
    design = participation.design
    assert isinstance(design, BestWorstDesign)
    return design


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
            raise TooEarly(
                _("The pause lasts until %(time)s (%(zone)s). Please come back then.")
                % {"time": f"{shown:%Y-%m-%d %H:%M}", "zone": f"{shown:%Z}"}
            )
        case Paused():
            raise TooEarly(str(PAUSED))
        case _:
            raise WrongScreen(_("This session has begun already."))


def one_back(here: Screen) -> Assignment | None:
    """The screen before, if it belongs to the same block (of a selection: to the same incident)."""
    before = (
        with_texts(here.assignment.participation.assignments.all())
        .filter(session=here.assignment.session, position=here.assignment.position - 1, lapsed_at__isnull=True)
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
