"""Queries for stored judgments: few columns, one query each, streamed where there are many rows."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from functools import reduce
from itertools import compress, islice
from typing import Any

import numpy as np
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.db.models.fields.json import KeyTransform
from numpy.typing import NDArray

from annotation.models import (
    Assignment,
    AuditEntry,
    Item,
    Judgment,
    Participation,
    Project,
    SelectedPair,
    State,
    TuplePlace,
)
from annotation.models.audit_actions import Action
from annotation.protocols.terms import BlockKind
from annotation.queries.counting import countable, counted_pairs
from annotation.queries.judgments import CHUNK, JudgmentRow, judgment_rows, judgments_of
from scoring.models import Run
from scoring.models import State as RunState
from scoring.models.audit_actions import ScoringAction

OF_RESULTS = (
    *(ScoringAction.RUN_STARTED, ScoringAction.RELEASE_REQUESTED, ScoringAction.MODEL_EVALUATED),
    *(ScoringAction.ARCHIVE_TOKEN_SAVED, ScoringAction.ARCHIVE_TOKEN_REMOVED),
    *(ScoringAction.RELEASE_UPLOADED, ScoringAction.UPLOAD_PUBLISHED),
)
"""Logged actions that do not change the collection."""
BY_RULE = "contradict the known labels"
"""Part of the reason that screening gives for an exclusion."""
Ids = NDArray[np.integer[Any]]
BY_SCREEN = (
    *("assignment__participation__round", "assignment__participation__seat"),
    *("assignment__session", "assignment__position"),
)
ANSWER = (
    *("id", "participation", "item", "annotator", "value", "round", "context", "block", "session", "position", "pool"),
    *("replaces", "shown_at", "answered_at", "saved_at", "answered_ms", "active_ms", "touched_ms", "adjustments"),
    *("tuple", "tuple_id", "best_key", "worst_key", "hard_to_say", "inversion", "order", "invalid"),
)


def unvalidated_pairs(project: Project) -> QuerySet[SelectedPair]:
    """Return the selected pairs that no later round used, with calibration (Czech News, Fig. 1: training dataset)."""
    used = Assignment.objects.filter(item=OuterRef("item"))
    pairs = SelectedPair.objects.filter(item__project=project, item__calibration_order__isnull=True)
    return counted_pairs(pairs).filter(~Exists(used))


def pairs_to_rate(project: Project) -> dict[str, int]:
    """Return how many pairs each round asks to be rated, without calibration pairs and withdrawn ones."""
    screens = Assignment.objects.filter(
        participation__project=project,
        block=BlockKind.MAIN,
        item__calibration_order__isnull=True,
        item__withdrawn_at__isnull=True,
    )
    asked = screens.order_by().values_list("participation__round")
    return dict(asked.annotate(pairs=Count("item", distinct=True)))


def items_in_order(project: Project) -> QuerySet[Item]:
    return project.items.order_by("position", "pk")


def entries_of(project: Project) -> QuerySet[AuditEntry]:
    """Return the log entries that can affect a run: without those of runs and of what is made of runs."""
    return project.audit_entries.exclude(action__in=OF_RESULTS)


def seen_of(project: Project) -> tuple[int, int]:
    """Return the numbers of judgments and of entries of the audit log: rows that are only ever added.

    Numbers rather than ids or times: PostgreSQL may store rows in another order than that of their ids, and times may
    lie in the future, of simulated people or after a clock correction.
    """
    return judgments_of(project).count(), entries_of(project).count()


def answers_read(project: Project, ids: Ids) -> Iterator[list[JudgmentRow]]:
    """Yield the answers with these ascending ids, in the order of rounds, seats, screens and ids, in chunks."""
    rows = judgment_rows(judgments_of(project).order_by(*BY_SCREEN, "pk"), *ANSWER)
    while chunk := list(islice(rows, CHUNK)):
        yield list(compress(chunk, among(ids, [row.id for row in chunk])))


def among(ids: Ids, wanted: Sequence[int]) -> list[bool]:
    """Return which of the wanted are among the ids, which ascend and of which there may be millions."""
    if not len(ids):
        return [False] * len(wanted)
    places = np.searchsorted(ids, wanted).clip(max=len(ids) - 1)
    found: list[bool] = (ids[places] == np.array(wanted)).tolist()
    return found


def items_shown(rows: Sequence[JudgmentRow]) -> dict[int, list[str]]:
    """Return the keys of the items of each choice, in the order in which the person saw them, by the answer's id."""
    choices = [row for row in rows if row.best_key]
    places = TuplePlace.objects.filter(tuple__in={row.tuple_id for row in choices}).order_by("tuple", "position")
    keys: dict[int, list[str]] = defaultdict(list)
    for tuple_id, key in places.values_list("tuple", "item__key"):
        keys[tuple_id].append(key)
    return {row.id: [keys[row.tuple_id][int(digit) - 1] for digit in row.order] for row in choices}


def pairs_selected(answers: Collection[int]) -> dict[int, list[tuple[int, str, str, float]]]:
    """Return id, item, role and value of the pairs of each selection, in the order of roles, by the answer's id."""
    rows = SelectedPair.objects.filter(judgment__in=answers).order_by("judgment", "role")
    pairs: dict[int, list[tuple[int, str, str, float]]] = defaultdict(list)
    for answer, *pair in rows.values_list("judgment", "pk", "item__key", "role", "value"):
        pairs[answer].append(tuple(pair))
    return pairs


def with_shortened_pause(project: Project, ids: Ids) -> set[int]:
    """Return the participations whose pause was shortened, by entries of the audit log with these ids."""
    entries = list(project.audit_entries.filter(action=Action.PAUSE_SHORTENED).values_list("pk", "participation"))
    return {place for (_, place), known in zip(entries, among(ids, [pk for pk, _ in entries]), strict=True) if known}


def unscreened(participations: QuerySet[Participation]) -> QuerySet[Participation]:
    """Return the people who finished or left and were not screened since.

    In a closed project nobody can take the place of somebody who left, so its scores stay as they are.
    """
    waiting = participations.filter(screened_at__isnull=True, state__in=[State.FINISHED, State.LEFT])
    return waiting.exclude(state=State.LEFT, project__closed_at__isnull=False)


def labelled_ratings(participation: Participation) -> list[tuple[float, bool]]:
    """Return a person's values of pairs whose label is known, with the labels.

    They count, or would if the person were not excluded.
    """
    rows = countable(Judgment.objects.filter(assignment__participation=participation)).filter(
        assignment__item__gold__isnull=False, assignment__block=BlockKind.MAIN, value__isnull=False
    )
    return list(judgment_rows(rows, "value", "gold"))


def part_of_results(run: Run, *path: str) -> Any:
    """Return the part of a run's results under these keys; nothing else of them is read."""
    keys = reduce(lambda above, key: KeyTransform(key, above), path, "results")
    return Run.objects.filter(pk=run.pk).values_list(keys, flat=True).get()


def runs_of_today(project: Project) -> QuerySet[Run]:
    """Return the up-to-date runs: no judgment, item or log entry was added since they read."""
    judgments, entries = seen_of(project)
    done = project.runs.filter(
        state=RunState.DONE,
        results__overview__items=project.items.count(),
        results__overview__has_key="not_counted",  # runs of earlier versions do not tell why judgments do not count
    )
    return done.filter(judgments=judgments, entries=entries)


def thinking_ms(row: JudgmentRow) -> int | None:
    """Return the thinking time in milliseconds, as the browser measured it; else between the server's times."""
    return milliseconds_between(row.shown_at, row.saved_at) if row.answered_ms is None else row.answered_ms


def milliseconds_between(earlier: datetime | None, later: datetime | None) -> int | None:
    """Return the milliseconds between two server times; None if one is missing or the order is wrong."""
    if earlier is None or later is None or later < earlier:
        return None
    return round((later - earlier).total_seconds() * 1000)
