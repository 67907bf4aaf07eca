"""Designs of best-worst rounds: each yields what it knows after more and more judgments."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from annotation.planning.tuples import design_tuples
from annotation.planning.tuples.neighbours import next_tuples
from benchmarks.adaptive.worlds import SIZE, Floats, Integers, World, joined
from scoring.stats.bws import best_worst_scores, count_choices
from scoring.stats.choices import Choices
from scoring.stats.models import fit_best_worst
from scoring.stats.utility_posterior import fit_posterior

MOST = 8
"""Judgments per item of the largest collection."""
TOGETHER = 2


@dataclass(frozen=True, eq=False)
class Stage:
    """judgments: per item. scores: by name, shapes (items,). reliability: as it is estimated; NaN if it is not."""

    judgments: float
    scores: dict[str, Floats]
    reliability: float = float("nan")


def both(choices: Choices) -> dict[str, Floats]:
    """Return scores by counting, and the utilities that a run publishes for a fixed design."""
    return {"counting": best_worst_scores(count_choices(choices)), "model": fit_best_worst(choices).values}


def fixed(world: World) -> Iterator[Stage]:
    """Yield the design of the papers: 4-tuples, twice as many as items, each answered by more and more people."""
    tuples = design_tuples(world.items, size=SIZE, factor=2, generator=world.chance)
    choices = world.choose(tuples)
    while True:
        yield Stage(choices.judgments / world.items, both(choices))
        if choices.judgments >= MOST * world.items:
            return
        choices = joined(choices, world.choose(tuples))


def different(world: World) -> Iterator[Stage]:
    """Yield fixed designs in which every judgment is of another tuple."""
    for factor in (1, 2, 3, 4, 6, MOST):
        tuples = design_tuples(world.items, size=SIZE, factor=factor, generator=world.chance)
        yield Stage(factor, both(world.choose(tuples)))


def adaptive(world: World, uneven: bool = False) -> Iterator[Stage]:
    """Yield waves of half a tuple per item, after a first wave of one tuple per item; the model has a prior from all
    items, as the utilities that a run publishes for an adaptive design.

    uneven: whether information also chooses how often items appear.
    """
    choices = world.choose(design_tuples(world.items, size=SIZE, factor=1, generator=world.chance))
    while True:
        known = fit_posterior(choices)
        likely = both(choices)
        scores = {"counting": likely["counting"], "likelihood": likely["model"], "model": known.values}
        yield Stage(choices.judgments / world.items, scores, known.reliability)
        if choices.judgments >= MOST * world.items:
            return
        further = next_tuples(
            choices.items,
            known.values,
            known.errors,
            number=world.items // 2,
            together=TOGETHER,
            generator=world.chance,
            shares=known.rank_shares if uneven else None,
        )
        choices = joined(choices, world.choose(further))


def iterative(world: World) -> Iterator[Stage]:
    """Yield iterative best-worst scaling (Han, Yu, Sedoc and Van Durme 2024, arXiv 2408.09765), as a quicksort.

    Every item gets so many tuples of its bucket in a round; counting them splits the bucket into an upper, a middle and
    a lower third, until a bucket is smaller than a tuple. The rank is that of the buckets, then of the counts in the
    last one. The number of rounds follows from the items, so that more judgments are more tuples in each round.
    """
    for factor in (0.5, 1, 1.5, 2):
        rank, choices = sorted_in_buckets(world, factor)
        yield Stage(choices.judgments / world.items, {"ranks": rank, "model": fit_best_worst(choices).values})


def sorted_in_buckets(world: World, factor: float) -> tuple[Floats, Choices]:
    """Return the rank of each item, and all choices."""
    buckets, found, scores = [np.arange(world.items)], None, np.zeros(world.items)
    while any(len(bucket) >= SIZE for bucket in buckets):
        tuples = np.concatenate([_tuples_of(bucket, factor, world.chance) for bucket in buckets if len(bucket) >= SIZE])
        choices = world.choose(tuples)
        shown = np.unique(tuples)
        scores[shown] = best_worst_scores(count_choices(choices))[shown]
        found = choices if found is None else joined(found, choices)
        buckets = [part for bucket in buckets for part in _thirds(bucket, scores, world.chance)]
    rank = np.empty(world.items)
    rank[np.concatenate(buckets)] = np.arange(world.items)
    return rank, found


def _tuples_of(bucket: Integers, factor: float, chance: np.random.Generator) -> Integers:
    """Return random tuples of a bucket, without an item twice in one; appearances differ by few."""
    whole = len(bucket) // SIZE * SIZE
    number = max(round(factor * len(bucket)), -(-len(bucket) // SIZE))
    rows = [chance.permutation(bucket)[:whole].reshape(-1, SIZE) for _ in range(-(-number * SIZE // whole))]
    return np.concatenate(rows)[:number]


def _thirds(bucket: Integers, scores: Floats, chance: np.random.Generator) -> list[Integers]:
    order = chance.permutation(bucket)
    order = order[np.argsort(scores[order], kind="stable")]
    return [part for part in np.array_split(order, 3) if len(part)] if len(bucket) >= SIZE else [order]


DESIGNS: dict[str, Callable[[World], Iterator[Stage]]] = {
    "fixed": fixed,
    "different": different,
    "adaptive": adaptive,
    "uneven": partial(adaptive, uneven=True),
    "iterative": iterative,
}
