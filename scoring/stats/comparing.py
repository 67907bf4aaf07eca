"""Comparison of correlations: of one sample (STSS-131, appendix B) and of two, and confidence intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atanh, nan, sqrt, tanh

import numpy as np
import scipy

from scoring.stats.means import Mean, MeanComparison, one_sample_t_test, two_sample_t_test

ROUNDING = 1e-12
FEWEST_PAIRS = 10  # with four, intervals have the true correlation in 98 % of collections
SAME = 1e-9
"""Correlations that differ by less are the same: two raters have one, with each other, but for rounding."""


@dataclass(frozen=True)
class Comparison:
    """The difference of two correlations in standard errors, with its p-values under no difference."""

    z: float
    p_left: float
    p_right: float
    p_two_sided: float


@dataclass(frozen=True)
class Interval:
    low: float
    high: float


def meng(r1: float, r2: float, r12: float, n: int) -> Comparison:
    """Compare two correlations with a common variable (Meng, Rosenthal and Rubin 1992, eq. 1-3).

    z = (Z1 - Z2) sqrt((n - 3) / (2 (1 - r12) h)) with Fisher's Z, h = (1 - f R) / (1 - R), R the mean of the
    squares, f = (1 - r12) / (2 (1 - R)), at most 1. STSS-131 prints these figures under Steiger's name: .636, .693
    and .52 of 64 pairs give z = -0.677 and a two-sided p of .4986.

    Parameters: r1 and r2, the two correlations with the common variable; r12, that between the other two; n, pairs.
    Returns: NaN for a correlation of 1 or -1, and for three that no variables can have together.

    Raises:
        ValueError: a correlation is outside -1 to 1, or there are fewer than four pairs.
    """
    check(n, r1, r2, r12)
    if not _possible(r1, r2, r12):
        return _from_z(nan)
    mean_square = (r1**2 + r2**2) / 2
    f = min(1.0, _ratio(1 - r12, 2 * (1 - mean_square)))
    h = _ratio(1 - f * mean_square, 1 - mean_square)
    return _comparison(r1, r2, 2 * (1 - r12) * h, n)


def steiger(r1: float, r2: float, r12: float, n: int) -> Comparison:
    """Compare two correlations with a common variable (Steiger 1980, eq. 14: `dunn_clark` with the mean)."""
    check(n, r1, r2, r12)
    mean = (r1 + r2) / 2
    covariance = _covariance(mean, mean, r12) if _possible(r1, r2, r12) else nan
    return _comparison(r1, r2, 2 - 2 * covariance, n)


def dunn_clark(r1: float, r2: float, r12: float, n: int) -> Comparison:
    """Compare two correlations with a common variable (Dunn and Clark 1969, eq. 11, on Fisher's Z)."""
    check(n, r1, r2, r12)
    covariance = _covariance(r1, r2, r12) if _possible(r1, r2, r12) else nan
    return _comparison(r1, r2, 2 - 2 * covariance, n)


def compare_independent(r1: float, n1: int, r2: float, n2: int) -> Comparison:
    """Compare correlations of two independent samples by Fisher's r-to-z (STSS-131, appendix B).

    z = (Z1 - Z2) / sqrt(1 / (n1 - 3) + 1 / (n2 - 3)); NaN for a correlation of 1 or -1.

    Raises:
        ValueError: a correlation is outside -1 to 1, or a sample has fewer than four pairs.
    """
    check(n1, r1)
    check(n2, r2)
    return _from_z(_ratio(_fisher(r1) - _fisher(r2), sqrt(1 / (n1 - 3) + 1 / (n2 - 3))))


def compare_mean(correlations: Sequence[float], r: float) -> MeanComparison:
    """Test whether a mean of correlations differs from a single one: the one-sample t-test (STSS-131, appendix B).

    t = (mean - r) sqrt(k) / s with k - 1 degrees of freedom, on the untransformed correlations. The paper compares the
    raters of STSS-131, by their average, with an algorithm.

    Parameters: correlations, shape (k,); r, the single correlation.
    Returns: NaN if the correlations are all the same, as those of two raters with each other are.

    Raises:
        ValueError: a correlation is outside -1 to 1, or there are fewer than two of them.
    """
    check(4, r)
    return one_sample_t_test(_mean(correlations), r)


def compare_means(first: Sequence[float], second: Sequence[float], *, equal_variances: bool = True) -> MeanComparison:
    """Test whether the means of two independent sets of correlations differ: two-sample t-test (STSS-131, appendix B).

    Parameters: one and other, shapes (k1,) and (k2,), such as of the raters of two data sets.
    Returns: NaN if the correlations of each set are all the same.

    Raises:
        ValueError: a correlation is outside -1 to 1, or a set has fewer than two.
    """
    return two_sample_t_test(_mean(first), _mean(second), equal_variances=equal_variances)


def confidence_interval(r: float, n: int, level: float = 0.95) -> Interval:
    """Return the confidence interval of Pearson's correlation by Fisher's r-to-z: tanh(Z -+ q / sqrt(n - 3)).

    A partial correlation takes one from n for each variable that is held constant (Fisher 1924).

    Returns: NaN for fewer than ten pairs, and for a correlation of 1 or -1.

    Raises:
        ValueError: a correlation is outside -1 to 1, there are fewer than four pairs, or the level is not in (0, 1).
    """
    check(n, r)
    _check_level(level)
    if n < FEWEST_PAIRS:
        return Interval(nan, nan)
    reach = float(scipy.special.ndtri((1 + level) / 2)) / sqrt(n - 3)
    return Interval(tanh(_fisher(r) - reach), tanh(_fisher(r) + reach))


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise ValueError(f"The confidence level must be between 0 and 1, not {level}.")


def check(n: int, *correlations: float) -> None:
    """Raise ValueError for a correlation out of range, or too small a sample."""
    for r in correlations:
        if not -1 <= r <= 1:
            raise ValueError(f"A correlation must be between -1 and 1, not {r}.")
    if n < 4:
        raise ValueError(f"Comparing correlations needs at least four pairs, not {n}.")


def _possible(r1: float, r2: float, r12: float) -> bool:
    """Return whether three variables can have these correlations: their matrix has no negative determinant.

    The determinant of correlations computed from data may be slightly negative by a rounding error.
    """
    return 1 - r1**2 - r2**2 - r12**2 + 2 * r1 * r2 * r12 >= -ROUNDING


def _covariance(r1: float, r2: float, r12: float) -> float:
    """Return the covariance of both Fisher's Z, times n - 3 (Pearson and Filon 1898, as in Dunn and Clark)."""
    unexplained = 1 - r1**2 - r2**2
    numerator = r12 * unexplained - r1 * r2 * (unexplained - r12**2) / 2
    return _ratio(numerator, (1 - r1**2) * (1 - r2**2))


def _comparison(r1: float, r2: float, variance: float, n: int) -> Comparison:
    difference = _fisher(r1) - _fisher(r2)
    return _from_z(_ratio(difference * sqrt(n - 3), sqrt(variance)) if variance >= 0 else nan)


def _mean(correlations: Sequence[float]) -> Mean:
    check(4, *correlations)
    mean = Mean.of(np.asarray(correlations, dtype=np.float64))
    return mean if np.ptp(correlations) > SAME else Mean(mean.value, 0.0, mean.n)


def _from_z(z: float) -> Comparison:
    left, right = float(scipy.special.ndtr(z)), float(scipy.special.ndtr(-z))
    return Comparison(z, left, right, 2 * min(left, right))


def _fisher(r: float) -> float:
    """Return Fisher's Z; NaN for 1 and -1, also after a rounding error."""
    return atanh(r) if abs(r) < 1 - ROUNDING else nan


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else nan
