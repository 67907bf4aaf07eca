"""The answers of a project as arrays, round by round: a handful of queries, whatever its size."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Count, Q

from annotation.models import Participation, PracticeAnswer, Project, SelectedPair, State, TuplePlace
from annotation.protocols.spec import BestWorstDesign, BlockKind, Context, Round, SelectionDesign, StackDesign
from annotation.queries import counted_pairs, current, judgments_of
from scoring.queries import CHUNK, milliseconds_between
from scoring.summaries.work import NONE, Answers, Work

NAN = float("nan")
RATED_ITEMS = 1  # on a screen


class AnswerRow(NamedTuple):
    participation: int
    item: int | None
    tuple: int | None
    context: str
    block: str
    position: int
    order: str
    value: float | None
    best: int | None
    worst: int | None
    answered_ms: int | None
    active_ms: int | None
    shown_at: datetime | None
    saved_at: datetime


ANSWER_FIELDS = (
    "assignment__participation",
    "assignment__item",
    "assignment__tuple",
    "assignment__context",
    "assignment__block",
    "assignment__position",
    "assignment__order",
    "value",
    "best",
    "worst",
    "answered_ms",
    "active_ms",
    "assignment__shown_at",
    "saved_at",
)


class Person(NamedTuple):
    pk: int
    round: str
    state: str
    annotator: int
    annotator__pseudonym: str


class RoundWork(NamedTuple):
    """A round's people in the order of the arrays, the items by their place in them, and when each last answered."""

    round: Round
    people: Sequence[Person]
    items: Sequence[int]
    last_at: dict[int, datetime]
    work: Work


def read_rounds(project: Project) -> Iterator[RoundWork]:
    """Every round that somebody takes part in, in the order of the protocol."""
    reader = _Reader(project)
    for one in project.protocol.rounds:
        people = [person for person in reader.people if person.round == one.key]
        if people:
            yield reader.round(one, people)


class _Reader:
    """What several rounds share, read once."""

    def __init__(self, project: Project) -> None:
        self.project = project
        seated = Participation.objects.filter(project=project, annotator__isnull=False).order_by("round", "seat")
        self.people = [Person._make(row) for row in seated.values_list(*Person._fields)]
        items = list(project.items.order_by("pk").values_list("pk", "gold"))
        self.items = [pk for pk, _ in items]
        self.item_places = {pk: place for place, pk in enumerate(self.items)}
        self.gold = np.array([NAN if gold is None else float(gold) for _, gold in items], dtype=np.float64)
        self.tuples = _tuples(project)
        self.rows = _rows(project)
        self.before: dict[tuple[int, int, str], float] = {}
        """What somebody rated in an earlier round."""

    def round(self, one: Round, people: Sequence[Person]) -> RoundWork:
        rows = [row for person in people for row in self.rows[person.pk]]
        last_at = {person.pk: max(row.saved_at for row in own) for person in people if (own := self.rows[person.pk])}
        scale = self.project.protocol.scale
        practised, right = self._practice(people)
        work = Work(
            answers=self._answers(one, people, rows),
            gold=self.gold,
            practised=practised,
            practice_right=right,
            selected=self._selected(one),
            minimum=float(scale.minimum) if scale else NAN,
            maximum=float(scale.maximum) if scale else NAN,
            step=float(scale.step) if scale else NAN,
            on_screen=_on_screen(one),
        )
        return RoundWork(one, people, self.items, last_at, work)

    def _answers(self, one: Round, people: Sequence[Person], rows: Sequence[AnswerRow]) -> Answers:
        places = {person.pk: place for place, person in enumerate(people)}
        excluded = {person.pk for person in people if person.state == State.EXCLUDED}
        annotators = {person.pk: person.annotator for person in people}
        earlier = _floats(self._earlier(annotators[row.participation], row) for row in rows)
        self._remember(annotators, rows)
        expected = one.design.calibration if isinstance(one.design, StackDesign) else ()
        shown = np.full((len(rows), _on_screen(one)), NONE, dtype=np.int64)
        for place, row in enumerate(rows):
            if row.tuple is not None:
                seen = [self.tuples[row.tuple][int(digit) - 1] for digit in row.order]
                shown[place, : len(seen)] = [self.item_places[item] for item in seen]
        return Answers(
            people=_integers(places[row.participation] for row in rows),
            items=self._item_column(row.item for row in rows),
            contexts=_integers(int(row.context == Context.DEPENDENT) for row in rows),
            main=np.array([row.block == BlockKind.MAIN for row in rows], dtype=np.bool_),
            values=_floats(row.value for row in rows),
            tuples=_integers(NONE if row.tuple is None else row.tuple for row in rows),
            shown=shown,
            best=self._item_column(row.best for row in rows),
            worst=self._item_column(row.worst for row in rows),
            expected=_floats(_expected(row, expected) for row in rows),
            earlier=earlier,
            seconds=_floats(_thinking(row) for row in rows) / 1000,
            active_ms=_floats(row.active_ms for row in rows),
            counted=np.array([row.participation not in excluded for row in rows], dtype=np.bool_),
        )

    def _item_column(self, items: Iterator[int | None]) -> np.ndarray:
        return _integers(NONE if item is None else self.item_places[item] for item in items)

    def _earlier(self, annotator: int, row: AnswerRow) -> float | None:
        """Of a pair that comes again at the end of a session: the rating of the round before, in the same context."""
        if row.block != BlockKind.INTRA or row.item is None:
            return None
        return self.before.get((annotator, row.item, row.context))

    def _remember(self, annotators: dict[int, int], rows: Sequence[AnswerRow]) -> None:
        for row in rows:
            if row.block == BlockKind.MAIN and row.item is not None and row.value is not None:
                self.before[annotators[row.participation], row.item, row.context] = row.value

    def _practice(self, people: Sequence[Person]) -> tuple[np.ndarray, np.ndarray]:
        """First answers of practice and check, and the share of the right ones."""
        answers = PracticeAnswer.objects.filter(participation__project=self.project, attempt=1).order_by()
        counts = answers.values("participation").annotate(all=Count("pk"), right=Count("pk", filter=Q(right=True)))
        found = {row["participation"]: (row["all"], row["right"]) for row in counts}
        rows = [found.get(person.pk, (0, 0)) for person in people]
        return _floats(float(all_) for all_, _ in rows), _floats(right / all_ if all_ else NAN for all_, right in rows)

    def _selected(self, one: Round) -> np.ndarray:
        if not isinstance(one.design, SelectionDesign):
            return np.zeros(0)
        pairs = SelectedPair.objects.filter(judgment__assignment__participation__project=self.project)
        return _floats(counted_pairs(pairs).order_by().values_list("value", flat=True))


def _rows(project: Project) -> dict[int, list[AnswerRow]]:
    """Every current answer by participation, in the order of its screens."""
    answers = current(judgments_of(project)).order_by(
        "assignment__participation", "assignment__session", "assignment__position"
    )
    rows: dict[int, list[AnswerRow]] = defaultdict(list)
    for row in map(AnswerRow._make, answers.values_list(*ANSWER_FIELDS).iterator(chunk_size=CHUNK)):
        rows[row.participation].append(row)
    return rows


def _tuples(project: Project) -> dict[int, list[int]]:
    places = TuplePlace.objects.filter(tuple__project=project).order_by("tuple", "position")
    tuples: dict[int, list[int]] = defaultdict(list)
    for pk, item in places.values_list("tuple", "item").iterator(chunk_size=CHUNK):
        tuples[pk].append(item)
    return tuples


def _on_screen(one: Round) -> int:
    """How many items a screen compares."""
    match one.design:
        case BestWorstDesign(tuple_size=size):
            return size
        case SelectionDesign(roles=roles):
            return len(roles)
    return RATED_ITEMS


def _expected(row: AnswerRow, expected: Sequence[Any]) -> float | None:
    """The calibration block comes first in a session, in the order of the protocol (Czech News 4.2.2)."""
    if row.block != BlockKind.CALIBRATION or row.position > len(expected):
        return None
    return float(expected[row.position - 1])


def _thinking(row: AnswerRow) -> float | None:
    return milliseconds_between(row.shown_at, row.saved_at) if row.answered_ms is None else row.answered_ms


def _integers(numbers: Iterator[int]) -> np.ndarray:
    return np.fromiter(numbers, dtype=np.int64)


def _floats(numbers: Any) -> np.ndarray:
    return np.array([NAN if number is None else number for number in numbers], dtype=np.float64)
