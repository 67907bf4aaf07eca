"""Coverage of the intervals of independent pairs, of the means of items, and of effects of order."""

from math import sqrt

import numpy as np
import scipy

from benchmarks.coverage.shares import Floats, Shares
from scoring.stats.comparing import FEWEST_PAIRS, confidence_interval
from scoring.stats.correlation import partial, pearson, spearman
from scoring.stats.item_means import QUANTILE, mean_intervals
from scoring.stats.means import Mean, half_width
from scoring.stats.order import slope
from scoring.stats.rank_intervals import spearman_interval

TRUTH = 1_000_000
PAIRS = (10, 15, 20, 30, 64, 300)
KINDS = ("normally distributed", "evenly distributed on a bounded scale")
GAINS = (64, 150, 300)
RATINGS = ((10, 6), (20, 4), (50, 2), (200, 2), (200, 3), (200, 5), (200, 9))
"""Items, and ratings of each."""
ORDERS = ((5, 64), (10, 64), (20, 64))
"""People, and items that all of them rate in orders of their own."""
DRIFT = 0.01


def cover_pairs(pairs: int, kind: str, collections: int, generator: np.random.Generator) -> Shares:
    """Return whether intervals of independent pairs have the true correlations.

    Of three columns of normal values the first has r = .8 with both others; or they are two noisy readings of a
    similarity on a scale from 0 to 6, and a third one.
    """

    def draw(number: int) -> tuple[Floats, Floats, Floats]:
        if kind == KINDS[0]:
            x, *noises = generator.normal(size=(3, number))
            return x, 0.8 * x + 0.6 * noises[0], 0.8 * x + 0.6 * noises[1]
        truth = generator.uniform(0, 6, number)
        first, second, third = (
            np.clip(truth + noise * generator.normal(size=number), 0, 6) for noise in (1.0, 0.7, 0.7)
        )
        return first, second, third

    def left(x: Floats, y: Floats, z: Floats) -> float:
        return partial(pearson(y, z), pearson(x, y), pearson(x, z))

    large, found = draw(TRUTH), Shares()
    r, rho, remaining = pearson(*large[:2]), spearman(*large[:2]), left(*large)
    for _ in range(collections):
        own = draw(pairs)
        linear, ranked = confidence_interval(pearson(*own[:2]), pairs), spearman_interval(*own[:2])
        found.note("Pearson's r, Fisher's z", linear.low <= r <= linear.high)
        found.note("Spearman's ρ, jackknife", ranked.low <= rho <= ranked.high)
        if pairs > FEWEST_PAIRS:
            other = confidence_interval(left(*own), pairs - 1)
            found.note("partial r, Fisher's z", other.low <= remaining <= other.high)
    return found


def cover_gains(pairs: int, collections: int, generator: np.random.Generator) -> Shares:
    """Return whether intervals of a mean have the true one, of exponential gains: most pairs change little."""
    found = Shares()
    for _ in range(collections):
        gain = Mean.of(generator.exponential(size=pairs))
        found.note("mean gain, Student's t", abs(gain.value - 1) <= half_width(gain))
    return found


def cover_means(items: int, ratings: int, collections: int, generator: np.random.Generator) -> Shares:
    """Return the share of the items whose interval has the true mean; some are harder than others, from 0 to 6."""
    points, found = np.arange(7), Shares()
    for _ in range(collections):
        centre, noise = generator.uniform(-0.5, 6.5, (items, 1)), generator.choice([0.5, 1.0, 1.5], (items, 1))
        values = np.clip(np.round(centre + noise * generator.normal(size=(items, ratings))), 0, 6)
        below = scipy.special.ndtr((points[1:] - 0.5 - centre) / noise)
        truth = (1 - below).sum(axis=1)  # the mean of a count is the sum of the chances to exceed
        means, deviations = values.mean(axis=1), values.std(axis=1, ddof=1)
        half = mean_intervals(np.full(items, ratings), deviations)
        alone = scipy.special.stdtrit(ratings - 1, QUANTILE) * deviations / sqrt(ratings)
        found.note("mean of an item", float((np.abs(means - truth) <= half).mean()))
        found.note("mean of an item, assuming Student's t", float((np.abs(means - truth) <= alone).mean()))
    return found


def cover_order(people: int, items: int, collections: int, generator: np.random.Generator) -> Shares:
    """Return whether a slope -+ t errors has the true drift; people are unlike in how much they vary, and drift."""
    found, units = Shares(), np.tile(np.arange(items), people)
    raters, reach = np.repeat(np.arange(people), items), float(scipy.special.stdtrit(people - 1, 0.975))
    for _ in range(collections):
        steps = np.concatenate([generator.permutation(items) for _ in range(people)]).astype(np.float64)
        noise = generator.choice([0.5, 1.0, 1.5], people)[raters] * generator.normal(size=len(units))
        drift = (DRIFT + DRIFT / 4 * generator.normal(size=people))[raters]
        values = np.round(generator.uniform(1, 5, items)[units] + drift * steps + noise)
        own = slope(values, steps, units, raters)
        found.note("effect of order, by annotator", abs(own.estimate - DRIFT) <= reach * own.error)
    return found
