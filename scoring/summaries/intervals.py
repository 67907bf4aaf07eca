"""Correlations with their 95 % confidence intervals and p-values, and means with their intervals.

Intervals of correlations by Fisher's r-to-z assume that their rows are independent of each other. The ratings of an
item are not, nor are those of a person: intervals of agreement are by resampling items, or people and items, and those
of an average rater by leaving items out. There is no interval where so few values do not give it the stated coverage
(`benchmarks.coverage`).
"""

from collections.abc import Mapping, Sequence
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
from scoring.stats.reasons import Case, first_reason, is_certain, why_no_bounds, why_no_correlation
from scoring.stats.significance import FEWEST, Significance, significance
from scoring.summaries.parameters import Parameters
from scoring.summaries.tables import Floats, Integers, Ratings
from scoring.summaries.undefined import Result, told

LEAST = 4  # rows, of comparisons by Fisher's r-to-z
FEWEST_VALUES = 64  # of a mean: with fewer, intervals of skewed values have the true mean in 90 to 93 % of collections
FEW_PAIRS = "fewer than {} pairs of values"
FEW_ITEMS = f"fewer than {FEWEST_UNITS} items"
FEW_PEOPLE = f"fewer than {FEWEST_PEOPLE} annotators"
NO_RANK_INTERVAL = "without one of the pairs of values, the correlation is 1 or -1, or is not defined"
NO_RESAMPLES = "the correlation is not defined in resamples"
NO_MEAN_INTERVAL = f"fewer than {FEWEST_VALUES} values"
NO_AVERAGE_INTERVAL = "without some items, the mean is not defined"
UNKNOWN = Interval(nan, nan)


def bounds(name: str, r: float, rows: int, *, held: int = 0) -> Result:
    """Return NAME_low and NAME_high of Pearson's r of independent rows, by Fisher's r-to-z, NAME_p and NAME_degrees.

    Parameters: held, how many variables are held constant (a partial correlation); each takes a row.
    """
    found = UNKNOWN if np.isnan(r) or rows - held < LEAST else confidence_interval(r, rows - held)
    fewest = FEWEST_PAIRS + held
    reason = why_no_bounds(r, (rows < fewest, FEW_PAIRS.format(fewest)))
    interval = told({f"{name}_low": found.low, f"{name}_high": found.high}, reason)
    return interval | told_test(name, significance(r, rows, held), why_no_test(r, rows, held))


def why_no_test(r: float, rows: int, held: int = 0) -> str:
    """Return why a correlation has no p-value."""
    return why_no_bounds(r, (rows < FEWEST + held, FEW_PAIRS.format(FEWEST + held)))


def rank_bounds(name: str, x: Floats, y: Floats) -> Result:
    """Return the same of Spearman's correlation; rows with NaN are left out."""
    x, y = complete(x, y)
    found = spearman_interval(x, y)
    rho = spearman(x, y)
    interval = told({f"{name}_low": found.low, f"{name}_high": found.high}, why_no_rank_interval(rho, len(x)))
    return interval | told_test(name, significance(rho, len(x)), why_no_test(rho, len(x)))


def why_no_rank_interval(rho: float, rows: int) -> str:
    """Return why Spearman's correlation has no interval."""
    certain = (is_certain(rho), "the correlation is 1 or -1")
    return why_no_bounds(rho, (rows < FEWEST_ROWS, FEW_PAIRS.format(FEWEST_ROWS)), certain, otherwise=NO_RANK_INTERVAL)


def told_test(name: str, test: Significance, reason: str) -> Result:
    """Return NAME_p, two-sided, and NAME_degrees, of freedom."""
    return told({f"{name}_p": test.p, f"{name}_degrees": test.degrees}, reason)


def told_agreement(x: Floats, y: Floats, few: str) -> Result:
    """Return correlations and errors of two columns of independent rows, with the intervals of the correlations.

    Rows with NaN are left out. few: why there is no correlation of fewer than two rows.
    """
    x, y = complete(x, y)
    found = agreement(x, y)
    return (
        told(found, why_no_correlation(x, y, few))
        | bounds("pearson", found.pearson, len(x))
        | rank_bounds("spearman", x, y)
    )


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
    few = [(len(np.unique(items)) < FEWEST_UNITS, FEW_ITEMS)]
    return told(agreement(values, means), reason) | _resampled_bounds(found, few, tested)


def repeated_agreement(
    repeated: tuple[Integers, Integers, Floats, Floats],
    parameters: Parameters,
    generator: np.random.Generator,
    few: str,
) -> Result:
    """Return correlations and errors of ratings given twice, with intervals by resampling people and items.

    Parameters: repeated, the people, the items, and both ratings; few, why there is no correlation of fewer than two.
    """
    people, items, before, after = repeated
    found = correlations_of_repeats(people, items, before, after, generator, replicates=parameters.replicates)
    fewer = [
        (len(np.unique(people)) < FEWEST_PEOPLE, FEW_PEOPLE),
        (len(np.unique(items)) < FEWEST_UNITS, FEW_ITEMS),
    ]
    reason = why_no_correlation(before, after, few, "all ratings of one of the two times are the same")
    return told(agreement(before, after), reason) | _resampled_bounds(found, fewer, True)


def _resampled_bounds(found: Mapping[str, TestedCorrelation], few: Sequence[Case], tested: bool) -> Result:
    bounds: Result = {}
    for name, own in found.items():
        certain = (is_certain(own.value), "the correlation is 1 or -1")
        reason = why_no_bounds(own.value, *few, certain, otherwise=NO_RESAMPLES)
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
    shared = int((np.bincount(ratings.items) > 1).sum())
    reason = first_reason(
        (np.isnan(found.value), "the mean is not defined"),
        (shared < FEWEST_ITEMS, f"fewer than {FEWEST_ITEMS} items rated by several annotators"),
        (is_certain(found.value), "the mean is 1 or -1"),
        (True, NO_AVERAGE_INTERVAL),
    )
    return told({f"{name}_low": found.low, f"{name}_high": found.high}, reason)
