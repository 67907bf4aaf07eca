"""The pool of a round in waves, and the judgments of it that count, as arrays."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from annotation.domain.participation.waves import common_pool_of
from annotation.models import Project, TuplePlace
from annotation.protocols.spec import Design
from annotation.protocols.terms import BlockKind
from annotation.queries.counting import counted
from annotation.queries.judgments import judgments_of
from scoring.domain.runs.answers import columns_by_id
from scoring.domain.runs.columns import REAL, WHOLE, Kind
from scoring.domain.runs.places import Places
from scoring.forecasting.population import points_of
from scoring.forecasting.stopping.allocation import HORIZON, Pool
from scoring.forecasting.stopping.precision import Judged, judged_choices, judged_ratings
from scoring.stats.choices import Choices, Integers


@dataclass(frozen=True, eq=False)
class RoundInWaves:
    """The present state of a round.

    entries: the ids of its pool's entries, shape (entries,), in the order of `pool`. items: the ids of the items, in
    the order of `judged`. planned: judgments opened so far, in all. answers: judgments that count; a choice is one,
    although it says something about each item of its tuple.
    """

    entries: Integers
    items: Integers
    pool: Pool
    judged: Judged
    planned: int
    answers: int


def read_round(project: Project, round_key: str) -> RoundInWaves:
    """Return the entries without a withdrawn item, and the judgments of them that count, in the order of storage."""
    design = project.round(round_key).design
    read = _read_choices if design.compares else _read_ratings
    return read(project, round_key, design)


def _read_ratings(project: Project, round_key: str, design: Design) -> RoundInWaves:
    rows = common_pool_of(project, round_key).filter(item__withdrawn_at__isnull=True)
    entries, items, planned = _columns(rows.order_by("pk").values_list("pk", "item", "planned"), 3)
    columns = {"item": ("assignment__item_id", WHOLE), "value": ("value", REAL)}
    found = _judgments(project, round_key, columns)
    places = Places(items.tolist()).of(found["item"]).astype(np.int64)
    values, known = found["value"], places >= 0
    points = points_of(project.protocol.scale)
    judged = judged_ratings(places[known], values[known], len(items), points)
    every = np.arange(len(items))[:, np.newaxis]
    pool = Pool(every, _room(design, planned))
    return RoundInWaves(entries, items, pool, judged, int(planned.sum()), len(judged.items))


@dataclass(frozen=True, eq=False)
class ComparedRound:
    """The tuples of a round without a withdrawn item, and the choices from them that count.

    entries: the ids of the tuples, shape (tuples,), in the order in which they were stored. items: the ids of their
    items, shape (items,), ascending. tuples: indexes of items, shape (tuples, size). planned: answers, shape (tuples,).
    designed: how many of the tuples are of the first design, not of an adaptive wave.
    """

    entries: Integers
    items: Integers
    tuples: Integers
    planned: Integers
    designed: int
    choices: Choices


def _read_choices(project: Project, round_key: str, design: Design) -> RoundInWaves:
    found = read_compared_round(project, round_key)
    pool, judged = Pool(found.tuples, _room(design, found.planned)), judged_choices(found.choices)
    return RoundInWaves(found.entries, found.items, pool, judged, int(found.planned.sum()), found.choices.judgments)


def read_compared_round(project: Project, round_key: str) -> ComparedRound:
    """Return the tuples of a round and their choices, in the order of storage."""
    withdrawn = TuplePlace.objects.filter(tuple__project=project, item__withdrawn_at__isnull=False)
    rows = common_pool_of(project, round_key).exclude(pk__in=withdrawn.values("tuple"))
    entries, planned = _columns(rows.order_by("pk").values_list("pk", "planned"), 2)
    shown = TuplePlace.objects.filter(tuple__in=rows).order_by("tuple", "position").values_list("item")
    [ids] = _columns(shown, 1)
    items, places = np.unique(ids, return_inverse=True)
    tuples = places.reshape(len(entries), -1).astype(np.int64)
    columns = {"tuple": ("assignment__tuple_id", WHOLE), "best": ("best_id", WHOLE), "worst": ("worst_id", WHOLE)}
    found = _judgments(project, round_key, columns)
    rows_of = Places(entries.tolist()).of(found["tuple"]).astype(np.int64)
    best, worst = found["best"], found["worst"]
    known = (rows_of >= 0) & (best != worst)
    of = rows_of[known]
    best, worst = np.searchsorted(items, best[known]), np.searchsorted(items, worst[known])
    choices = Choices(tuples[of], best, worst, of, None, len(items))
    return ComparedRound(entries, items, tuples, planned, rows.filter(wave__isnull=True).count(), choices)


def _columns(rows: object, number: int) -> list[Integers]:
    table = np.array(list(rows.iterator(chunk_size=2000)), dtype=np.int64)  # type: ignore[attr-defined]
    return list(table.reshape(-1, number).T)


def _judgments(project: Project, round_key: str, columns: dict[str, tuple[str, Kind]]) -> dict[str, Any]:
    """Return columns of the judgments of a round that count, in the order of storage."""
    judgments = counted(judgments_of(project)).filter(
        assignment__participation__round=round_key, assignment__block=BlockKind.MAIN
    )
    return columns_by_id(judgments, columns)


def _room(design: Design, planned: Integers) -> Integers:
    most = design.stopping.most or HORIZON * int(planned.max(initial=1))
    return np.maximum(most - planned, 0)
