"""Storage of answers: guarded, locked, and once each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.domain.errors import WrongScreen
from annotation.domain.judgment.answers import Answer, Choice
from annotation.domain.judgment.closing import close
from annotation.domain.judgment.rules import on_scale, require_choice, require_selection, scale_of
from annotation.domain.judgment.selected_pairs import Pick, pair_items
from annotation.domain.judgment.turns import Turn, turn_at
from annotation.domain.participation.advancing import advance
from annotation.domain.participation.locking import lock
from annotation.models import Assignment, Judgment, Participation, SelectedPair
from annotation.queries.counting import current


@dataclass(frozen=True)
class Saved:
    """A stored answer. Its `judgment.assignment.participation` is the person's state after it."""

    judgment: Judgment
    coming: Sequence[Assignment] | None = None
    """The next open screen, if there is one; None for an answer that had been stored before."""


def save_rating(participation: Participation, answer: Answer, value: str, now: datetime) -> Saved:
    """Store a rating, in the transaction that has locked the participation.

    Raises:
        Refusal: the value is missing or off the scale.
        WrongScreen: it is not the person's present screen; an answer that is stored already is returned instead.
    """
    turn = turn_at(participation, answer, now)
    if turn.stored:
        return Saved(turn.stored)
    if turn.assignment.item_id is None:
        raise WrongScreen(_("This screen needs a selection, not a rating."))
    return _store(turn, answer, now, value=on_scale(scale_of(participation), value))


def save_selection(participation: Participation, answer: Answer, picks: Mapping[str, Pick], now: datetime) -> Saved:
    """Store a selection: for every role a sentence of the incident's reports and its rating.

    Raises:
        Refusal: a role left open, a sentence chosen twice or from elsewhere, or a value off the scale.
        WrongScreen: as in `save_rating`.
    """
    turn = turn_at(participation, answer, now)
    if turn.stored:
        return Saved(turn.stored)
    design = participation.design
    if turn.assignment.sentence is None or not design.selects:
        raise WrongScreen(_("This screen needs a rating, not a selection."))
    scale = scale_of(participation)
    require_selection(design, picks)
    values = {role.key: on_scale(scale, picks[role.key].value) for role in design.roles}
    items = pair_items(participation, turn.assignment, design, picks)
    saved = _store(turn, answer, now, inversion=answer.inversion)
    SelectedPair.objects.bulk_create(
        SelectedPair(judgment=saved.judgment, role=role, item=items[role], value=value)
        for role, value in values.items()
    )
    return saved


def save_choice(participation: Participation, answer: Answer, choice: Choice, now: datetime) -> Saved:
    """Store a best-worst choice.

    Raises:
        Refusal: best or worst is missing or not in the tuple, or both are the same.
        WrongScreen: as in `save_rating`; also if the tuple was passed on to somebody else.
    """
    turn = turn_at(participation, answer, now)
    if turn.stored:
        return Saved(turn.stored)
    design, compared = participation.design, turn.assignment.tuple
    if compared is None or not design.compares:
        raise WrongScreen(_("This screen does not need a best-worst choice."))
    require_choice(design, {place.item_id for place in compared.places.all()}, choice.best, choice.worst)
    hard_to_say = choice.hard_to_say and design.hard_to_say
    return _store(turn, answer, now, best_id=choice.best, worst_id=choice.worst, hard_to_say=hard_to_say)


@transaction.atomic
def rate(*, participation_id: int, answer: Answer, value: str, now: datetime) -> Judgment:
    """Lock the participation and store a rating as `save_rating` does."""
    return save_rating(lock(participation_id), answer, value, now).judgment


@transaction.atomic
def select(*, participation_id: int, answer: Answer, picks: Mapping[str, Pick], now: datetime) -> Judgment:
    """Lock the participation and store a selection as `save_selection` does."""
    return save_selection(lock(participation_id), answer, picks, now).judgment


@transaction.atomic
def choose(
    *,
    participation_id: int,
    answer: Answer,
    best: int | None,
    worst: int | None,
    hard_to_say: bool = False,
    now: datetime,
) -> Judgment:
    """Lock the participation and store a best-worst choice as `save_choice` does."""
    return save_choice(lock(participation_id), answer, Choice(best, worst, hard_to_say), now).judgment


def _store(turn: Turn, answer: Answer, now: datetime, **values: Any) -> Saved:
    """Store the judgment. Parameters: values, what was answered, as fields of the judgment."""
    assignment = turn.assignment
    if answer.again:
        current(assignment.judgments.all()).update(superseded_at=now)
        turn.participation.assignments.filter(tally__isnull=False, answered_at__isnull=True).update(tally=None)
    judgment = Judgment.objects.create(
        assignment=assignment,
        key=answer.key,
        saved_at=now,
        **vars(answer.timing),
        **values,
    )
    if assignment.answered_at is None:
        close(turn, answer, now)
        advance(turn.participation, assignment.session, turn.following, now)
    return Saved(judgment, [turn.following] if turn.following else [])
