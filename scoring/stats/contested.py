"""Items with the distribution of their answers, and whether people disagree about them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.stats.choices import Choices
from scoring.stats.distributions import (
    LEVEL,
    Bimodality,
    Levels,
    bimodality,
    choice_counts,
    contested_choices,
    contested_ratings,
    even_deviation,
    level_counts,
    normalised_entropy,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]


@dataclass(frozen=True)
class Steps:
    """The scale of ratings: its ends and the step between two values."""

    minimum: float
    maximum: float
    step: float

    @property
    def levels(self) -> Levels:
        return Levels.of(self.minimum, self.maximum, self.step)

    @property
    def even_deviation(self) -> float:
        """Return the standard deviation of answers that are spread evenly over all values."""
        return even_deviation(self.minimum, self.maximum, self.step)


@dataclass(frozen=True, eq=False)
class JudgedItems:
    """The judged items. places: their indexes, ascending. counts: by level, shape (items, levels). entropy: normalised.
    contested: 1, 0, or NaN with fewer than five judgments. All other shapes are (items,)."""

    places: Integers
    counts: Integers
    entropy: Floats
    contested: Floats

    @property
    def judgments(self) -> Integers:
        """Return how often each item was judged."""
        return np.asarray(self.counts.sum(axis=1))


@dataclass(frozen=True, eq=False)
class RatedItems(JudgedItems):
    """Rated items. deviations: with n - 1, NaN for a single rating. tested: Hartigan's dip test of each."""

    means: Floats
    deviations: Floats
    tested: Bimodality
    even: float

    @property
    def by_spread(self) -> Booleans:
        """Return which contested items are as wide as answers spread evenly over the scale."""
        return np.asarray((self.contested == 1) & (self.deviations >= self.even))

    @property
    def by_modes(self) -> Booleans:
        """Return which contested items have more than one mode at a false discovery rate of 5 %."""
        with np.errstate(invalid="ignore"):
            return np.asarray((self.contested == 1) & (self.tested.adjusted <= LEVEL))


def describe_ratings(items: Integers, values: Floats, scale: Steps) -> RatedItems:
    """Return the distribution of the ratings of each item, tested for more than one mode.

    Parameters: items, from 0, and values on the scale, without NaN; shape (ratings,), in any order.
    """
    order = np.argsort(items, kind="stable")
    places, starts, index = np.unique(items[order], return_index=True, return_inverse=True)
    answers = np.split(values[order], starts[1:]) if len(places) else []
    counts = level_counts(scale.levels, index, values[order], len(places))
    tested = bimodality(answers, scale.step)
    deviations = np.array([own.std(ddof=1) if len(own) > 1 else np.nan for own in answers], dtype=np.float64)
    return RatedItems(
        places=places,
        counts=counts,
        entropy=normalised_entropy(counts),
        contested=contested_ratings(counts.sum(axis=1), deviations, tested.adjusted, scale.even_deviation),
        means=np.array([own.mean() for own in answers], dtype=np.float64),
        deviations=deviations,
        tested=tested,
        even=scale.even_deviation,
    )


def describe_choices(choices: Choices) -> JudgedItems:
    """Return how often each item was best, neither and worst, for the items shown in a valid choice."""
    counts = choice_counts(choices)
    judged = counts.sum(axis=1) > 0
    contested = contested_choices(choices, counts)
    return JudgedItems(np.flatnonzero(judged), counts[judged], normalised_entropy(counts)[judged], contested[judged])
