"""The answers of a project as arrays, round by round, in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Count, Q

from annotation.models import Participation, PracticeAnswer, Project, SelectedPair, State, TuplePlace
from annotation.protocols.designs.comparing import BestWorstDesign
from annotation.protocols.designs.news import SelectionDesign
from annotation.protocols.spec import Round
from annotation.protocols.terms import BlockKind, Context
from annotation.queries.counting import counted_pairs, current
from annotation.queries.judgments import CHUNK, JudgmentRow, judgment_rows, judgments_of
from scoring.queries import thinking_ms
from scoring.summaries.work import NONE, Answers, Work

NAN = float("nan")
RATED_ITEMS = 1  # on a screen


ANSWER = (
    *("participation", "item_id", "tuple_id", "context", "block", "position", "order", "value", "best_id", "worst_id"),
    *("answered_ms", "active_ms", "shown_at", "saved_at", "counted", "countable"),
)


class Person(NamedTuple):
    pk: int
    round: str
    annotator: int
    annotator__pseudonym: str
    state: str


class RoundWork(NamedTuple):
    """A round's people and item ids in the order of the arrays, and when each person last answered."""

    round: Round
    people: Sequence[Person]
    items: Sequence[int]
    last_at: dict[int, datetime]
    work: Work


def read_rounds(project: Project) -> Iterator[RoundWork]:
    """Yield every round that has participants, in the order of the protocol."""
    reader = _Reader(project)
    for round_ in project.protocol.rounds:
        people = [person for person in reader.people if person.round == round_.key]
        if people:
            yield reader.round(round_, people)


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
        """Ratings of main blocks, of the rounds read so far, by annotator, item and context."""

    def round(self, round_: Round, people: Sequence[Person]) -> RoundWork:
        rows = [row for person in people for row in self.rows[person.pk]]
        answered = [person.pk for person in people if self.rows[person.pk]]
        last_at = {pk: max(row.saved_at for row in self.rows[pk]) for pk in answered}
        scale = self.project.protocol.scale
        practised, right = self._practice(people)
        work = Work(
            answers=self._answers(round_, people, rows),
            excluded=np.array([person.state == State.EXCLUDED for person in people], dtype=np.bool_),
            gold=self.gold,
            practised=practised,
            practice_right=right,
            selected=self._selected(round_),
            minimum=float(scale.minimum) if scale else NAN,
            maximum=float(scale.maximum) if scale else NAN,
            step=float(scale.step) if scale else NAN,
            on_screen=_on_screen(round_),
        )
        return RoundWork(round_, people, self.items, last_at, work)

    def _answers(self, round_: Round, people: Sequence[Person], rows: Sequence[JudgmentRow]) -> Answers:
        places = {person.pk: place for place, person in enumerate(people)}
        annotators = {person.pk: person.annotator for person in people}
        self._remember(annotators, rows)
        earlier = _floats(self._earlier(annotators[row.participation], row) for row in rows)
        expected = round_.design.calibration_values
        shown = np.full((len(rows), _on_screen(round_)), NONE, dtype=np.int64)
        for place, row in enumerate(rows):
            if row.tuple_id is not None:
                seen = [self.tuples[row.tuple_id][int(digit) - 1] for digit in row.order]
                shown[place, : len(seen)] = [self.item_places[item] for item in seen]
        return Answers(
            people=_integers(places[row.participation] for row in rows),
            items=self._item_column(row.item_id for row in rows),
            contexts=_integers(int(row.context == Context.DEPENDENT) for row in rows),
            main=np.array([row.block == BlockKind.MAIN for row in rows], dtype=np.bool_),
            values=_floats(row.value for row in rows),
            tuples=_integers(NONE if row.tuple_id is None else row.tuple_id for row in rows),
            shown=shown,
            best=self._item_column(row.best_id for row in rows),
            worst=self._item_column(row.worst_id for row in rows),
            expected=_floats(_expected(row, expected) for row in rows),
            earlier=earlier,
            seconds=_floats(thinking_ms(row) for row in rows) / 1000,
            active_ms=_floats(row.active_ms for row in rows),
            counted=np.array([row.counted for row in rows], dtype=np.bool_),
            countable=np.array([row.countable for row in rows], dtype=np.bool_),
        )

    def _item_column(self, items: Iterator[int | None]) -> np.ndarray:
        return _integers(NONE if item is None else self.item_places[item] for item in items)

    def _earlier(self, annotator: int, row: JudgmentRow) -> float | None:
        """Return the first rating, in the same context, of a pair repeated at the end of a session."""
        if row.block != BlockKind.INTRA or row.item_id is None:
            return None
        return self.before.get((annotator, row.item_id, row.context))

    def _remember(self, annotators: dict[int, int], rows: Sequence[JudgmentRow]) -> None:
        for row in rows:
            if row.block == BlockKind.MAIN and row.item_id is not None and row.value is not None:
                self.before[annotators[row.participation], row.item_id, row.context] = row.value

    def _practice(self, people: Sequence[Person]) -> tuple[np.ndarray, np.ndarray]:
        """Return the number of first answers in practice and check, and the share of right ones."""
        answers = PracticeAnswer.objects.filter(participation__project=self.project, attempt=1).order_by()
        counts = answers.values("participation").annotate(all=Count("pk"), right=Count("pk", filter=Q(right=True)))
        found = {row["participation"]: (row["all"], row["right"]) for row in counts}
        rows = [found.get(person.pk, (0, 0)) for person in people]
        return _floats(float(all_) for all_, _ in rows), _floats(right / all_ if all_ else NAN for all_, right in rows)

    def _selected(self, round_: Round) -> np.ndarray:
        if not round_.design.selects:
            return np.zeros(0)
        pairs = SelectedPair.objects.filter(judgment__assignment__participation__project=self.project)
        return _floats(counted_pairs(pairs).order_by().values_list("value", flat=True))


def _rows(project: Project) -> dict[int, list[JudgmentRow]]:
    """Return every current answer by participation, in the order of its screens."""
    answers = current(judgments_of(project)).order_by(
        "assignment__participation", "assignment__session", "assignment__position"
    )
    rows: dict[int, list[JudgmentRow]] = defaultdict(list)
    for row in judgment_rows(answers, *ANSWER):
        rows[row.participation].append(row)
    return rows


def _tuples(project: Project) -> dict[int, list[int]]:
    places = TuplePlace.objects.filter(tuple__project=project).order_by("tuple", "position")
    tuples: dict[int, list[int]] = defaultdict(list)
    for pk, item in places.values_list("tuple", "item").iterator(chunk_size=CHUNK):
        tuples[pk].append(item)
    return tuples


def _on_screen(round_: Round) -> int:
    """Return how many items a screen compares."""
    match round_.design:
        case BestWorstDesign(tuple_size=size):
            return size
        case SelectionDesign(roles=roles):
            return len(roles)
    return RATED_ITEMS


def _expected(row: JudgmentRow, expected: Sequence[Any]) -> float | None:
    """Return the expected value of a calibration answer: the block opens a session, in protocol order (Czech News
    4.2.2)."""
    if row.block != BlockKind.CALIBRATION or row.position > len(expected):
        return None
    return float(expected[row.position - 1])


def _integers(numbers: Iterator[int]) -> np.ndarray:
    return np.fromiter(numbers, dtype=np.int64)


def _floats(numbers: Any) -> np.ndarray:
    return np.array([NAN if number is None else number for number in numbers], dtype=np.float64)
