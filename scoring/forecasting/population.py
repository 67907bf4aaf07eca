"""The items of a collection of ratings and the errors of its raters, as a forecast simulates them."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from annotation.planning.errors import PlanningError
from annotation.protocols.scale import Scale
from scoring.forecasting.forecast import Floats

MAXIMUM_POINTS = 101
"""A finer scale is simulated with this number of points, which changes no reliability that is printed."""
LEVELS = 200
LEAST = 1e-15
"""The least variance; one of zero would be no `Variation`."""
TOLERANCE = 0.002  # of the scale's length, within which a simulated deviation is the known one


@dataclass(frozen=True)
class Variation:
    """What ratings on a scale vary in, in its points: the standard deviation of the items' true means, that of single
    ratings around them, and the mean of all. They are of ratings as people gave them, with the ends and steps of the
    scale.

    Raises:
        PlanningError: a deviation is not a finite number above zero.
    """

    items: float
    ratings: float
    mean: float

    def __post_init__(self) -> None:
        for name, value in (("items", self.items), ("ratings", self.ratings)):
            if not (math.isfinite(value) and value > 0):
                raise PlanningError(
                    "The standard deviation of %(name)s must be greater than zero, but it is %(value)s.",
                    name=name,
                    value=value,
                )

    @classmethod
    def of_means(cls, means: float, ratings: float, people: float, *, mean: float) -> "Variation":
        """Return the variation from the deviation of printed means, which includes that of the ratings behind them."""
        square = means**2 - ratings**2 / people
        return cls(math.sqrt(square) if square > 0 else float("nan"), ratings, mean)


@dataclass(frozen=True, eq=False)
class Population:
    """Items, and raters who perceive the similarity of each with a normal error and give the nearest point of a scale;
    beyond its ends, the end.

    similarities: shape (levels,), in points of the scale. weights: the share of the items at each level. noise: the
    standard deviation of the error. points: shape (points,), equally spaced.
    """

    similarities: Floats
    weights: Floats
    noise: float
    points: Floats

    @cached_property
    def chances(self) -> Floats:
        """Return how likely each point is as a rating of an item; shape (levels, points)."""
        edges = (self.points[1:] + self.points[:-1]) / 2
        below = scipy.special.ndtr((edges - self.similarities[:, np.newaxis]) / self.noise)
        return np.diff(below, axis=1, prepend=0.0, append=1.0)

    @cached_property
    def variation(self) -> Variation:
        """Return what the ratings of these people vary in."""
        means = self.chances @ self.points
        mean = float(self.weights @ means)
        within = float(self.weights @ (self.chances @ self.points**2 - means**2))
        between = float(self.weights @ (means - mean) ** 2)
        return Variation(math.sqrt(max(between, LEAST)), math.sqrt(max(within, LEAST)), mean)

    def sums(self, ratings: int) -> Floats:
        """Return how likely each sum of `ratings` ratings of an item is, counted in steps from the scale's minimum;
        shape (levels, ratings (points - 1) + 1)."""
        length = ratings * (len(self.points) - 1) + 1
        powers = np.fft.rfft(self.chances, length, axis=1) ** ratings
        return np.asarray(np.fft.irfft(powers, length, axis=1).clip(min=0))

    def rate(self, similarities: Floats, generator: np.random.Generator) -> Floats:
        """Return one rating of each item, in points of the scale; the same shape as the similarities."""
        first, step = self.points[0], self.points[1] - self.points[0]
        perceived = similarities + self.noise * generator.normal(size=similarities.shape)
        return np.asarray(first + step * np.clip(np.rint((perceived - first) / step), 0, len(self.points) - 1))


def points_of(scale: Scale) -> Floats:
    """Return the points of a scale, at most `MAXIMUM_POINTS`; shape (points,)."""
    return np.linspace(float(scale.minimum), float(scale.maximum), min(scale.size, MAXIMUM_POINTS))


def population_with(variation: Variation, scale: Scale) -> Population:
    """Return a population whose ratings have this variation on the scale, with similarities of a beta distribution.

    A beta distribution has the scale's two ends, and as wide a spread as ratings on a scale can have: with the
    deviation of Czech News (table 2) it is highest at both ends, which a normal distribution never is.

    Raises:
        PlanningError: no ratings on this scale have this variation.
    """
    points = points_of(scale)
    target, length = np.array([variation.mean, variation.items, variation.ratings]), scale.length

    def distances(place: Floats) -> Floats:
        found = _beta(place, points).variation
        return np.asarray((np.array([found.mean, found.items, found.ratings]) - target) / length)

    start = [
        scipy.special.logit(np.clip((variation.mean - points[0]) / length, 0.02, 0.98)),
        1.0,
        math.log(variation.ratings),
    ]
    bounds = ([-6.0, -3.0, math.log(length / 500)], [6.0, 8.0, math.log(length * 20)])
    fitted = scipy.optimize.least_squares(distances, np.clip(start, *bounds), bounds=bounds)
    if np.abs(fitted.fun).max() > TOLERANCE:
        raise PlanningError(
            "Ratings from %(minimum)s to %(maximum)s with a mean of %(mean)s cannot vary by %(items)s between items "
            "and %(ratings)s within them.",
            minimum=scale.minimum,
            maximum=scale.maximum,
            mean=round(variation.mean, 2),
            items=round(variation.items, 2),
            ratings=round(variation.ratings, 2),
        )
    return _beta(fitted.x, points)


def _beta(place: Floats, points: Floats) -> Population:
    """Return a population by the logit of the mean, the logarithm of a + b, and the logarithm of the noise."""
    mean, both, noise = scipy.special.expit(place[0]), math.exp(place[1]), math.exp(place[2])
    shares = (np.arange(LEVELS) + 0.5) / LEVELS
    similarities = points[0] + (points[-1] - points[0]) * scipy.special.betaincinv(
        both * mean, both * (1 - mean), shares
    )
    return Population(similarities, np.full(LEVELS, 1 / LEVELS), noise, points)
