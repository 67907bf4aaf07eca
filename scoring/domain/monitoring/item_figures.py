"""The figures of items, stored for the list of items: only what has changed is written."""

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
from django.db.models import QuerySet

from annotation.models import ItemFigures, Project
from annotation.queries.progress import answers_wanted
from scoring.domain.monitoring.item_table import FIGURES
from scoring.domain.monitoring.reading import RoundWork
from scoring.summaries.item_figures import item_columns
from scoring.summaries.tables import CONTEXTS

BATCH = 2000
Key = tuple[int, str, str]
Values = tuple[Any, ...]


def measured_items(data: RoundWork, disputes: Collection[dict[str, Any]]) -> Iterator[tuple[Key, Values]]:
    """Yield item, round and context of everything judged in a round, with the figures after `wanted`.

    Parameters: disputes, of the round's figures, with the ids of their items.
    """
    found = item_columns(data.work)
    disputed = {(dispute["item"], dispute.get("context", 0)) for dispute in disputes}
    first = CONTEXTS.index(data.round.sessions[0])
    columns = zip(
        *(column.tolist() for column in (found.items, found.contexts, found.answers)),
        *map(_numbers, (found.values, found.deviations, found.low, found.high)),
        strict=True,
    )
    for place, context, answers, *figures in columns:
        item = data.items[place]
        shown = first if data.round.design.compares else context
        yield (item, data.round.key, CONTEXTS[shown]), (answers, *figures, (item, context) in disputed)


def _numbers(column: np.ndarray) -> list[float | None]:
    return [None if np.isnan(number) else number for number in column.tolist()]


def store_item_figures(project: Project, measured: dict[Key, Values]) -> None:
    """Store the figures of all items that are judged or to be judged, and remove those of all others."""
    wanted = answers_wanted(project)
    nothing = (0, None, None, None, None, False)
    found = {key: (wanted.get(key, 0), *measured.get(key, nothing)) for key in wanted.keys() | measured.keys()}
    stored = {tuple(row[1:4]): (row[0], row[4:]) for row in _rows(project)}
    gone = [pk for key, (pk, _values) in stored.items() if key not in found]
    new = [_figures(project, key, values) for key, values in found.items() if key not in stored]
    changed = [
        _figures(project, key, values, pk=stored[key][0])
        for key, values in found.items()
        if key in stored and stored[key][1] != values
    ]
    # Each batch is stored by itself, so that nobody who answers has to wait for all of them.
    for ids in _batched(gone):
        ItemFigures.objects.filter(pk__in=ids).delete()
    for rows in _batched(new):
        ItemFigures.objects.bulk_create(rows)
    for rows in _batched(changed):
        ItemFigures.objects.bulk_create(rows, update_conflicts=True, unique_fields=["id"], update_fields=FIGURES)


def _rows(project: Project) -> QuerySet:
    return ItemFigures.objects.filter(project=project).values_list("pk", "item", "round", "context", *FIGURES)


def _figures(project: Project, key: Key, values: Values, **own: int) -> ItemFigures:
    item, round_key, context = key
    figures = dict(zip(FIGURES, values, strict=True))
    return ItemFigures(project=project, item_id=item, round=round_key, context=context, **figures, **own)


def _batched(rows: list[Any]) -> Iterator[list[Any]]:
    return (rows[start : start + BATCH] for start in range(0, len(rows), BATCH))
