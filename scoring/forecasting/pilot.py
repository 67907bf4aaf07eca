"""The population behind a pilot: how the similarities of its items are distributed, and how its raters err."""

import math
from dataclasses import dataclass, replace

import numpy as np
import scipy

from scoring.forecasting.forecast import Floats
from scoring.forecasting.population import Population
from scoring.stats.choices import Integers

LEVELS = 81
BEYOND = 1.5  # in errors: how far similarities reach beyond the scale's ends
ROUNDS, STEPS = 4, 10
SMOOTHING = 0.25  # what a level gives to each of its neighbours in a step
RESAMPLES = 40
SMOOTHED = 20
LEAST = 1e-12  # chance of a sum, so that a logarithm exists


@dataclass(frozen=True, eq=False)
class Pilot:
    """The rated items of a pilot: mean, standard deviation (n - 1; NaN of a single rating) and number of the ratings
    of each; shapes (items,)."""

    means: Floats
    deviations: Floats
    numbers: Integers

    @property
    def within(self) -> float:
        """Return the pooled standard deviation of ratings around the means of their items; NaN if none has two."""
        weights = np.where(np.isnan(self.deviations), 0, self.numbers - 1)
        if not weights.any():
            return math.nan
        return float(np.sqrt(np.average(np.nan_to_num(self.deviations) ** 2, weights=weights)))

    @property
    def between(self) -> float:
        """Return the variance of the items' true means: that of their means, less what comes from their ratings."""
        if len(self.means) < 2:
            return math.nan
        return float(self.means.var(ddof=1) - self.within**2 * (1 / self.numbers).mean())


def populations_of(pilot: Pilot, points: Floats, generator: np.random.Generator) -> list[Population]:
    """Return the population behind a pilot, and those that pilots simulated from it would suggest.

    How much these differ tells how far off the first one may be (the parametric bootstrap; Efron and Tibshirani 1993,
    6.5). An estimated distribution is smoother than the true one, so simulated pilots of as many items would differ too
    little: they have `SMOOTHED` items fewer, at least half (`benchmarks.forecasts` shows how often forecasts hold).

    Parameters: points, of the scale, shape (points,). The pilot has items with two ratings, and ratings that differ.
    """
    found = population_of(pilot, points)
    items = max(len(pilot.numbers) - SMOOTHED, len(pilot.numbers) // 2, 2)
    numbers = (generator.permutation(pilot.numbers)[:items] for _ in range(RESAMPLES))
    samples = (_simulated(found, own, generator) for own in numbers)
    return [found, *(population_of(sample, points) for sample in samples if sample.within > 0)]


def _simulated(population: Population, numbers: Integers, generator: np.random.Generator) -> Pilot:
    """Return a pilot of this population with as many ratings of each item."""
    similarities = generator.choice(population.similarities, len(numbers), p=population.weights)
    each = np.broadcast_to(similarities[:, np.newaxis], (len(numbers), int(numbers.max())))
    given = np.arange(each.shape[1]) < numbers[:, np.newaxis]
    ratings = np.where(given, population.rate(each, generator), 0)
    means = ratings.sum(axis=1) / numbers
    squares = np.where(given, (ratings - means[:, np.newaxis]) ** 2, 0).sum(axis=1)
    deviations = np.sqrt(np.divide(squares, numbers - 1, out=np.full(len(numbers), np.nan), where=numbers > 1))
    return Pilot(means, deviations, numbers)


def population_of(pilot: Pilot, points: Floats) -> Population:
    """Return the population with the pilot's variation within items, by maximum likelihood of the means of its items.

    No form of the distribution is assumed (Laird 1978): each step of the EM algorithm makes the shares of the levels
    what the means of the items tell of them, and smooths them, so that few items do not make separate clusters
    (Silverman et al. 1990). After some steps the noise is fitted again to the variation within items.
    """
    within, reach = pilot.within, BEYOND * pilot.within
    levels = np.linspace(points[0] - reach, points[-1] + reach, LEVELS)
    found = Population(levels, np.full(LEVELS, 1 / LEVELS), within, points)
    sums = np.rint((pilot.means - points[0]) * pilot.numbers / (points[1] - points[0])).astype(np.int64)
    for _ in range(ROUNDS):
        found = _with_noise(_with_weights(found, sums, pilot.numbers), within)
    return found


def _with_weights(population: Population, sums: Integers, numbers: Integers) -> Population:
    """Return the population with the shares of levels that sums of ratings of the items make likely."""
    likelihood = np.empty((LEVELS, len(sums)))
    for number in np.unique(numbers).tolist():
        rows = numbers == number
        likelihood[:, rows] = np.maximum(population.sums(number)[:, sums[rows]], LEAST)
    weights = population.weights
    for _ in range(STEPS):
        weights = _smoothed(weights * (likelihood @ (1 / (weights @ likelihood))))
    return replace(population, weights=weights)


def _smoothed(weights: Floats) -> Floats:
    padded = np.pad(weights, 1, mode="edge")
    smooth = (1 - 2 * SMOOTHING) * weights + SMOOTHING * (padded[2:] + padded[:-2])
    return np.asarray(smooth / smooth.sum())


def _with_noise(population: Population, within: float) -> Population:
    """Return the population with the noise whose ratings vary this much within items."""

    def distance(noise: float) -> float:
        return (replace(population, noise=math.exp(noise)).variation.ratings - within) ** 2

    middle = math.log(population.noise)
    return replace(population, noise=math.exp(scipy.optimize.minimize_scalar(distance, (middle - 0.3, middle + 0.3)).x))
