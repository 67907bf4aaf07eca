"""Pairs spread as evenly as a bounded local search finds, for designs whose pairs are few (SemRel2024 3.2).

Each step takes an item out of a pair that stands together too often, looks at every exchange with another tuple in
the same column, and makes the best one, even where it is worse than none (tabu search, Glover 1989). The search ends
where the pairs cannot be more even, or after a number of steps that depends on the size alone, never on the clock.
"""

from math import comb

import numpy as np
from numpy.typing import NDArray

from annotation.planning.tuples.pairs import Numbers, Tuples, other_positions

WORK = 8_000_000  # steps times their cost: about a second
PATIENCE = 20  # steps for each place without a better design, and as many again as the best took, before giving up
STEP = 300  # the fixed cost of a step, in places looked at
TENURE = 10  # steps, and up to as many again by chance, before an item may go back to a tuple that it left
BESIDE_ITSELF = 1 << 20  # cost of an item twice in a tuple: more than any number of repeated pairs
TOO_SOON = 1 << 24  # cost of going back too soon: only where nothing else is left
NEVER = 1 << 30  # an exchange that changes nothing, or makes a tuple twice


def even_out(tuples: Tuples, items: int, generator: np.random.Generator, first: int = 0) -> int:
    """Exchange items of the rows from `first` on, in place, until the pairs are as even as the search finds.

    Needs memory for a matrix of items by items. No exchange makes a tuple twice, and those there are go first.

    Returns: how often two tuples share a pair beyond what the numbers force; far more where an item stands twice in a
        tuple, or a tuple twice in the design.
    """
    search = _Search(tuples, items, generator, first)
    best, lowest, least, end = tuples.copy(), search.cost(), _least_cost(tuples, items), PATIENCE * tuples.size
    for step in range(WORK // (STEP + tuples.size)):
        place = search.pick() if lowest > least and step < end else None
        if place is None:
            break
        search.exchange(*place, step)
        if (cost := search.cost()) < lowest:
            best, lowest, end = tuples.copy(), cost, 2 * step + PATIENCE * tuples.size
    tuples[:] = best
    return lowest - least


def _least_cost(tuples: Tuples, items: int) -> int:
    """The cost where all pairs of items stand together equally often, or once more."""
    pairs = comb(items, 2)
    times, over = divmod(len(tuples) * comb(tuples.shape[1], 2), pairs)
    return pairs * comb(times, 2) + over * times


class _Search:
    """A design, and how often its items stand together."""

    def __init__(self, tuples: Tuples, items: int, generator: np.random.Generator, first: int) -> None:
        self.tuples, self.items, self.first = tuples, items, first
        self.generator = generator
        self.others = other_positions(tuples.shape[1])
        self.left, self.right = np.triu_indices(tuples.shape[1], 1)
        self.keys = self._keys(slice(None))
        self.together = self._count_pairs()
        self.floor = self.keys.size // comb(items, 2)
        self.away_until = np.full((len(tuples), items), -1, dtype=np.int32)
        # Two tuples are the same set where the sums of their items' random marks are the same.
        self.marks = generator.integers(1 << 60, size=items)
        self.sums = self.marks[tuples].sum(axis=1)
        self.twins = self._find_twins()

    def cost(self) -> int:
        """The times that two tuples share a pair of items, and far more for what must not be."""
        shared = int(self.together.ravel()[self.keys].sum()) - self.keys.size
        return shared // 2 + BESIDE_ITSELF * len(self.twins)

    def pick(self) -> tuple[int, int] | None:
        """A row and a column that had better hold another item."""
        if len(self.twins):
            return self._draw(self.twins), self._draw(np.arange(self.tuples.shape[1]))
        keys = self.keys[self.first :]
        excess = self.together.ravel()[keys].ravel() - self.floor
        for much in (excess > BESIDE_ITSELF // 2, excess > 1, (excess == 1) & (self.floor > 0)):
            if len(places := np.flatnonzero(much)):
                row, pair = divmod(self._draw(places), keys.shape[1])
                side = self.left if self.generator.random() < 0.5 else self.right
                return self.first + row, int(side[pair])
        return None

    def exchange(self, row: int, column: int, step: int) -> None:
        """Exchange an item with the best other one of its column, where there is any."""
        scores = self._scores(row, column, step)
        while scores[best := int(scores.argmin())] < NEVER:
            if not self._makes_twins(row, self.first + best, column):
                return self._swap(row, self.first + best, column, step)
            scores[best] = NEVER

    def _scores(self, row: int, column: int, step: int) -> NDArray[np.float64]:
        """The change of cost by each exchange, equals in random order, shape (rows that may change,)."""
        item, rest = self.tuples[row, column], self.tuples[row, self.others[column]]
        others, coming = self.tuples[self.first :, self.others[column]], self.tuples[self.first :, column]
        meets = self.together[item].copy()
        np.subtract.at(meets, rest, 1)  # an item of both tuples meets one of the two in either case
        change = meets[others].sum(axis=1) + self.together[rest].sum(axis=0)[coming]
        change -= (self.together[coming[:, None], others] - 1).sum(axis=1)
        scores: NDArray[np.float64] = change + self.generator.random(len(change))
        away = self.away_until[self.first :, item], self.away_until[row, coming]
        scores[np.maximum(*away) >= step] += TOO_SOON
        scores[coming == item] = NEVER
        return scores

    def _makes_twins(self, row: int, partner: int, column: int) -> bool:
        gain = self.marks[self.tuples[partner, column]] - self.marks[self.tuples[row, column]]
        here, there = self.sums[row] + gain, self.sums[partner] - gain
        return bool(gain) and bool(((self.sums == here) | (self.sums == there)).any() or here == there)

    def _swap(self, row: int, partner: int, column: int, step: int) -> None:
        pair = np.array([row, partner])
        items = self.tuples[pair, column]
        self._add(pair, column, -1)
        self.tuples[pair, column] = items[::-1]
        self._add(pair, column, 1)
        self.keys[pair] = self._keys(pair)
        self.sums[pair] = self.marks[self.tuples[pair]].sum(axis=1)
        self.away_until[pair, items] = step + TENURE + int(TENURE * self.generator.random())
        if len(self.twins):
            self.twins = self._find_twins()

    def _add(self, rows: Numbers, column: int, times: int) -> None:
        """Count the pairs of the items in that column."""
        items, others = self.tuples[rows, column][:, None], self.tuples[rows][:, self.others[column]]
        np.add.at(self.together, (items, others), times)
        np.add.at(self.together, (others, items), times)

    def _count_pairs(self) -> Numbers:
        """How often two items stand together, shape (items, items); on the diagonal the cost of an item twice."""
        together = np.zeros((self.items, self.items), dtype=np.int64)
        np.add.at(together.ravel(), self.keys, 1)
        together += together.T
        together[np.diag_indices(self.items)] += BESIDE_ITSELF
        return together

    def _keys(self, rows: slice | Numbers) -> Numbers:
        """Each pair of each tuple as a place in the flat matrix."""
        tuples = self.tuples[rows]
        keys: Numbers = tuples[:, self.left] * self.items + tuples[:, self.right]
        return keys

    def _find_twins(self) -> Numbers:
        """The rows that may change and hold the same items as an earlier row."""
        _, standing = np.unique(self.sums, return_index=True)
        twins = np.setdiff1d(np.arange(len(self.sums)), standing)
        return twins[twins >= self.first]

    def _draw(self, numbers: Numbers) -> int:
        return int(numbers[int(self.generator.random() * len(numbers))])
