"""Correlations compared: of one sample (STSS-131, appendix B), of two samples, and with a confidence interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atanh, nan, sqrt, tanh

import numpy as np
from scipy.special import ndtr, ndtri

from scoring.stats.means import Mean, MeanComparison, against, compared

ROUNDING = 1e-12


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
    """Two correlations with a common variable (Meng, Rosenthal and Rubin 1992, eq. 1-3).

    z = (Z1 - Z2) sqrt((n - 3) / (2 (1 - r12) h)) with Fisher's Z, h = (1 - f R) / (1 - R), R the mean of the
    squares, f = (1 - r12) / (2 (1 - R)), at most 1. STSS-131 prints these figures under Steiger's name: .636, .693
    and .52 of 64 pairs give z = -0.677 and a two-sided p of .4986.

    Parameters: r1 and r2, the two correlations with the common variable; r12, that between the other two; n, pairs.
    Returns: NaN for a correlation of 1 or -1, and for three that no variables can have together.

    Raises:
        ValueError: a correlation outside -1 to 1, or fewer than four pairs.
    """
    check(n, r1, r2, r12)
    if not _together(r1, r2, r12):
        return _from_z(nan)
    mean_square = (r1**2 + r2**2) / 2
    f = min(1.0, _ratio(1 - r12, 2 * (1 - mean_square)))
    h = _ratio(1 - f * mean_square, 1 - mean_square)
    return _comparison(r1, r2, 2 * (1 - r12) * h, n)


def steiger(r1: float, r2: float, r12: float, n: int) -> Comparison:
    """Two correlations with a common variable (Steiger 1980, eq. 14): Dunn and Clark's with the mean correlation."""
    check(n, r1, r2, r12)
    mean = (r1 + r2) / 2
    covariance = _covariance(mean, mean, r12) if _together(r1, r2, r12) else nan
    return _comparison(r1, r2, 2 - 2 * covariance, n)


def dunn_clark(r1: float, r2: float, r12: float, n: int) -> Comparison:
    """Two correlations with a common variable (Dunn and Clark 1969, eq. 11, on Fisher's Z)."""
    check(n, r1, r2, r12)
    covariance = _covariance(r1, r2, r12) if _together(r1, r2, r12) else nan
    return _comparison(r1, r2, 2 - 2 * covariance, n)


def independent(r1: float, n1: int, r2: float, n2: int) -> Comparison:
    """Correlations of two samples that share nothing, by Fisher's r-to-z (STSS-131, appendix B).

    z = (Z1 - Z2) / sqrt(1 / (n1 - 3) + 1 / (n2 - 3)); NaN for a correlation of 1 or -1.

    Raises:
        ValueError: a correlation outside -1 to 1, or a sample of fewer than four.
    """
    check(n1, r1)
    check(n2, r2)
    return _from_z(_ratio(_fisher(r1) - _fisher(r2), sqrt(1 / (n1 - 3) + 1 / (n2 - 3))))


def mean_against(correlations: Sequence[float], r: float) -> MeanComparison:
    """Whether a mean of correlations differs from a single one: the one-sample t-test (STSS-131, appendix B).

    t = (mean - r) sqrt(k) / s with k - 1 degrees of freedom, on the correlations as they are. The paper compares the
    raters of STSS-131, by their average, with an algorithm.

    Parameters: correlations, shape (k,); r, the single correlation.
    Returns: NaN where the correlations are all the same.

    Raises:
        ValueError: a correlation outside -1 to 1, or fewer than two of them.
    """
    check(4, r)
    return against(_mean(correlations), r)


def means_compared(one: Sequence[float], other: Sequence[float], *, equal_variances: bool = True) -> MeanComparison:
    """Whether two independent sets of correlations differ in their means: the two-sample t-test (STSS-131, appendix B).

    Parameters: one and other, shapes (k1,) and (k2,), such as of the raters of two data sets.
    Returns: NaN where the correlations of each set are all the same.

    Raises:
        ValueError: a correlation outside -1 to 1, or fewer than two in a set.
    """
    return compared(_mean(one), _mean(other), equal_variances=equal_variances)


def confidence_interval(r: float, n: int, level: float = 0.95) -> Interval:
    """Where Pearson's correlation lies with that confidence, by Fisher's r-to-z: tanh(Z -+ q / sqrt(n - 3)).

    A partial correlation takes one from n for each variable that is held constant (Fisher 1924).

    Returns: NaN for a correlation of 1 or -1.

    Raises:
        ValueError: a correlation outside -1 to 1, fewer than four pairs, or a level that is not between 0 and 1.
    """
    return _interval(r, n, level, 1.0)


def spearman_interval(rho: float, n: int, level: float = 0.95) -> Interval:
    """The same of Spearman's, whose Z varies more: by (1 + rho^2 / 2) / (n - 3) (Bonett and Wright 2000)."""
    return _interval(rho, n, level, 1 + rho**2 / 2)


def _interval(r: float, n: int, level: float, variance: float) -> Interval:
    check(n, r)
    if not 0 < level < 1:
        raise ValueError(f"A confidence level lies between 0 and 1, not at {level}.")
    reach = float(ndtri((1 + level) / 2)) * sqrt(variance / (n - 3))
    return Interval(tanh(_fisher(r) - reach), tanh(_fisher(r) + reach))


def check(n: int, *correlations: float) -> None:
    """Raises ValueError for a correlation that is none, or too small a sample."""
    for r in correlations:
        if not -1 <= r <= 1:
            raise ValueError(f"A correlation lies between -1 and 1, not at {r}.")
    if n < 4:
        raise ValueError(f"Comparing correlations needs at least four pairs, not {n}.")


def _together(r1: float, r2: float, r12: float) -> bool:
    """Whether three variables can have these correlations: their matrix has no negative determinant.

    Correlations computed from data may miss it by a rounding error.
    """
    return 1 - r1**2 - r2**2 - r12**2 + 2 * r1 * r2 * r12 >= -ROUNDING


def _covariance(r1: float, r2: float, r12: float) -> float:
    """Of Fisher's Z of both correlations, times n - 3 (Pearson and Filon 1898, as in Dunn and Clark)."""
    unexplained = 1 - r1**2 - r2**2
    numerator = r12 * unexplained - r1 * r2 * (unexplained - r12**2) / 2
    return _ratio(numerator, (1 - r1**2) * (1 - r2**2))


def _comparison(r1: float, r2: float, variance: float, n: int) -> Comparison:
    difference = _fisher(r1) - _fisher(r2)
    return _from_z(_ratio(difference * sqrt(n - 3), sqrt(variance)) if variance >= 0 else nan)


def _mean(correlations: Sequence[float]) -> Mean:
    check(4, *correlations)
    return Mean.of(np.asarray(correlations, dtype=np.float64))


def _from_z(z: float) -> Comparison:
    left, right = float(ndtr(z)), float(ndtr(-z))
    return Comparison(z, left, right, 2 * min(left, right))


def _fisher(r: float) -> float:
    """NaN for 1 and -1, also where a rounding error has been left of them."""
    return atanh(r) if abs(r) < 1 - ROUNDING else nan


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else nan
