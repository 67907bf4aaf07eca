"""Correlations with their 95 % confidence intervals and p-values, and means with their intervals.

Intervals of correlations by Fisher's r-to-z assume that their rows are independent of each other. The ratings of an
item are not, nor are those of a person: intervals of agreement are by resampling items, or people, and those of an
average rater by leaving people out.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from math import nan

import numpy as np

from scoring.stats.agreement import Agreement, agreement
from scoring.stats.average_rater import average_rater
from scoring.stats.comparing import Interval, confidence_interval, spearman_interval
from scoring.stats.intervals import TestedCorrelation, correlations_of_repeats, correlations_with_intervals
from scoring.stats.means import Mean, half_width
from scoring.stats.significance import Significance, significance
from scoring.summaries.parameters import Parameters
from scoring.summaries.tables import Floats, Integers, Ratings
from scoring.summaries.undefined import Result, told

LEAST = 4  # rows, of Fisher's r-to-z
NO_INTERVAL = "the correlation is not defined, is 1 or -1, or is based on fewer than four"
NO_TEST = "the correlation is not defined, is 1 or -1, or is based on fewer than three"
NO_INTERVAL_OF_ITEMS = f"{NO_INTERVAL} items"
NO_INTERVAL_OF_REPEATS = f"{NO_INTERVAL} annotators or items"
NO_MEAN_INTERVAL = "fewer than two values"
NO_AVERAGE_INTERVAL = "fewer than three annotators, fewer than two in the pool, or all have the same correlation"
UNKNOWN = Interval(nan, nan)
Bounds = Callable[[float, int], Interval]
BOUNDS: dict[str, Bounds] = {"pearson": confidence_interval, "spearman": spearman_interval}


def bounds(name: str, correlation: float, rows: int, find: Bounds = confidence_interval) -> Result:
    """Return NAME_low and NAME_high, NAME_p and NAME_degrees, of independent rows.

    Parameters: find, the interval, by default that of Pearson's r, by Fisher's r-to-z.
    """
    found = UNKNOWN if np.isnan(correlation) or rows < LEAST else find(correlation, rows)
    interval = told({f"{name}_low": found.low, f"{name}_high": found.high}, NO_INTERVAL)
    return interval | told_test(name, significance(correlation, rows), NO_TEST)


def told_test(name: str, test: Significance, reason: str) -> Result:
    """Return NAME_p, two-sided, and NAME_degrees, of freedom."""
    return told({f"{name}_p": test.p, f"{name}_degrees": test.degrees}, reason)


def told_agreement(found: Agreement, rows: int, reason: str) -> Result:
    """Return correlations and errors of two columns, with the intervals of the correlations."""
    figures = asdict(found)
    result = told(figures, reason)
    for name, find in BOUNDS.items():
        result |= bounds(name, figures[name], rows, find)
    return result


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
    if len(values) > 1:
        mean = Mean.of(values)
        low, high = max(mean.value - half_width(mean), -greatest), min(mean.value + half_width(mean), greatest)
    return told({f"{name}_low": low, f"{name}_high": high}, NO_MEAN_INTERVAL)


def average_bounds(name: str, ratings: Ratings, pools: Integers, pool: int) -> Result:
    """Return the interval of the mean over a pool's people of each one's correlation with the mean of the others.

    Parameters: pools, of each person, -1 for whoever did not rate, shape (people,).
    """
    found = average_rater(ratings.items, ratings.raters, ratings.values, pools, pool)
    return told({f"{name}_low": found.low, f"{name}_high": found.high}, NO_AVERAGE_INTERVAL)
