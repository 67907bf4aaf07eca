"""Stored judgments read for figures and files: few columns, one query each, streamed where they are many."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from functools import reduce
from itertools import compress, islice
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KeyTransform
from numpy.typing import NDArray

from annotation.models import Assignment, AuditEntry, Item, Judgment, Participation, Project, SelectedPair
from annotation.protocols.spec import BlockKind
from annotation.queries import counted_pairs, current, judgments_of
from scoring.models import Run
from scoring.models import State as RunState

CHUNK = 2000
RUN_STARTED, RELEASE_ASKED_FOR, MODEL_COMPARED = "run started", "release asked for", "model compared"
OF_RESULTS = (RUN_STARTED, RELEASE_ASKED_FOR, MODEL_COMPARED)
"""What the log calls acts that leave the collection as it is."""
Ids = NDArray[np.integer[Any]]
BY_SCREEN = (
    "assignment__participation__round",
    "assignment__participation__seat",
    "assignment__session",
    "assignment__position",
)


class AnswerRow(NamedTuple):
    """An answer with its surroundings; items by their keys."""

    id: int
    participation: int
    item: str | None
    annotator: str
    value: float | None
    round: str
    context: str
    block: str
    session: int
    position: int
    pool: str
    replaces: int | None
    shown_at: datetime | None
    answered_at: datetime
    saved_at: datetime
    answered_ms: int | None
    active_ms: int | None
    touched_ms: int | None
    adjustments: int | None
    tuple: int | None
    best: str | None
    worst: str | None
    hard_to_say: bool
    order: str


ANSWER_FIELDS = (
    "pk",
    "assignment__participation",
    "assignment__item__key",
    "assignment__participation__annotator__pseudonym",
    "value",
    "assignment__participation__round",
    "assignment__context",
    "assignment__block",
    "assignment__session",
    "assignment__position",
    "assignment__participation__pool",
    "assignment__participation__replaces",
    "assignment__shown_at",
    "assignment__answered_at",
    "saved_at",
    "answered_ms",
    "active_ms",
    "touched_ms",
    "adjustments",
    "assignment__tuple__position",
    "best__key",
    "worst__key",
    "hard_to_say",
    "assignment__order",
)


def unvalidated_pairs(project: Project) -> QuerySet[SelectedPair]:
    """Selected pairs that no later round used, calibration included (Czech News, Fig. 1: the training dataset)."""
    used = Assignment.objects.filter(item=OuterRef("item"))
    pairs = SelectedPair.objects.filter(item__project=project, item__calibration_order__isnull=True)
    return counted_pairs(pairs).filter(~Exists(used))


def items_in_order(project: Project) -> QuerySet[Item]:
    return project.items.order_by("position", "pk")


def entries_of(project: Project) -> QuerySet[AuditEntry]:
    """The entries of the log that may tell of what a run reads: not those of runs, and of what is made of runs."""
    return project.audit_entries.exclude(action__in=OF_RESULTS)


def seen_of(project: Project) -> tuple[int, int]:
    """How many judgments there are and how many entries of the audit log: rows that are only ever added.

    By number: on PostgreSQL rows may be stored in another order than that of their ids, and times may lie in the
    future, of simulated people or of a clock put right.
    """
    return judgments_of(project).count(), entries_of(project).count()


def answers_read(project: Project, ids: Ids) -> Iterator[list[AnswerRow]]:
    """The answers with these ids, which ascend, in the order of rounds, seats and screens; streamed in chunks."""
    rows = judgments_of(project).order_by(*BY_SCREEN).values_list(*ANSWER_FIELDS).iterator(chunk_size=CHUNK)
    while chunk := list(islice(map(AnswerRow._make, rows), CHUNK)):
        yield list(compress(chunk, among(ids, [row.id for row in chunk])))


def among(ids: Ids, wanted: Sequence[int]) -> list[bool]:
    """Which of these are among the ids, which ascend and of which there may be millions."""
    if not len(ids):
        return [False] * len(wanted)
    places = np.searchsorted(ids, wanted).clip(max=len(ids) - 1)
    found: list[bool] = (ids[places] == np.array(wanted)).tolist()
    return found


def pairs_selected(answers: Collection[int]) -> dict[int, list[tuple[int, str, str, float]]]:
    """Id, item, role and value of the pairs of each selection, in the order of roles; by the id of the answer."""
    rows = SelectedPair.objects.filter(judgment__in=answers).order_by("judgment", "role")
    pairs: dict[int, list[tuple[int, str, str, float]]] = defaultdict(list)
    for answer, *pair in rows.values_list("judgment", "pk", "item__key", "role", "value"):
        pairs[answer].append(tuple(pair))
    return pairs


def with_shortened_pause(project: Project, ids: Ids) -> set[int]:
    """The participations whose pause was shortened, by entries of the audit log with these ids."""
    entries = list(project.audit_entries.filter(action="pause shortened").values_list("pk", "participation"))
    return {place for (_, place), known in zip(entries, among(ids, [pk for pk, _ in entries]), strict=True) if known}


def unscreened(participations: QuerySet[Participation]) -> QuerySet[Participation]:
    return participations.filter(finished_at__isnull=False, screened_at__isnull=True, state="finished")


def labelled_ratings(participation: Participation) -> tuple[list[float], list[bool]]:
    """A person's values of pairs whose label is known, with the labels."""
    rows = current(Judgment.objects.filter(assignment__participation=participation)).filter(
        assignment__item__gold__isnull=False, assignment__block=BlockKind.MAIN, value__isnull=False
    )
    pairs = list(rows.values_list("value", "assignment__item__gold"))
    return [value for value, _ in pairs], [gold for _, gold in pairs]


def with_parts(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Adds `parts_done` and `parts_total` to every row, in one query; a run that waits has none yet."""
    done = Count("parts", filter=Q(parts__state=RunState.DONE))
    return runs.annotate(parts_done=done, parts_total=Count("parts"))


def part_of_results(run: Run, *path: str) -> Any:
    """What stands under these keys of a run's results; nothing else of them is read."""
    keys = reduce(lambda above, key: KeyTransform(key, above), path, "results")
    return Run.objects.filter(pk=run.pk).values_list(keys, flat=True).get()


def runs_of_today(project: Project) -> QuerySet[Run]:
    """The runs that know everything: no judgment, no item and no entry of the log has come since they read."""
    judgments, entries = seen_of(project)
    done = project.runs.filter(state=RunState.DONE, results__overview__items=project.items.count())
    return done.filter(judgments=judgments, entries=entries)


def milliseconds_between(earlier: datetime | None, later: datetime | None) -> int | None:
    """From one server time to another; None where one is missing or the order is not this one."""
    if earlier is None or later is None or later < earlier:
        return None
    return round((later - earlier).total_seconds() * 1000)
