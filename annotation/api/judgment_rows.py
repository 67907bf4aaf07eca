"""Judgments read from the database, many at once."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import F, QuerySet

from annotation.models import Judgment, SelectedPair, State, TuplePlace

Row = dict[str, Any]
OWN = (
    "id",
    "value",
    "hard_to_say",
    "saved_at",
    "superseded_at",
    "touched_ms",
    "answered_ms",
    "active_ms",
    "adjustments",
)
JOINED = {
    "best_key": "best__key",
    "worst_key": "worst__key",
    "round": "assignment__participation__round",
    "annotator": "assignment__participation__annotator__pseudonym",
    "pool": "assignment__participation__pool",
    "context": "assignment__context",
    "block": "assignment__block",
    "session": "assignment__session",
    "position": "assignment__position",
    "item": "assignment__item__key",
    "tuple": "assignment__tuple__position",
    "tuple_id": "assignment__tuple",
    "order": "assignment__order",
    "incident": "assignment__sentence__document__incident__key",
    "sentence": "assignment__sentence__position",
    "owner": "assignment__sentence__document__incident__participation",
    "participation": "assignment__participation",
    "state": "assignment__participation__state",
    "replaces": "assignment__participation__replaces",
    "pause_shortened": "assignment__participation__rest_shortened",
    "shown_at": "assignment__shown_at",
    "answered_at": "assignment__answered_at",
}


def raw(judgments: QuerySet[Judgment]) -> QuerySet:
    """One row a judgment, in one query."""
    return judgments.values(*OWN, **{name: F(path) for name, path in JOINED.items()})


def complete(rows: list[Row], columns: Sequence[str]) -> list[Row]:
    """The rows as they are answered, with the items of choices and what was selected; two queries more."""
    items = _items_of({row["tuple_id"] for row in rows if row["tuple_id"]})
    pairs = _pairs_of([row["id"] for row in rows if row["incident"] is not None])
    for row in rows:
        keys = items.get(row["tuple_id"], [])
        row |= {
            "best": row["best_key"],
            "worst": row["worst_key"],
            "items": [keys[int(place) - 1] for place in row["order"]] if keys else [],
            "selections": pairs.get(row["id"], []),
            "counted": _counts(row),
            "refill": row["replaces"] is not None,
        }
    return [{column: row[column] for column in columns} for row in rows]


def _counts(row: Row) -> bool:
    """Of nobody who was excluded, of nothing superseded, and of an incident by its present owner only."""
    given_on = row["incident"] is not None and row["owner"] != row["participation"]
    return row["state"] != State.EXCLUDED and row["superseded_at"] is None and not given_on


def _items_of(tuples: Collection[int]) -> dict[int, list[str]]:
    """The keys of the items of each tuple, as designed."""
    keys: dict[int, list[str]] = defaultdict(list)
    places = TuplePlace.objects.filter(tuple__in=tuples).order_by("tuple", "position")
    for shown, key in places.values_list("tuple", "item__key"):
        keys[shown].append(key)
    return keys


def _pairs_of(judgments: Collection[int]) -> dict[int, list[Row]]:
    pairs: dict[int, list[Row]] = defaultdict(list)
    found = SelectedPair.objects.filter(judgment__in=judgments).order_by("judgment", "role")
    for judgment, role, key, value in found.values_list("judgment", "role", "item__key", "value"):
        pairs[judgment].append({"role": role, "item": key, "value": value})
    return pairs
