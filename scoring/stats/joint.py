"""Spearman's and Pearson's correlation between the scores of two halves, from counts of the few possible scores.

A score is a fraction of small integers, so thousands of items share some hundred scores. Ranks come from how many items
have each score, without sorting, and are exact: multiples of one half.
"""

import numpy as np
import scipy
from numpy.typing import NDArray

from scoring.stats.choices import Floats, Integers
from scoring.stats.sums import ItemSums

Sides = NDArray[np.int8]
Correlations = tuple[Integers, Floats, Floats]

MAXIMUM_CELLS = 20_000
TABLE_LIMIT = 180


class CellCounts:
    """Counts for splits that show every item equally often in both halves: in half of its appearances.

    A cell is a pair of scores. An item with h appearances a half and total difference D gives (a / h, (D - a) / h),
    where only a, its difference in the first half, depends on the split: its cell is its own number plus a.
    """

    def __init__(self, sums: ItemSums) -> None:
        appearances = np.asarray(sums.appearances.sum(axis=1)) // 2
        totals = np.asarray(sums.difference.sum(axis=1))
        self.items = np.flatnonzero(appearances)
        self.sums = sums
        classes, members = np.unique(np.stack([appearances, totals])[:, self.items], axis=1, return_inverse=True)
        shown, total = classes
        lowest = np.maximum(-shown, total - shown)
        widths = 2 * shown + 1 - np.abs(total)
        starts = np.cumsum(widths) - widths
        self.number = int(widths.sum())
        self.compact = self.number <= max(MAXIMUM_CELLS, len(self.items))
        self.first_cells = (starts - lowest)[members.ravel()]
        cell_shown = np.repeat(shown, widths)
        first = np.arange(self.number) + np.repeat(lowest - starts, widths)
        self.first = _Marginal(first / cell_shown)
        self.second = _Marginal((np.repeat(total, widths) - first) / cell_shown)

    def correlate(self, sides: Sides) -> Correlations:
        """Return the items compared, Spearman's and Pearson's, shapes (splits,), for sides of shape (units, splits)."""
        differences = np.ascontiguousarray(self.sums.differences_of(sides)[self.items].T)
        counts = np.empty((len(differences), self.number))
        for row, difference in zip(counts, differences, strict=True):
            row[:] = np.bincount(self.first_cells + difference, minlength=self.number)
        items = np.full(len(counts), float(len(self.items)))
        ranks, scores = (_moments(self.first, self.second, counts, ranked=ranked) for ranked in (True, False))
        return _correlations(items, ranks, scores)


class _Marginal:
    """The scores of one half: values, shape (scores,), and the score of each cell, shape (cells,)."""

    def __init__(self, scores: Floats) -> None:
        self.values, self.codes = np.unique(scores, return_inverse=True)
        cells = np.arange(len(scores))
        self._of_cell = scipy.sparse.csr_array((np.ones(len(scores)), (self.codes, cells)))

    def counts(self, cells: Floats) -> Floats:
        """Return items with each score, shape (splits, scores), from those in each cell, shape (splits, cells)."""
        return np.asarray((self._of_cell @ cells.T).T)


def _moments(first: _Marginal, second: _Marginal, cells: Floats, *, ranked: bool) -> list[Floats]:
    """Return sums of products and of squares for each split, shapes (splits,), from the items in each cell."""
    centred, squares = [], []
    for half in (first, second):
        counts = half.counts(cells)
        deviations = _rank_deviations(counts) if ranked else _deviations(half.values, counts)
        centred.append(np.take(deviations, half.codes, axis=1))
        squares.append((counts * deviations**2).sum(axis=1))
    return [np.einsum("sc,sc,sc->s", cells, *centred), *squares]


class ItemCodes:
    """Codes for splits in which the appearances differ too: each item's pair of fractions is looked up as codes.

    Beyond `TABLE_LIMIT` appearances the table would be larger than the data. Items shown more often, such as gold
    questions, are few: their scores are sorted in among those of the table.
    """

    def __init__(self, sums: ItemSums) -> None:
        appearances = np.asarray(sums.appearances.sum(axis=1))
        differences = np.asarray(sums.difference.sum(axis=1))
        often = appearances > TABLE_LIMIT
        self.light, self.heavy = np.flatnonzero((appearances > 0) & ~often), np.flatnonzero(often)
        self.sums = sums
        self.table = _FractionTable(int(appearances[self.light].max(initial=0)))
        self.whole = self.table.keys(differences[self.light], appearances[self.light]) + self.table.zero
        self.heavy_totals = differences[self.heavy], appearances[self.heavy]

    def correlate(self, sides: Sides) -> Correlations:
        """Return the items compared, Spearman's and Pearson's, shapes (splits,), for sides of shape (units, splits)."""
        halves = zip(*(np.ascontiguousarray(sums.T) for sums in self.sums.of(sides)), strict=True)
        compared = self._compare_with_heavy if len(self.heavy) else self._compare_light
        sums = np.array([compared(difference, appearance) for difference, appearance in halves])
        return _correlations(sums[:, 0], list(sums[:, 1:4].T), list(sums[:, 4:].T))

    def _light_codes(self, difference: Integers, appearance: Integers) -> tuple[Integers, Integers]:
        first = self.table.keys(difference.take(self.light), appearance.take(self.light))
        # Keys are linear, so what the first half leaves is the second half.
        return self.table.codes.take(first), self.table.codes.take(self.whole - first)

    def _compare_light(self, difference: Integers, appearance: Integers) -> list[float]:
        left, right = self._light_codes(difference, appearance)
        return _compare(left, right, self.table.values, self.table.values)

    def _compare_with_heavy(self, difference: Integers, appearance: Integers) -> list[float]:
        differences, appearances = self.heavy_totals
        heavy = difference[self.heavy].astype(np.int64), appearance[self.heavy].astype(np.int64)
        rest = differences - heavy[0], appearances - heavy[1]
        left, right = self._light_codes(difference, appearance)
        (left, values), (right, right_values) = self.table.sort_in(left, *heavy), self.table.sort_in(right, *rest)
        return _compare(left, right, values, right_values)


class _FractionTable:
    """Codes of all fractions d / n with abs(d) <= n <= greatest: equal fractions, equal codes, in their order.

    codes: by key, with the number of values for n = 0, which has no fraction.
    """

    def __init__(self, greatest: int) -> None:
        self.width, self.zero = 2 * greatest + 1, greatest
        numerators, denominators = np.arange(-greatest, greatest + 1), np.arange(greatest + 1)[:, None]
        real = np.abs(numerators) <= denominators
        real[0] = False
        scores = np.where(real, numerators / np.maximum(denominators, 1), np.inf)
        # Division rounds equal fractions to the same number and, with such small terms, no others.
        values, codes = np.unique(scores, return_inverse=True)
        self.values, self.codes = values[:-1], codes.ravel()

    def keys(self, difference: Integers, appearance: Integers) -> Integers:
        keys = np.multiply(appearance, self.width, dtype=np.int64)
        keys += difference
        keys += self.zero
        return keys

    def sort_in(self, codes: Integers, differences: Integers, appearances: Integers) -> tuple[Integers, Floats]:
        """Return codes of items of the table, then of others, and their common values."""
        shown = appearances > 0
        scores = np.divide(differences, appearances, out=np.full(len(shown), np.inf), where=shown)
        values, places = np.unique(np.concatenate([self.values, [np.inf], scores]), return_inverse=True)
        return np.concatenate([places.take(codes), places[len(self.values) + 1 :]]), values[:-1]


def _compare(left: Integers, right: Integers, values: Floats, right_values: Floats) -> list[float]:
    """Return the number of items compared, then the sums of products and of squares of ranks and of scores.

    one, other: shape (items,), the codes of the items in each half; values, others: the values of the codes. The code
    after the last is that of an item the half does not show.
    """
    if max(left.max() - len(values), right.max() - len(right_values)) == 0:
        both = (left < len(values)) & (right < len(right_values))
        left, right = left[both], right[both]
    if len(left) < 2:
        return [len(left)] + 6 * [0.0]
    counts = np.bincount(left, minlength=len(values)), np.bincount(right, minlength=len(right_values))
    ranks = [_rank_deviations(number) for number in counts]
    scores = [_deviations(*half) for half in zip((values, right_values), counts, strict=True)]
    sums: list[float] = [len(left)]
    for first, second in (ranks, scores):
        products = first.take(left) @ second.take(right)
        sums += [float(products), float(counts[0] @ first**2), float(counts[1] @ second**2)]
    return sums


def _rank_deviations(counts: NDArray[np.float64 | np.int64]) -> Floats:
    """Return each score's mean rank less the mean of all, from the items with each score, shape (..., scores)."""
    through = np.cumsum(counts, axis=-1)
    return np.asarray(through - counts / 2 - through[..., -1:] / 2)


def _deviations(values: Floats, counts: NDArray[np.float64 | np.int64]) -> Floats:
    """Return each score less the mean of all, from the items with each score, shape (..., scores)."""
    return np.asarray(values - (counts @ values / counts.sum(axis=-1))[..., None])


def _correlations(items: Floats, ranks: list[Floats], scores: list[Floats]) -> Correlations:
    """Return Spearman's and Pearson's r from sums of products and squares; NaN if a half does not vary.

    Sums of ranks are exact, so they show that; sums of scores may have a rounding error if all are equal.
    """
    varied = (ranks[1] > 0) & (ranks[2] > 0)
    spearman, pearson = (
        np.divide(product, np.sqrt(first) * np.sqrt(second), out=np.full(len(items), np.nan), where=varied)
        for product, first, second in (ranks, scores)
    )
    return items.astype(np.int64), np.clip(spearman, -1, 1), np.clip(pearson, -1, 1)
