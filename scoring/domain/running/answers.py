"""Stored ratings and choices into columns, streamed."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
from django.db.models import QuerySet

from annotation.models import Judgment, Project, State
from annotation.queries import current, judgments_of, not_withdrawn
from scoring.queries import BY_SCREEN, CHUNK, milliseconds_between
from scoring.summaries.tables import BLOCKS, CONTEXTS, NONE, ChoiceRows, Facts, Integers, Ratings, Screens

NAN = float("nan")
Places = dict[Any, int]


def places_of(keys: Iterable[Any]) -> Places:
    return {key: place for place, key in enumerate(keys)}


def integers(numbers: Iterable[int]) -> Integers:
    return np.fromiter(numbers, dtype=np.int64)


class RatingRow(NamedTuple):
    item: int
    annotator: int
    round: str
    context: str
    block: str
    session: int
    position: int
    value: float
    answered_ms: int | None
    shown_at: datetime | None
    saved_at: datetime
    answered_at: datetime
    state: str


RATING_FIELDS = (
    "assignment__item",
    "assignment__participation__annotator",
    "assignment__participation__round",
    "assignment__context",
    "assignment__block",
    "assignment__session",
    "assignment__position",
    "value",
    "answered_ms",
    "assignment__shown_at",
    "saved_at",
    "assignment__answered_at",
    "assignment__participation__state",
)
CHOICE_FIELDS = (
    "assignment__tuple",
    "assignment__order",
    "best",
    "worst",
    "assignment__participation__annotator",
    "hard_to_say",
    "assignment__participation__state",
    "assignment__participation__round",
    "answered_ms",
    "assignment__shown_at",
    "saved_at",
)


def _current(project: Project) -> QuerySet[Judgment]:
    return not_withdrawn(current(judgments_of(project))).order_by(*BY_SCREEN)


def read_ratings(project: Project, items: Places, raters: Places, facts: Facts) -> Ratings:
    """The current ratings, in the order of people and their screens."""
    rows = _current(project).filter(value__isnull=False, assignment__participation__round__in=facts.rounds)
    rated = rows.values_list(*RATING_FIELDS)
    places = (items, raters, places_of(facts.rounds), places_of(CONTEXTS), places_of(BLOCKS))
    in_order = (RatingRow._make(row) for row in rated.iterator(chunk_size=CHUNK))
    columns = _columns(_rating(row, made, before, *places) for row, made, before in _in_turn(in_order))
    whole, booleans = (0, 1, 2, 3, 4, 5, 6, 11), (10,)
    kinds = [np.int64 if at in whole else np.bool_ if at in booleans else np.float64 for at in range(12)]
    return Ratings(*(np.array(column, dtype=kind) for column, kind in zip(columns, kinds, strict=True)))


def _columns(rows: Iterator[tuple[Any, ...]]) -> list[list[Any]]:
    """The twelve columns of `Ratings`; rows are not kept."""
    columns: list[list[Any]] = [[] for _ in range(12)]
    for row in rows:
        for column, value in zip(columns, row, strict=True):
            column.append(value)
    return columns


def _in_turn(rows: Iterator[RatingRow]) -> Iterator[tuple[RatingRow, int, datetime | None]]:
    """Each rating with how many this person had made before in the round, and when the last of these was answered."""
    person, made, before = None, 0, None
    for row in rows:
        if person != (row.annotator, row.round):
            person, made, before = (row.annotator, row.round), 0, None
        yield row, made, before
        made, before = made + 1, row.answered_at


def _rating(
    row: RatingRow,
    made: int,
    before: datetime | None,
    items: Places,
    raters: Places,
    rounds: Places,
    contexts: Places,
    blocks: Places,
) -> tuple[Any, ...]:
    """In the order of the columns of `Ratings`."""
    return (
        items[row.item],
        raters[row.annotator],
        rounds[row.round],
        contexts[row.context],
        blocks[row.block],
        row.session,
        row.position,
        row.value,
        _thinking(row.answered_ms, row.shown_at, row.saved_at),
        between(before, row.shown_at),
        row.state != State.EXCLUDED,
        made,
    )


def between(earlier: datetime | None, later: datetime | None) -> float:
    """Milliseconds, NaN for none."""
    milliseconds = milliseconds_between(earlier, later)
    return NAN if milliseconds is None else milliseconds


def read_choices(
    project: Project, items: Places, raters: Places, tuples: Places, shown: Integers, facts: Facts
) -> tuple[ChoiceRows, Screens]:
    """The current choices, in the order of people and their screens, and where and how fast each was made."""
    rows = list(_current(project).filter(best__isnull=False).values_list(*CHOICE_FIELDS).iterator(chunk_size=CHUNK))
    seen = np.full((len(rows), shown.shape[1]), NONE, dtype=np.int64)
    for place, (pk, order, *_) in enumerate(rows):
        seen[place, : len(order)] = shown[tuples[pk], [int(digit) - 1 for digit in order]]
    made = ChoiceRows(
        tuples=integers(tuples[row[0]] for row in rows),
        items=seen,
        best=integers(items[row[2]] for row in rows),
        worst=integers(items[row[3]] for row in rows),
        annotators=integers(raters[row[4]] for row in rows),
        hard_to_say=np.array([row[5] for row in rows], dtype=np.bool_),
        counted=np.array([row[6] != State.EXCLUDED for row in rows], dtype=np.bool_),
    )
    rounds = places_of(facts.rounds)
    thinking = [_thinking(*row[8:]) for row in rows]
    return made, Screens(integers(rounds[row[7]] for row in rows), np.array(thinking, dtype=np.float64))


def _thinking(answered_ms: int | None, shown_at: datetime | None, saved_at: datetime) -> float:
    """Milliseconds, as the browser measured them; else between the server's times."""
    return between(shown_at, saved_at) if answered_ms is None else float(answered_ms)
