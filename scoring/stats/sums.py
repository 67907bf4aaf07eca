"""Sums over judgments for every item, for many weightings of the judgments at once."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from scoring.stats.choices import Choices, Integers

AnyIntegers = NDArray[Any]


@dataclass(frozen=True, eq=False)
class ItemSums:
    """Two sparse tables of shape (items, units): +1 best and -1 worst, and 1 for each appearance.

    They are stored by column: the weights are then read once and in order, and only the sums, which are fewer, are
    accessed at random. This is five times as fast as by row if the weights exceed the cache.
    """

    difference: Any
    appearances: Any
    greatest: int

    @property
    def units(self) -> int:
        return int(self.appearances.shape[1])

    @property
    def shown(self) -> int:
        """Return the number of items that appear in some judgment."""
        return int((self.appearances.sum(axis=1) > 0).sum())

    def of_items(self, items: Integers) -> "ItemSums":
        """Return the sums of these items, shape (items,), of the same units; of all items, itself."""
        if len(items) == self.appearances.shape[0]:
            return self
        return ItemSums(self.difference[items].tocsc(), self.appearances[items].tocsc(), self.greatest)

    def of(self, weights: AnyIntegers, *, maximum: int = 1) -> tuple[AnyIntegers, AnyIntegers]:
        """Return differences and appearances of the items, shapes (items, weightings), for weights up to `maximum`.

        weights: shape (units, weightings). Sums have the smallest integers that can store them, which saves time.
        """
        narrow = _narrowest(self.greatest * maximum)
        weights = weights.astype(narrow, copy=False)
        return self.difference.astype(narrow) @ weights, self.appearances.astype(narrow) @ weights

    def differences_of(self, weights: AnyIntegers) -> AnyIntegers:
        """Return differences alone, for weights of 0 and 1."""
        narrow = _narrowest(self.greatest)
        return np.asarray(self.difference.astype(narrow) @ weights.astype(narrow, copy=False))


def item_sums(choices: Choices, units: Integers) -> ItemSums:
    """Collect the judgments of each unit (a judgment, a person): units has shape (judgments,)."""
    shape = choices.number, int(units.max()) + 1
    rows, shown = choices.shown()
    signs = np.repeat(np.array([1, -1], np.int32), choices.judgments)
    chosen = np.concatenate([choices.best, choices.worst])
    difference = scipy.sparse.csc_array((signs, (chosen, np.tile(units, 2))), shape=shape)
    appearances = scipy.sparse.csc_array((np.ones(len(shown), np.int32), (shown, units[rows])), shape=shape)
    return ItemSums(difference, appearances, int(appearances.sum(axis=1).max()))


def _narrowest(greatest: int) -> Any:
    """Return the integers for sums of at most `greatest`; no partial sum of choices exceeds the appearances either."""
    return next(kind for kind in (np.int8, np.int16, np.int32, np.int64) if greatest <= np.iinfo(kind).max)
