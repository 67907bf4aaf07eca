"""Whether and how far context changes people's answers (Czech News 5.1 and 6)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.stats.means import Mean, one_sample_t_test, two_sample_t_test
from scoring.stats.missing import complete

Floats = NDArray[np.float64]


def shift_p_value(free: Sequence[float], dependent: Sequence[float], *, equal_variances: bool = True) -> float:
    """Return the two-sided p of the t-test of equal means in both contexts: Student's (Czech News 5.1), or Welch's.

    Parameters: free and dependent, the ratings of one pair, shapes (n,) and (m,); NaN is missing.
    Returns: the p-value; NaN if it is not defined: fewer than two ratings on a side, or no variance and equal means.
        Without variance and with different means it is 0.
    """
    sides = [complete(np.asarray(values, dtype=np.float64))[0] for values in (free, dependent)]
    if min(len(values) for values in sides) < 2:
        return float("nan")
    if all(np.ptp(values) == 0 for values in sides):
        return 0.0 if sides[0][0] != sides[1][0] else float("nan")
    return two_sample_t_test(*map(Mean.of, sides), equal_variances=equal_variances).p_two_sided


def paired_shift_p_value(free: Floats, dependent: Floats) -> float:
    """Return the two-sided p-value of the paired t-test, if the same people answered in both contexts.

    Parameters: free and dependent, shape (people,), person by person; who did not answer both (NaN) is left out.
    Returns: the p-value; NaN with fewer than two people or if nobody changed; 0 if all changed by the same.
    """
    free, dependent = complete(free, dependent)
    gains = dependent - free
    if len(gains) < 2:
        return float("nan")
    if np.ptp(gains) == 0:
        return 0.0 if gains[0] else float("nan")
    return one_sample_t_test(Mean.of(gains), 0).p_two_sided


def benjamini_hochberg(p_values: Floats) -> Floats:
    """Return the p-values adjusted for the number of tests: the false discovery rate at which each is rejected.

    With the p-values in ascending order, min over j >= i of m p_(j) / j, at most 1 (Benjamini and Hochberg 1995).

    Parameters: p_values, shape (tests,); a NaN is no test, and stays NaN.
    Returns: shape (tests,).
    """
    adjusted = np.full(len(p_values), np.nan)
    tests = np.flatnonzero(~np.isnan(p_values))
    order = tests[np.argsort(p_values[tests], kind="stable")]
    scaled = p_values[order] * len(order) / np.arange(1, len(order) + 1)
    adjusted[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1)
    return adjusted


def gains(free_means: Floats, dependent_means: Floats) -> Floats:
    """Return how much the score of each pair rises with context (Czech News 6, Fig. 14; mean .268 in the paper).

    Parameters: means of each pair in both contexts, shape (pairs,).
    Returns: dependent minus free, shape (pairs,).
    """
    return dependent_means - free_means


def rejection_curve(p_values: Floats, levels: Floats) -> Floats:
    """Return r(x): the share of pairs for which equal means would be rejected at level x (Czech News 5.1, Fig. 8).

    A pair whose p-value is not defined (NaN) is never rejected, and counts.

    Parameters: p_values, shape (pairs,); levels, shape (levels,).
    Returns: shares, shape (levels,). The paper has r(.05) = 90 / 1200.

    Raises:
        ValueError: there are no pairs.
    """
    if not len(p_values):
        raise ValueError("A share of pairs needs at least one pair.")
    ordered = np.sort(p_values[~np.isnan(p_values)])
    return np.asarray(np.searchsorted(ordered, levels, side="right") / len(p_values))
