"""The parts of the simulation of coverage, which can be computed one by one, and their worlds."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from benchmarks.coverage.choices import CHOSEN, cover_errors, cover_intervals
from benchmarks.coverage.pairs import (
    GAINS,
    KINDS,
    ORDERS,
    PAIRS,
    RATINGS,
    cover_gains,
    cover_means,
    cover_order,
    cover_pairs,
)
from benchmarks.coverage.ratings import PANELS, RATED, REPEATED, cover_panel, cover_ratings, cover_repeated
from benchmarks.coverage.shares import Shares

Covering = Callable[[int, np.random.Generator], Shares]


@dataclass(frozen=True)
class World:
    """What is simulated; times: how many collections for each one requested."""

    place: str
    covering: Covering
    seed: int
    times: float = 1.0

    def number(self, collections: int) -> int:
        return max(round(self.times * collections), 1)

    def cover(self, collections: int) -> Shares:
        """Return the coverage of each interval in each collection; the same number, the same figures."""
        return self.covering(self.number(collections), np.random.default_rng(self.seed))


@dataclass(frozen=True)
class Part:
    title: str
    worlds: tuple[World, ...]


def _worlds(
    cover: Callable[..., Shares], seed: int, places: Iterable[tuple[Any, ...]], template: str = "{}", times: float = 1.0
) -> list[World]:
    """Return a world for each tuple of what `cover` takes, named by the template."""
    return [World(template.format(*place), partial(cover, *place), seed, times) for place in places]


def _part(title: str, *worlds: Iterable[World]) -> Part:
    return Part(title, tuple(world for several in worlds for world in several))


PARTS = {
    "agreement": _part("Agreement of ratings", _worlds(cover_ratings, 1, ((one,) for one in RATED))),
    "average": _part("Average annotators", _worlds(cover_panel, 2, ((one,) for one in PANELS))),
    "repeated": _part(
        "Ratings given twice", _worlds(cover_repeated, 5, REPEATED, "{} annotators, {} pairs each", times=2)
    ),
    "pairs": _part(
        "Correlations and gains of independent pairs",
        _worlds(cover_pairs, 3, ((pairs, kind) for kind in KINDS for pairs in PAIRS), "{} pairs, {}", times=2),
        _worlds(cover_gains, 3, ((pairs,) for pairs in GAINS), "{} pairs, skewed", times=10),
    ),
    "means": _part(
        "Means of items and effects of order",
        _worlds(cover_means, 6, RATINGS, "{} items, {} ratings each"),
        _worlds(cover_order, 7, ORDERS, "{} annotators, {} items", times=4),
    ),
    "scores": _part("Scores by counting", _worlds(cover_intervals, 4, ((one,) for one in CHOSEN), times=1 / 4)),
    "errors": _part(
        "Standard errors of scores and utilities", _worlds(cover_errors, 4, ((one,) for one in CHOSEN), times=1 / 16)
    ),
}
