"""Sums over judgments for every item, for many weightings of the judgments at once."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from scoring.stats.choices import Choices, Integers

AnyIntegers = NDArray[Any]


@dataclass(frozen=True, eq=False)
class ItemSums:
    """Two sparse tables of shape (items, units): +1 best and -1 worst, and 1 for each appearance.

    Held by column: the weights are then read once and in order, and only the sums, which are fewer, are met at random.
    Five times as fast as by row where the weights exceed the cache.
    """

    difference: Any
    appearances: Any
    greatest: int

    @property
    def units(self) -> int:
        return int(self.appearances.shape[1])

    def of(self, weights: AnyIntegers, *, most: int = 1) -> tuple[AnyIntegers, AnyIntegers]:
        """Differences and appearances of the items, shapes (items, weightings), for weights up to `most`.

        weights: shape (units, weightings). Sums come in the smallest integers that hold them: time is bytes here.
        """
        narrow = _narrowest(self.greatest * most)
        weights = weights.astype(narrow, copy=False)
        return self.difference.astype(narrow) @ weights, self.appearances.astype(narrow) @ weights

    def differences_of(self, weights: AnyIntegers) -> AnyIntegers:
        """Differences alone, for weights of 0 and 1."""
        narrow = _narrowest(self.greatest)
        return np.asarray(self.difference.astype(narrow) @ weights.astype(narrow, copy=False))


def item_sums(choices: Choices, units: Integers) -> ItemSums:
    """Collect the judgments of each unit (a judgment, a person): units has shape (judgments,)."""
    shape = choices.number, int(units.max()) + 1
    rows, shown = choices.shown()
    signs = np.repeat([1, -1], choices.judgments)
    chosen = np.concatenate([choices.best, choices.worst])
    difference = sparse.csc_array((signs, (chosen, np.tile(units, 2))), shape=shape)
    appearances = sparse.csc_array((np.ones(len(shown), np.int64), (shown, units[rows])), shape=shape)
    return ItemSums(difference, appearances, int(appearances.sum(axis=1).max()))


def _narrowest(greatest: int) -> Any:
    """The integers for sums of at most `greatest`; no partial sum of choices exceeds the appearances either."""
    return next(kind for kind in (np.int8, np.int16, np.int32, np.int64) if greatest <= np.iinfo(kind).max)
