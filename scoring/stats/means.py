"""Comparison of means by t-tests, Student's and Welch's, from their moments."""

from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
import scipy
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Mean:
    """A mean of n values, with its standard error s / sqrt(n)."""

    value: float
    error: float
    n: int

    @classmethod
    def of(cls, values: Floats) -> "Mean":
        """Return the mean of values, shape (n,), none missing. Raises: ValueError: fewer than two values."""
        if len(values) < 2:
            raise ValueError(f"The standard error of a mean needs at least two values, not {len(values)}.")
        varies = np.ptp(values) > 0  # else rounding could leave a variance if there is none
        error = float(np.std(values, ddof=1)) / sqrt(len(values)) if varies else 0.0
        return cls(float(np.mean(values)), error, len(values))


@dataclass(frozen=True)
class MeanComparison:
    """A difference of means in standard errors, with degrees of freedom and p-values under no difference."""

    t: float
    degrees: float
    p_left: float
    p_right: float
    p_two_sided: float


def one_sample_t_test(mean: Mean, value: float) -> MeanComparison:
    """Return the one-sample t-test: t = (mean - value) / error with n - 1 degrees of freedom; NaN without variance."""
    return _from_t(mean.value - value, mean.error, mean.n - 1)


def two_sample_t_test(first: Mean, second: Mean, *, equal_variances: bool = True) -> MeanComparison:
    """Return the two-sample t-test of independent values; NaN if neither side varies.

    Student's, t = (M1 - M2) / sqrt(s^2 (1 / n1 + 1 / n2)) with the pooled s^2 and n1 + n2 - 2 degrees of freedom; or
    Welch's, t = (M1 - M2) / sqrt(e1^2 + e2^2) of the standard errors e, with the degrees of freedom of Satterthwaite.
    """
    difference, both = first.value - second.value, first.error**2 + second.error**2
    if equal_variances:
        squares = sum(mean.error**2 * mean.n * (mean.n - 1) for mean in (first, second))
        degrees = first.n + second.n - 2
        return _from_t(difference, sqrt(squares / degrees * (1 / first.n + 1 / second.n)), degrees)
    uncertainty = sum(mean.error**4 / (mean.n - 1) for mean in (first, second))
    return _from_t(difference, sqrt(both), both**2 / uncertainty if uncertainty else nan)


def half_width(mean: Mean, level: float = 0.95) -> float:
    """Return the half-width of the confidence interval of the mean, by Student's t."""
    return float(scipy.special.stdtrit(mean.n - 1, (1 + level) / 2)) * mean.error


def _from_t(difference: float, error: float, degrees: float) -> MeanComparison:
    """Return the test of t; NaN without variance."""
    t = difference / error if error else nan
    left, right = float(scipy.special.stdtr(degrees, t)), float(scipy.special.stdtr(degrees, -t))
    return MeanComparison(t, degrees, left, right, 2 * min(left, right))
