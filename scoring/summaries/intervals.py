"""Correlations and means beside the interval in which they lie with 95 % confidence.

Intervals of correlations take their rows as independent of each other.
"""

from collections.abc import Callable
from dataclasses import asdict
from math import nan

import numpy as np

from scoring.stats.agreement import Agreement
from scoring.stats.comparing import Interval, confidence_interval, spearman_interval
from scoring.stats.means import Mean, reach
from scoring.summaries.tables import Floats
from scoring.summaries.undefined import Result, told

LEAST = 4  # rows, of Fisher's r-to-z
NO_INTERVAL = "the correlation is not defined, or is 1 or -1, or is of fewer than four"
NO_MEAN_INTERVAL = "fewer than two values"
UNKNOWN = Interval(nan, nan)
Bounds = Callable[[float, int], Interval]
BOUNDS: dict[str, Bounds] = {"pearson": confidence_interval, "spearman": spearman_interval}


def bounds(name: str, correlation: float, rows: int, find: Bounds = confidence_interval) -> Result:
    """NAME_low and NAME_high; find: by default for Pearson's r, by Fisher's r-to-z."""
    found = UNKNOWN if np.isnan(correlation) or rows < LEAST else find(correlation, rows)
    return told({f"{name}_low": found.low, f"{name}_high": found.high}, NO_INTERVAL)


def told_agreement(found: Agreement, rows: int, reason: str) -> Result:
    """Correlations and errors of two columns, with the intervals of the correlations."""
    figures = asdict(found)
    result = told(figures, reason)
    for name, find in BOUNDS.items():
        result |= bounds(name, figures[name], rows, find)
    return result


def mean_bounds(name: str, values: Floats) -> Result:
    """The same of a mean, by Student's t. Parameters: values, shape (n,), none missing."""
    low, high = nan, nan
    if len(values) > 1:
        mean = Mean.of(values)
        low, high = mean.value - reach(mean), mean.value + reach(mean)
    return told({f"{name}_low": low, f"{name}_high": high}, NO_MEAN_INTERVAL)
