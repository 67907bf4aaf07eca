"""A bounded local search for pairs as even as possible, for designs with few possible pairs (SemRel2024 3.2).

Each step takes an item out of a pair that occurs too often, evaluates every exchange with another tuple in the same
column, and makes the best one, even if it is worse than none (tabu search, Glover 1989). The search ends when the
pairs cannot be more even, or after a number of steps that depends on the size alone, never on the clock.
"""

from math import comb

import numpy as np
from numpy.typing import NDArray

from annotation.planning.tuples.pairs import Numbers, Tuples, other_positions

WORK = 8_000_000  # steps times their cost: about a second
PATIENCE = 20  # steps for each place without a better design, and as many again as the best took, before giving up
STEP = 300  # the fixed cost of a step, in places evaluated
TENURE = 10  # steps, and up to as many again at random, before an item may go back to a tuple that it left
REPEATED_ITEM = 1 << 20  # cost of an item twice in a tuple: more than any number of repeated pairs
TABU = 1 << 24  # cost of going back too soon: only if nothing else is left
NEVER = 1 << 30  # an exchange that changes nothing, or repeats a tuple


def even_out(tuples: Tuples, items: int, generator: np.random.Generator, first: int = 0) -> int:
    """Exchange items of the rows from `first` on, in place, until the pairs are as even as the search finds.

    The search needs memory for a matrix of items by items. No exchange repeats a tuple; repeated tuples go first.

    Returns: how often two tuples share a pair beyond what the numbers force; far more if an item is twice in a tuple,
        or a tuple twice in the design.
    """
    search = _Search(tuples, items, generator, first)
    best, lowest, minimum, end = tuples.copy(), search.cost(), _minimum_cost(tuples, items), PATIENCE * tuples.size
    for step in range(WORK // (STEP + tuples.size)):
        place = search.pick() if lowest > minimum and step < end else None
        if place is None:
            break
        search.exchange(*place, step)
        if (cost := search.cost()) < lowest:
            best, lowest, end = tuples.copy(), cost, 2 * step + PATIENCE * tuples.size
    tuples[:] = best
    return lowest - minimum


def _minimum_cost(tuples: Tuples, items: int) -> int:
    """Return the cost if all pairs of items occur together equally often, or once more."""
    pairs = comb(items, 2)
    times, over = divmod(len(tuples) * comb(tuples.shape[1], 2), pairs)
    return pairs * comb(times, 2) + over * times


class _Search:
    """A design, and how often its items occur together."""

    def __init__(self, tuples: Tuples, items: int, generator: np.random.Generator, first: int) -> None:
        self.tuples, self.items, self.first = tuples, items, first
        self.generator = generator
        self.others = other_positions(tuples.shape[1])
        self.left, self.right = np.triu_indices(tuples.shape[1], 1)
        self.keys = self._keys(slice(None))
        self.joint = self._count_pairs()
        self.floor = self.keys.size // comb(items, 2)
        self.tabu_until = np.full((len(tuples), items), -1, dtype=np.int32)
        # Two tuples are the same set if the sums of their items' random marks are the same.
        self.marks = generator.integers(1 << 60, size=items)
        self.sums = self.marks[tuples].sum(axis=1)
        self.twins = self._find_twins()

    def cost(self) -> int:
        """Return how often two tuples share a pair of items; an item or a tuple that is repeated adds far more."""
        shared = int(self.joint.ravel()[self.keys].sum()) - self.keys.size
        return shared // 2 + REPEATED_ITEM * len(self.twins)

    def pick(self) -> tuple[int, int] | None:
        """Return the row and column of an item to exchange; None if nothing should be exchanged."""
        if len(self.twins):
            return self._draw(self.twins), self._draw(np.arange(self.tuples.shape[1]))
        keys = self.keys[self.first :]
        excess = self.joint.ravel()[keys].ravel() - self.floor
        for mask in (excess > REPEATED_ITEM // 2, excess > 1, (excess == 1) & (self.floor > 0)):
            if len(places := np.flatnonzero(mask)):
                row, pair = divmod(self._draw(places), keys.shape[1])
                side = self.left if self.generator.random() < 0.5 else self.right
                return self.first + row, int(side[pair])
        return None

    def exchange(self, row: int, column: int, step: int) -> None:
        """Exchange an item with the best other one of its column, if there is any."""
        scores = self._scores(row, column, step)
        while scores[best := int(scores.argmin())] < NEVER:
            if not self._makes_twins(row, self.first + best, column):
                return self._swap(row, self.first + best, column, step)
            scores[best] = NEVER

    def _scores(self, row: int, column: int, step: int) -> NDArray[np.float64]:
        """Return the change of cost by each exchange, ties in random order, shape (rows that may change,)."""
        item, rest = self.tuples[row, column], self.tuples[row, self.others[column]]
        others, incoming = self.tuples[self.first :, self.others[column]], self.tuples[self.first :, column]
        meets = self.joint[item].copy()
        np.subtract.at(meets, rest, 1)  # an item of both tuples meets one of the two in either case
        change = meets[others].sum(axis=1) + self.joint[rest].sum(axis=0)[incoming]
        change -= (self.joint[incoming[:, None], others] - 1).sum(axis=1)
        scores: NDArray[np.float64] = change + self.generator.random(len(change))
        tabu = self.tabu_until[self.first :, item], self.tabu_until[row, incoming]
        scores[np.maximum(*tabu) >= step] += TABU
        scores[incoming == item] = NEVER
        return scores

    def _makes_twins(self, row: int, partner: int, column: int) -> bool:
        gain = self.marks[self.tuples[partner, column]] - self.marks[self.tuples[row, column]]
        left, right = self.sums[row] + gain, self.sums[partner] - gain
        return bool(gain) and bool(((self.sums == left) | (self.sums == right)).any() or left == right)

    def _swap(self, row: int, partner: int, column: int, step: int) -> None:
        pair = np.array([row, partner])
        items = self.tuples[pair, column]
        self._add(pair, column, -1)
        self.tuples[pair, column] = items[::-1]
        self._add(pair, column, 1)
        self.keys[pair] = self._keys(pair)
        self.sums[pair] = self.marks[self.tuples[pair]].sum(axis=1)
        self.tabu_until[pair, items] = step + TENURE + int(TENURE * self.generator.random())
        if len(self.twins):
            self.twins = self._find_twins()

    def _add(self, rows: Numbers, column: int, times: int) -> None:
        """Add `times` to the count of each pair of the items in that column."""
        items, others = self.tuples[rows, column][:, None], self.tuples[rows][:, self.others[column]]
        np.add.at(self.joint, (items, others), times)
        np.add.at(self.joint, (others, items), times)

    def _count_pairs(self) -> Numbers:
        """Return how often items occur together, shape (items, items); on the diagonal the cost of an item twice."""
        joint = np.zeros((self.items, self.items), dtype=np.int64)
        np.add.at(joint.ravel(), self.keys, 1)
        joint += joint.T
        joint[np.diag_indices(self.items)] += REPEATED_ITEM
        return joint

    def _keys(self, rows: slice | Numbers) -> Numbers:
        """Return each pair of each tuple as a place in the flat matrix."""
        tuples = self.tuples[rows]
        keys: Numbers = tuples[:, self.left] * self.items + tuples[:, self.right]
        return keys

    def _find_twins(self) -> Numbers:
        """Return the rows that may change and hold the same items as an earlier row."""
        _, originals = np.unique(self.sums, return_index=True)
        twins = np.setdiff1d(np.arange(len(self.sums)), originals)
        return twins[twins >= self.first]

    def _draw(self, numbers: Numbers) -> int:
        return int(numbers[int(self.generator.random() * len(numbers))])
