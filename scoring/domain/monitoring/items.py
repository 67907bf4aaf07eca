"""An item in dispute, with everybody's judgments of it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Count, Q

from annotation.models import Item, Judgment
from annotation.protocols.terms import BlockKind
from annotation.queries.counting import counted
from scoring.summaries.bars import value_bars


@dataclass(frozen=True)
class Rated:
    """The ratings of an item in a round and context; the deviation is None for a single rating."""

    round: str
    context: str
    number: int
    mean: float
    deviation: float | None
    bars: list[dict[str, Any]]


@dataclass(frozen=True)
class Chosen:
    """How often an item was best, worst and neither in a round."""

    round: str
    best: int
    worst: int
    neither: int


def ratings_of(item: Item) -> list[Rated]:
    """Return everybody's counted ratings, by round and context; one query through the item's index."""
    rows = counted(Judgment.objects.filter(assignment__item=item, value__isnull=False))
    rows = rows.filter(assignment__block=BlockKind.MAIN)
    by = ("assignment__participation__round", "assignment__context")
    values: dict[tuple[str, str], list[float]] = {}
    for round_key, context, value in rows.order_by(*by, "pk").values_list(*by, "value"):
        values.setdefault((round_key, context), []).append(value)
    return [_rated(item, *key, np.array(rated)) for key, rated in values.items()]


def _rated(item: Item, round_key: str, context: str, values: np.ndarray) -> Rated:
    scale = item.project.protocol.scale
    deviation = float(values.std(ddof=1)) if len(values) > 1 else None
    bars = value_bars(values, float(scale.minimum), float(scale.maximum), float(scale.step))
    return Rated(round_key, context, len(values), float(values.mean()), deviation, bars)


def choices_of(item: Item) -> list[Chosen]:
    """Return how often the item was chosen by people who count, by round; one query through the item's tuples."""
    answers = counted(Judgment.objects.filter(assignment__tuple__places__item=item, best__isnull=False))
    rounds = answers.order_by("assignment__participation__round").values_list("assignment__participation__round")
    counts = rounds.annotate(
        best_times=Count("pk", filter=Q(best=item)),
        worst_times=Count("pk", filter=Q(worst=item)),
        neither_times=Count("pk", filter=~Q(best=item) & ~Q(worst=item)),
    )
    return [Chosen(*row) for row in counts]
