"""Split-half reliability of ratings."""

import math
from collections.abc import Callable

import numpy as np
import scipy

from scoring.stats.choices import Floats, Integers
from scoring.stats.correlation import mean_ranks, pearson
from scoring.stats.halving import Dealer, Sides
from scoring.stats.reliability import SPLITS_AT_ONCE, SplitHalf

DIGITS = 9  # in which equal means are equal
STEPS = 1_000_000  # to a point, the finest steps of a scale that are recognised
MAXIMUM_CODES = 1 << 20
MAXIMUM_HELD = 4_000_000


def split_half_of_ratings(
    items: Integers,
    values: Floats,
    generator: np.random.Generator,
    *,
    splits: int = 1000,
    splits_at_once: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> SplitHalf:
    """Return correlations between the items' mean ratings in two random halves of their raters.

    The ratings of each item are shuffled and dealt to the halves in turn, starting at a random half, as SemRel2024 3.2
    halves the judgments of a tuple. Items with a single rating are left out.

    Parameters: items, values, shape (ratings,). splits_at_once and progress, as in `split_half`; by default as many
    splits are held as have `MAXIMUM_HELD` ratings together.

    Raises:
        ValueError: no item has two ratings, or there is less than one split.
    """
    compared = np.bincount(items, minlength=1)[items] > 1
    if not compared.any() or splits < 1:
        raise ValueError("Split-half reliability of ratings needs an item with two ratings and one split.")
    _, units = np.unique(items[compared], return_inverse=True)
    halves = _Halves(units, values[compared])
    found, held = [], splits_at_once or max(1, min(SPLITS_AT_ONCE, MAXIMUM_HELD // len(values)))
    for start in range(0, splits, held):
        block = min(held, splits - start)
        found += halves.correlate(halves.dealer.sides(generator, block))
        if progress is not None:
            progress(block)
    columns = np.array(found, dtype=np.float64).T
    return SplitHalf("item", np.full(splits, halves.items), *columns)


class _Halves:
    """The means of items in the halves of their ratings."""

    def __init__(self, items: Integers, values: Floats) -> None:
        self.dealer, self.items = Dealer(items, shuffle_limit=len(items)), int(items.max()) + 1
        place = (items, self.dealer.rows)
        self._ones = scipy.sparse.csr_array((np.ones(len(items)), place), shape=(self.items, len(items)))
        self._values = scipy.sparse.csr_array((values, place), shape=(self.items, len(items)))
        self._counts, self._sums = (one.sum(axis=1)[:, np.newaxis] for one in (self._ones, self._values))
        self._least, self._fraction = float(values.min()), _common_fraction(values, np.bincount(items))
        self._codes = float(np.ptp(values)) * self._fraction + 1

    def correlate(self, sides: Sides) -> list[tuple[float, float]]:
        """Return Spearman's and Pearson's correlation of each split. Parameters: sides, shape (ratings, splits)."""
        first = sides.astype(np.float64)
        counts, sums = self._ones @ first, self._values @ first
        halves = sums / counts, (self._sums - sums) / (self._counts - counts)
        columns = zip(*(np.round(half, DIGITS).T for half in halves), strict=True)
        return [(pearson(self._ranks(one), self._ranks(other)), pearson(one, other)) for one, other in columns]

    def _ranks(self, means: Floats) -> Floats:
        """Return ranks, ties at their mean rank; counted where the means are fractions of few different steps."""
        if not self._codes <= MAXIMUM_CODES:
            return mean_ranks(means)
        codes = np.rint((means - self._least) * self._fraction).astype(np.int64)
        equal = np.bincount(codes)
        return np.asarray((np.cumsum(equal) - (equal - 1) / 2)[codes])


def _common_fraction(values: Floats, numbers: Integers) -> float:
    """Return by what every half's mean, above the least value, becomes a whole number; infinity if it is unknown."""
    points = np.unique(values) - values.min()
    steps = np.rint(points * STEPS).astype(np.int64)
    if not np.allclose(steps, points * STEPS, rtol=0, atol=1e-3) or not steps.any():
        return math.inf
    sizes = {half for number in np.unique(numbers).tolist() for half in (number // 2, number - number // 2)}
    return STEPS / int(np.gcd.reduce(steps)) * math.lcm(*sizes)
