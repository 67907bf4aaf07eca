"""Ratings: how reliable means of several people will be."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from scoring.forecasting.forecast import MOST_JUDGMENTS, Floats, Forecast, Range
from scoring.stats.correlation import spearman

COLLECTIONS = 100
MOST_VALUES = 400_000  # items times collections drawn for one forecast


@dataclass(frozen=True)
class Variation:
    """Standard deviations in points of the scale: of the items' true means, and of single ratings around them.

    Raises:
        ValueError: one of them is not a finite number above zero.
    """

    items: float
    ratings: float

    def __post_init__(self) -> None:
        for name, value in (("items", self.items), ("ratings", self.ratings)):
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"The standard deviation of {name} must be above zero; it is {value}.")

    @classmethod
    def of_means(cls, means: float, ratings: float, people: float) -> "Variation":
        """From the deviation of printed means, which holds that of the ratings that they were made of."""
        square = means**2 - ratings**2 / people
        return cls(math.sqrt(square) if square > 0 else float("nan"), ratings)


def correlation_of_halves(variation: Variation, one: int, other: int) -> float:
    """Pearson's correlation between means of `one` and of `other` ratings, of endless items (Spearman; Brown 1910)."""
    true = variation.items**2
    noise = variation.ratings**2
    return true / math.sqrt((true + noise / one) * (true + noise / other))


def forecast_ratings(
    variation: Variation, *, items: int, people: int, generator: np.random.Generator, collections: int = COLLECTIONS
) -> Forecast:
    """What `people` ratings of each item will reach.

    True means and ratings are drawn from normal distributions, without the ends and steps of a scale. Of many items
    fewer collections are drawn.

    Raises:
        ValueError: fewer than two items, or no people.
    """
    if items < 2 or people < 1:
        raise ValueError("A forecast needs at least two items and one person.")
    number = max(2, min(collections, MOST_VALUES // items))
    true = generator.normal(0, variation.items, (number, items))
    one, other = people // 2, people - people // 2
    second = true + _noise(variation, other, generator, true)
    if not one:
        return Forecast(people, Range.of(np.full(1, np.nan)), Range.of(_correlations(second, true)), float("nan"))
    first = true + _noise(variation, one, generator, true)
    means = (first * one + second * other) / people
    half_width = float(stats.t.ppf(0.975, people - 1)) * variation.ratings / math.sqrt(people)
    return Forecast(people, Range.of(_correlations(first, second)), Range.of(_correlations(means, true)), half_width)


def people_for_ratings(variation: Variation, target: float) -> int | None:
    """The fewest ratings of an item whose halves correlate so much; None where even `MOST_JUDGMENTS` do not."""
    for people in range(2, MOST_JUDGMENTS + 1):
        if correlation_of_halves(variation, people // 2, people - people // 2) >= target:
            return people
    return None


def _noise(variation: Variation, people: int, generator: np.random.Generator, like: Floats) -> Floats:
    """The error of a mean of so many ratings."""
    return generator.normal(0, variation.ratings / math.sqrt(people), like.shape)


def _correlations(one: Floats, other: Floats) -> Floats:
    return np.array([spearman(a, b) for a, b in zip(one, other, strict=True)])
