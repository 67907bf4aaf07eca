"""Means compared by t-tests, Student's and Welch's, from their moments."""

from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Mean:
    """A mean of n values, with its standard error s / sqrt(n)."""

    value: float
    error: float
    n: int

    @classmethod
    def of(cls, values: Floats) -> "Mean":
        """Parameters: values, shape (n,), none missing. Raises: ValueError: fewer than two values."""
        if len(values) < 2:
            raise ValueError(f"The error of a mean needs at least two values, not {len(values)}.")
        varies = np.ptp(values) > 0  # else rounding could leave a variance where there is none
        error = float(np.std(values, ddof=1)) / sqrt(len(values)) if varies else 0.0
        return cls(float(np.mean(values)), error, len(values))


@dataclass(frozen=True)
class MeanComparison:
    """A difference of means in standard errors, with its degrees of freedom and its p-values under no difference."""

    t: float
    degrees: float
    p_left: float
    p_right: float
    p_two_sided: float


def against(mean: Mean, value: float) -> MeanComparison:
    """The one-sample t-test: t = (mean - value) / error with n - 1 degrees of freedom; NaN without variance."""
    return _from_t(mean.value - value, mean.error, mean.n - 1)


def compared(one: Mean, other: Mean, *, equal_variances: bool = True) -> MeanComparison:
    """The two-sample t-test of independent values; NaN where neither side varies.

    Student's, t = (M1 - M2) / sqrt(s^2 (1 / n1 + 1 / n2)) with the pooled s^2 and n1 + n2 - 2 degrees of freedom; or
    Welch's, t = (M1 - M2) / sqrt(e1^2 + e2^2) of the standard errors e, with the degrees of freedom of Satterthwaite.
    """
    difference, both = one.value - other.value, one.error**2 + other.error**2
    if equal_variances:
        squares = sum(mean.error**2 * mean.n * (mean.n - 1) for mean in (one, other))
        degrees = one.n + other.n - 2
        return _from_t(difference, sqrt(squares / degrees * (1 / one.n + 1 / other.n)), degrees)
    uncertainty = sum(mean.error**4 / (mean.n - 1) for mean in (one, other))
    return _from_t(difference, sqrt(both), both**2 / uncertainty if uncertainty else nan)


def reach(mean: Mean, level: float = 0.95) -> float:
    """How far the interval of that confidence goes to either side of the mean, by Student's t."""
    return float(stdtrit(mean.n - 1, (1 + level) / 2)) * mean.error


def _from_t(difference: float, error: float, degrees: float) -> MeanComparison:
    """NaN where nothing varies."""
    t = difference / error if error else nan
    left, right = float(stdtr(degrees, t)), float(stdtr(degrees, -t))
    return MeanComparison(t, degrees, left, right, 2 * min(left, right))
