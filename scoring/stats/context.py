"""Whether and how far context changes what people answer (Czech News 5.1 and 6)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import ttest_ind_from_stats, ttest_rel

Floats = NDArray[np.float64]


def shift_p_value(free: Sequence[float], dependent: Sequence[float], *, equal_variances: bool = True) -> float:
    """Two-sided p-value of the t-test that both contexts have the same mean: Student's (Czech News 5.1), or Welch's.

    Parameters: free and dependent, the ratings of one pair, shapes (n,) and (m,).
    Returns: the p-value; NaN where it is not defined: fewer than two ratings on a side, or no variance and equal
        means. Without variance and with different means it is 0.
    """
    if min(len(free), len(dependent)) < 2:
        return float("nan")
    if np.ptp(free) == 0 and np.ptp(dependent) == 0:
        return 0.0 if free[0] != dependent[0] else float("nan")
    # From the moments: on raw values scipy warns of lost precision wherever one side has no variance.
    moments = [(np.mean(values), np.std(values, ddof=1), len(values)) for values in (free, dependent)]
    return float(ttest_ind_from_stats(*moments[0], *moments[1], equal_var=equal_variances).pvalue)


def paired_shift_p_value(free: Floats, dependent: Floats) -> float:
    """Two-sided p-value of the paired t-test, where the same people answered in both contexts.

    Parameters: free and dependent, shape (people,), person by person.
    Returns: the p-value; NaN with fewer than two people or where nobody changed; 0 where all changed by the same.
    """
    gains = np.asarray(dependent) - np.asarray(free)
    if len(gains) < 2:
        return float("nan")
    if np.ptp(gains) == 0:
        return 0.0 if gains[0] else float("nan")
    return float(ttest_rel(free, dependent).pvalue)


def gains(free_means: Floats, dependent_means: Floats) -> Floats:
    """How much the score of each pair rises with context (Czech News 6, Fig. 14; mean .268 in the paper).

    Parameters: means of each pair in both contexts, shape (pairs,).
    Returns: dependent minus free, shape (pairs,).
    """
    return dependent_means - free_means


def rejection_curve(p_values: Floats, levels: Floats) -> Floats:
    """r(x): the share of pairs for which equal means would be rejected on level x (Czech News 5.1, Fig. 8).

    A pair whose p-value is not defined (NaN) is never rejected, and counts.

    Parameters: p_values, shape (pairs,); levels, shape (levels,).
    Returns: shares, shape (levels,). The paper has r(.05) = 90 / 1200.

    Raises:
        ValueError: no pairs.
    """
    if not len(p_values):
        raise ValueError("Without pairs there is no share of pairs.")
    ordered = np.sort(p_values[~np.isnan(p_values)])
    return np.asarray(np.searchsorted(ordered, levels, side="right") / len(p_values))
