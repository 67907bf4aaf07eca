"""Correlations with their 95 % confidence intervals and p-values, and means with their intervals.

Intervals of correlations by Fisher's r-to-z assume that their rows are independent of each other. The ratings of an
item are not, nor are those of a person: intervals of agreement are by resampling items, or people and items, and those
of an average rater by leaving items out. There is no interval where so few values do not give it the stated coverage
(`benchmarks.coverage`).
"""

from collections.abc import Mapping
from math import nan

import numpy as np

from scoring.stats.agreement import agreement
from scoring.stats.average_rater import FEWEST_ITEMS, average_rater
from scoring.stats.comparing import FEWEST_PAIRS, Interval, confidence_interval
from scoring.stats.correlation import spearman
from scoring.stats.intervals import (
    FEWEST_PEOPLE,
    FEWEST_UNITS,
    TestedCorrelation,
    correlations_of_repeats,
    correlations_with_intervals,
)
from scoring.stats.means import Mean, half_width
from scoring.stats.missing import complete
from scoring.stats.rank_intervals import FEWEST_ROWS, spearman_interval
from scoring.stats.significance import Significance, significance
from scoring.summaries.parameters import Parameters
from scoring.summaries.tables import Floats, Integers, Ratings
from scoring.summaries.undefined import Result, told

LEAST = 4  # rows, of comparisons by Fisher's r-to-z
FEWEST_VALUES = 64  # of a mean: with fewer, intervals of skewed values have the true mean in 90 to 93 % of collections
UNDEFINED_R = "the correlation is not defined, is 1 or -1, or is based on fewer than"
NO_INTERVAL = f"{UNDEFINED_R} {FEWEST_PAIRS} pairs of values ({FEWEST_PAIRS + 1} for a partial correlation)"
NO_RANK_INTERVAL = f"{UNDEFINED_R} {FEWEST_ROWS} pairs of values, or it is 1 or -1 without one of these"
NO_TEST = f"{UNDEFINED_R} three pairs of values"
NO_INTERVAL_OF_ITEMS = f"{UNDEFINED_R} {FEWEST_UNITS} items"
NO_INTERVAL_OF_REPEATS = f"{UNDEFINED_R} {FEWEST_PEOPLE} annotators or {FEWEST_UNITS} items"
NO_MEAN_INTERVAL = f"fewer than {FEWEST_VALUES} values"
NO_AVERAGE_INTERVAL = (
    f"fewer than {FEWEST_ITEMS} items rated by several annotators, or the mean is not defined or is 1 or -1"
)
UNKNOWN = Interval(nan, nan)


def bounds(name: str, correlation: float, rows: int) -> Result:
    """Return NAME_low and NAME_high of Pearson's r of independent rows, by Fisher's r-to-z, NAME_p and NAME_degrees."""
    found = UNKNOWN if np.isnan(correlation) or rows < LEAST else confidence_interval(correlation, rows)
    interval = told({f"{name}_low": found.low, f"{name}_high": found.high}, NO_INTERVAL)
    return interval | told_test(name, significance(correlation, rows), NO_TEST)


def rank_bounds(name: str, x: Floats, y: Floats) -> Result:
    """Return the same of Spearman's correlation; rows with NaN are left out."""
    x, y = complete(x, y)
    found = spearman_interval(x, y)
    interval = told({f"{name}_low": found.low, f"{name}_high": found.high}, NO_RANK_INTERVAL)
    return interval | told_test(name, significance(spearman(x, y), len(x)), NO_TEST)


def told_test(name: str, test: Significance, reason: str) -> Result:
    """Return NAME_p, two-sided, and NAME_degrees, of freedom."""
    return told({f"{name}_p": test.p, f"{name}_degrees": test.degrees}, reason)


def told_agreement(x: Floats, y: Floats, reason: str) -> Result:
    """Return correlations and errors of two columns of independent rows, with the intervals of the correlations.

    Rows with NaN are left out.
    """
    x, y = complete(x, y)
    found = agreement(x, y)
    return told(found, reason) | bounds("pearson", found.pearson, len(x)) | rank_bounds("spearman", x, y)


def resampled_agreement(
    compared: tuple[Integers, Floats, Floats],
    parameters: Parameters,
    generator: np.random.Generator,
    reason: str,
    *,
    tested: bool = True,
) -> Result:
    """Return correlations and errors of ratings and means, with the intervals of the correlations by resampling items.

    Parameters: compared, the items, ratings and means of `scoring.stats.agreement`; tested, whether to add p-values.
    """
    items, values, means = compared
    found = correlations_with_intervals(items, values, means, generator, replicates=parameters.replicates)
    return told(agreement(values, means), reason) | _resampled_bounds(found, NO_INTERVAL_OF_ITEMS, tested)


def repeated_agreement(
    repeated: tuple[Integers, Integers, Floats, Floats],
    parameters: Parameters,
    generator: np.random.Generator,
    reason: str,
) -> Result:
    """Return correlations and errors of ratings given twice, with intervals by resampling people and items.

    Parameters: repeated, the people, the items, and both ratings.
    """
    people, items, before, after = repeated
    found = correlations_of_repeats(people, items, before, after, generator, replicates=parameters.replicates)
    return told(agreement(before, after), reason) | _resampled_bounds(found, NO_INTERVAL_OF_REPEATS, True)


def _resampled_bounds(found: Mapping[str, TestedCorrelation], reason: str, tested: bool) -> Result:
    bounds: Result = {}
    for name, own in found.items():
        bounds |= told({f"{name}_low": own.low, f"{name}_high": own.high}, reason)
        bounds |= told_test(name, own.test, reason) if tested else {}
    return bounds


def mean_bounds(name: str, values: Floats, greatest: float) -> Result:
    """Return the interval of a mean, by Student's t, within the range of the values.

    Parameters: values, shape (n,), none missing, from -greatest to greatest.
    """
    low, high = nan, nan
    if len(values) >= FEWEST_VALUES:
        mean = Mean.of(values)
        low, high = max(mean.value - half_width(mean), -greatest), min(mean.value + half_width(mean), greatest)
    return told({f"{name}_low": low, f"{name}_high": high}, NO_MEAN_INTERVAL)


def average_bounds(name: str, ratings: Ratings, pools: Integers, pool: int) -> Result:
    """Return the interval of the mean over a pool's people of each one's correlation with the mean of the others.

    Parameters: pools, of each person, -1 for whoever did not rate, shape (people,).
    """
    found = average_rater(ratings.items, ratings.raters, ratings.values, pools, pool)
    return told({f"{name}_low": found.low, f"{name}_high": found.high}, NO_AVERAGE_INTERVAL)
