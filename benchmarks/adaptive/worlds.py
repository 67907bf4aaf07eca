"""Items whose true scores are known, and people who compare or rate them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.planning.tuples.pairs import Tuples
from scoring.stats.choices import Choices

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
SIZE = 4
TOP = 100.0


@dataclass(frozen=True, eq=False)
class World:
    """Items on a scale on which their true scores have the standard deviation 1.

    truth: shape (items,). noise: the standard deviation of what a person perceives of an item at each judgment, shape
    (items,).
    """

    truth: Floats
    noise: Floats
    chance: np.random.Generator

    @property
    def items(self) -> int:
        return len(self.truth)

    def choose(self, tuples: Tuples) -> Choices:
        """Return one choice from each tuple: the best and the worst as a person perceives them."""
        felt = self.truth[tuples] + self.noise[tuples] * self.chance.normal(size=tuples.shape)
        rows = np.arange(len(tuples))
        best, worst = tuples[rows, felt.argmax(axis=1)], tuples[rows, felt.argmin(axis=1)]
        return Choices(tuples, best, worst, rows, None, self.items)

    def rate(self, items: Integers) -> Floats:
        """Return one rating of each of these items on a slider from 0 to 100, where 50 ± 20 is the mean ± 1."""
        felt = self.truth[items] + self.noise[items] * self.chance.normal(size=len(items))
        return np.clip(np.rint(50 + 20 * felt), 0, TOP)


def world(items: int, noise: float, seed: list[int], unequal: float = 0.0) -> World:
    """Return normal true scores; unequal: the standard deviation of the logarithm of the items' noise."""
    chance = np.random.default_rng(seed)
    each = np.exp(unequal * chance.normal(size=items) - unequal**2)
    return World(chance.normal(size=items), noise * each, chance)


def joined(first: Choices, later: Choices) -> Choices:
    """Return all judgments, every one of a tuple of its own."""
    columns = (np.concatenate(pair) for pair in ((first.items, later.items), (first.best, later.best)))
    items, best = columns
    worst = np.concatenate([first.worst, later.worst])
    return Choices(items, best, worst, np.arange(len(items)), None, first.number)
