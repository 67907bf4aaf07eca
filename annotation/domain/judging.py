"""Answers into the database: guarded, locked, once."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.domain.answer_rules import on_scale, require_choice, require_selection, scale_of
from annotation.domain.errors import WrongScreen
from annotation.domain.flow import (
    PAUSED,
    Ended,
    Next,
    Paused,
    Place,
    Rest,
    Screen,
    may_answer,
    where_answered,
    where_now,
)
from annotation.domain.leasing import take_back
from annotation.domain.locking import lock
from annotation.domain.moving import move_on
from annotation.domain.pairing import Pick, pair_items
from annotation.models import Assignment, Judgment, Participation, SelectedPair
from annotation.protocols.spec import BestWorstDesign, SelectionDesign
from annotation.queries import current, with_texts

GONE = _("You were away for long, and this one went to somebody else. Nothing was changed; please go on with the next.")
LONGEST_MS = 10 * 24 * 3600 * 1000  # an answer that waited for the network for longer tells no time


@dataclass(frozen=True)
class Timing:
    """What the browser's own clock measured, in milliseconds; None where it did not."""

    touched_ms: int | None = None
    answered_ms: int | None = None
    active_ms: int | None = None
    adjustments: int | None = None

    @classmethod
    def believable(cls, **measured: int | None) -> "Timing":
        """What a browser sent, without numbers that no clock can show: they are not worth losing an answer for."""
        kept = {name: ms for name, ms in measured.items() if ms is not None and 0 <= ms <= LONGEST_MS}
        return cls(**kept)


@dataclass(frozen=True)
class Answer:
    """One answer as it came in.

    `key` is the same whenever the same answer is sent again; `again` says that it is meant to replace an earlier one.
    """

    assignment_id: int
    key: UUID
    timing: Timing = Timing()
    again: bool = False


def rate(*, participation_id: int, answer: Answer, value: str, now: datetime) -> Judgment:
    """Stores a rating.

    Raises:
        Refusal: a value off the scale, or no value.
        WrongScreen: not the person's present screen; an answer that is stored already is returned instead.
    """
    with transaction.atomic():
        turn = _lock(participation_id, answer, now)
        if stored := _stored(turn.assignment, answer):
            return stored
        if turn.assignment.item_id is None:
            raise WrongScreen(_("This screen asks for a selection, not for a rating."))
        return _store(turn, answer, now, value=on_scale(scale_of(turn.participation), value))


def select(*, participation_id: int, answer: Answer, picks: Mapping[str, Pick], now: datetime) -> Judgment:
    """Stores a selection: for every role a sentence of the incident's reports and its rating.

    Raises:
        Refusal: a role left open, a sentence chosen twice or from elsewhere, a value off the scale.
        WrongScreen: as in `rate`.
    """
    with transaction.atomic():
        turn = _lock(participation_id, answer, now)
        participation, assignment = turn.participation, turn.assignment
        if stored := _stored(assignment, answer):
            return stored
        design = participation.project.round(participation.round).design
        if assignment.sentence is None or not isinstance(design, SelectionDesign):
            raise WrongScreen(_("This screen asks for a rating, not for a selection."))
        scale = scale_of(participation)
        require_selection(design, picks)
        values = {role.key: on_scale(scale, picks[role.key].value) for role in design.roles}
        items = pair_items(participation, assignment, design, picks)
        judgment = _store(turn, answer, now)
        SelectedPair.objects.bulk_create(
            SelectedPair(judgment=judgment, role=role, item=items[role], value=value) for role, value in values.items()
        )
        return judgment


def choose(
    *,
    participation_id: int,
    answer: Answer,
    best: int | None,
    worst: int | None,
    hard_to_say: bool = False,
    now: datetime,
) -> Judgment:
    """Stores a best-worst choice.

    Parameters: best and worst, ids of items of the tuple.

    Raises:
        Refusal: one of the two is missing or not in the tuple, or both are the same.
        WrongScreen: as in `rate`; also where the tuple went to somebody else meanwhile.
    """
    with transaction.atomic():
        turn = _lock(participation_id, answer, now)
        participation, assignment = turn.participation, turn.assignment
        if stored := _stored(assignment, answer):
            return stored
        design = participation.project.round(participation.round).design
        if assignment.tuple is None or not isinstance(design, BestWorstDesign):
            raise WrongScreen(_("This screen asks for no choice of best and worst."))
        require_choice(design, set(assignment.tuple.places.values_list("item", flat=True)), best, worst)
        choice = {"best_id": best, "worst_id": worst, "hard_to_say": hard_to_say and design.hard_to_say}
        return _store(turn, answer, now, **choice)


@dataclass(frozen=True)
class _Turn:
    """An answer about to be stored: the participation, locked, its screen, and the next one that is open."""

    participation: Participation
    assignment: Assignment
    following: Assignment | None


def _lock(participation_id: int, answer: Answer, now: datetime) -> _Turn:
    """The person's turn at that screen, if it is the one to be answered or this answer is stored already."""
    participation = lock(participation_id)
    here = where_now(participation, now)
    present = getattr(here, "assignment", None)
    if present is not None and present.pk == answer.assignment_id:
        assignment = present
    else:
        assignment = with_texts(participation.assignments.all()).filter(pk=answer.assignment_id).first()
    if assignment is None:
        raise WrongScreen(_("That screen is not one of yours. Nothing was changed."))
    if isinstance(here, Paused | Ended):
        here = where_answered(participation, assignment.shown_at, now)
        present = getattr(here, "assignment", None)
    welcome = may_answer(here, assignment, again=answer.again) or _stored(assignment, answer)
    if not welcome and not (isinstance(here, Screen | Next) and take_back(assignment, now)):
        raise WrongScreen(_why_wrong(here, assignment))
    following = here.following if isinstance(here, Screen) and present == assignment else present
    return _Turn(participation, assignment, following)


def _why_wrong(here: Place, assignment: Assignment) -> str:
    match here:
        case Rest(may_begin=True):
            return _("This session is over. Begin the next one first; the answer was not taken.")
        case Rest():
            return _("The pause is not over yet, so the answer was not taken.")
        case Ended(reason=reason):
            return reason
        case Paused():
            return str(PAUSED)
    if assignment.lapsed_at is not None:
        return GONE
    if assignment.answered_at is not None:
        return _("This was answered already; the earlier answer stands. Here is where you are now.")
    return _("That was not your present screen, so nothing was changed. Here is where you are now.")


def _stored(assignment: Assignment, answer: Answer) -> Judgment | None:
    if assignment.answered_at is None:
        return None
    return assignment.judgments.filter(key=answer.key).first()


def _store(turn: _Turn, answer: Answer, now: datetime, **given: Any) -> Judgment:
    """Parameters: given, what was answered, as fields of the judgment."""
    assignment = turn.assignment
    if answer.again:
        current(assignment.judgments.all()).update(superseded_at=now)
    judgment = Judgment.objects.create(
        assignment=assignment,
        key=answer.key,
        saved_at=now,
        touched_ms=answer.timing.touched_ms,
        answered_ms=answer.timing.answered_ms,
        active_ms=answer.timing.active_ms,
        adjustments=answer.timing.adjustments,
        **given,
    )
    if assignment.answered_at is None:
        assignment.answered_at = max(now, assignment.shown_at or now)
        # A tuple of an open round can go to somebody else in this very moment: one of the two comes first.
        if not Assignment.objects.filter(pk=assignment.pk, lapsed_at=None).update(answered_at=assignment.answered_at):
            raise WrongScreen(GONE)
        move_on(turn.participation, assignment.session, turn.following, now)
    return judgment
