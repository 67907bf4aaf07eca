"""Judgments read from the database, many at once."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import QuerySet

from annotation.models import Judgment, SelectedPair, TuplePlace
from annotation.queries.counting import PAIR_NOT_COUNTED_BECAUSE
from annotation.queries.judgments import COLUMNS

Row = dict[str, Any]
OWN = (
    "id value hard_to_say inversion saved_at superseded_at touched_ms answered_ms active_ms adjustments invalid"
).split()


def raw(judgments: QuerySet[Judgment]) -> QuerySet:
    """Return one row for each judgment, in one query."""
    return judgments.values(*OWN, **COLUMNS)


def complete(rows: list[Row], columns: Sequence[str]) -> list[Row]:
    """Return the rows in their answered form, with the items of choices and the selections; two more queries."""
    items = _items_of({row["tuple_id"] for row in rows if row["tuple_id"]})
    pairs = _pairs_of([row["id"] for row in rows if row["incident"] is not None])
    for row in rows:
        keys = items.get(row["tuple_id"], [])
        row |= {
            "best": row["best_key"],
            "worst": row["worst_key"],
            "items": [keys[int(place) - 1] for place in row["order"]] if keys else [],
            "selections": pairs.get(row["id"], []),
            "not_counted_because": row["not_counted_because"] or None,
            "refill": row["replaces"] is not None,
        }
    return [{column: row[column] for column in columns} for row in rows]


def _items_of(tuples: Collection[int]) -> dict[int, list[str]]:
    """Return the keys of the items of each tuple, in the designed order."""
    keys: dict[int, list[str]] = defaultdict(list)
    places = TuplePlace.objects.filter(tuple__in=tuples).order_by("tuple", "position")
    for shown, key in places.values_list("tuple", "item__key"):
        keys[shown].append(key)
    return keys


def _pairs_of(judgments: Collection[int]) -> dict[int, list[Row]]:
    pairs: dict[int, list[Row]] = defaultdict(list)
    found = SelectedPair.objects.filter(judgment__in=judgments).order_by("judgment", "role")
    rows = found.values_list("judgment", "role", "item__key", "value", PAIR_NOT_COUNTED_BECAUSE)
    for judgment, role, key, value, because in rows:
        pair = {"role": role, "item": key, "value": value, "counted": not because}
        pairs[judgment].append(pair | {"not_counted_because": because or None})
    return pairs
