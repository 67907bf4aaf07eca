"""Ratings: forecasts of the reliability of means of several people."""

import math
from collections.abc import Sequence

import numpy as np
import scipy

from annotation.planning.errors import PlanningError
from scoring.forecasting.forecast import MAXIMUM_JUDGMENTS, Floats, Forecast, Range, informative_width
from scoring.forecasting.population import Population
from scoring.stats.correlation import spearman

COLLECTIONS = 100
MAXIMUM_VALUES = 400_000  # items times collections drawn for one forecast
LARGEST = 1 - 1e-9  # correlation, so that Fisher's z exists
DIGITS = 9  # in which equal means are equal


def forecast_ratings(
    populations: Sequence[Population],
    *,
    items: int,
    people: int,
    generator: np.random.Generator,
    collections: int = COLLECTIONS,
) -> Forecast:
    """Return the forecast for `people` ratings of each item.

    Collections are drawn from the first of the populations. Any others are those that simulated pilots suggest: in a
    world where the first one is true, what a collection reaches differs by z(r) - z(f) from what such a pilot
    forecasts, z being Fisher's, and the forecast of the first one is off by as much: tanh(z(f_0) + z(r) - z(f)), for
    every r and f. For many items fewer collections are drawn. The halves are those of a run
    (`scoring.stats.rating_halves`): the ratings of each item are dealt to two halves, and one that is left over goes to
    either.

    Raises:
        PlanningError: there are fewer than two items, or no people.
    """
    if items < 2 or people < 1:
        raise PlanningError("A forecast needs at least two items and one annotator.")
    number = max(2, min(collections, MAXIMUM_VALUES // items))
    drawn = [_collect(populations[0], items, people, generator) for _ in range(number)]
    reliability, truth = (np.array(column) for column in zip(*drawn, strict=True))
    if people > 1:
        reliability = np.tanh(np.add.outer(_fisher(reliability), _offsets(populations, people)).ravel())
    deviation = populations[0].variation.ratings
    half_width = (
        float(scipy.special.stdtrit(people - 1, 0.975)) * deviation / math.sqrt(people) if people > 1 else math.nan
    )
    points = populations[0].points
    width = informative_width(half_width, float(points[-1] - points[0]))
    return Forecast(people, Range.of(reliability), Range.of(truth), width)


def _offsets(populations: Sequence[Population], people: int) -> Floats:
    """Return z(f_0) - z(f) of each population but the first; 0 if there are no others."""
    found = _fisher(np.array([reliability_of(one, people) for one in populations]))
    return found[0] - found[1:] if len(found) > 1 else np.zeros(1)


def _fisher(correlations: Floats) -> Floats:
    return np.arctanh(np.clip(correlations, -LARGEST, LARGEST))


def _collect(population: Population, items: int, people: int, generator: np.random.Generator) -> tuple[float, float]:
    """Return one collection's split-half reliability, NaN for a single person, and correlation with the truth."""
    similarities = generator.choice(population.similarities, items, p=population.weights)
    sums, counts = np.zeros((2, items)), np.zeros((2, items))
    start, every = generator.integers(0, 2, items), np.arange(items)
    for rating in range(people):
        half = (start + rating) % 2
        sums[half, every] += population.rate(similarities, generator)
        counts[half, every] += 1
    means = np.round(sums.sum(axis=0) / people, DIGITS)
    if people == 1:
        return math.nan, spearman(means, similarities)
    first, second = np.round(sums / counts, DIGITS)
    return spearman(first, second), spearman(means, similarities)


def reliability_of(population: Population, people: int) -> float:
    """Return Spearman's correlation between the two halves of `people` ratings, of infinitely many items.

    Ties are at their mean rank, as in a collection; a rating that is left over is in either half.

    Raises:
        PlanningError: there are fewer than two people.
    """
    if people < 2:
        raise PlanningError("Split-half reliability needs at least two annotators.")
    sizes = sorted({people // 2, people - people // 2})
    chances = [population.sums(size) for size in sizes]
    means = np.concatenate([np.arange(one.shape[1]) / size for one, size in zip(chances, sizes, strict=True)])
    shares = np.concatenate([population.weights @ one for one in chances]) / len(sizes)
    ranks = np.split(_mean_ranks(np.round(means, DIGITS), shares), [chances[0].shape[1]])
    expected = [one @ own for one, own in zip(chances, ranks, strict=False)]
    middle = [float(population.weights @ one) for one in expected]
    covariance = population.weights @ (expected[0] * expected[-1]) - np.mean(middle) ** 2
    variance = shares @ np.concatenate(ranks[: len(sizes)]) ** 2 - np.mean(middle) ** 2
    return float(covariance / variance)


def _mean_ranks(values: Floats, shares: Floats) -> Floats:
    """Return the share of all values below each value, and half of the share that equals it."""
    _, codes = np.unique(values, return_inverse=True)
    equal = np.bincount(codes, weights=shares)
    return np.asarray((np.cumsum(equal) - equal / 2)[codes])


def people_for_ratings(populations: Sequence[Population], target: float) -> int | None:
    """Return the fewest ratings of an item whose halves reach the target; None if even `MAXIMUM_JUDGMENTS` do not.

    Parameters: populations, as those of `forecast_ratings`.
    """

    def reached(people: int) -> bool:
        found = _fisher(np.array([reliability_of(populations[0], people)]))
        return bool(np.tanh(found + _offsets(populations, people).mean())[0] >= target)

    if not reached(MAXIMUM_JUDGMENTS):
        return None
    low, high = 1, MAXIMUM_JUDGMENTS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high
