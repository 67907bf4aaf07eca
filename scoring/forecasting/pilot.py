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

    def resampled(self, generator: np.random.Generator) -> "Pilot":
        """Return as many of the items, drawn with replacement."""
        rows = generator.integers(0, len(self.means), len(self.means))
        return Pilot(self.means[rows], self.deviations[rows], self.numbers[rows])


def populations_of(pilot: Pilot, points: Floats, generator: np.random.Generator) -> list[Population]:
    """Return the population behind a pilot, and behind resamples of its items: their differences tell how little the
    pilot says.

    Parameters: points, of the scale, shape (points,). The pilot has items with two ratings, and ratings that differ.
    """
    found = population_of(pilot, points)
    samples = (pilot.resampled(generator) for _ in range(RESAMPLES))
    return [found, *(population_of(sample, points) for sample in samples if sample.within > 0)]


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
