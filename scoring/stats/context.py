"""Whether and how far context changes what people answer (Czech News 5.1 and 6)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.stats.means import Mean, against, compared
from scoring.stats.missing import complete

Floats = NDArray[np.float64]


def shift_p_value(free: Sequence[float], dependent: Sequence[float], *, equal_variances: bool = True) -> float:
    """Two-sided p-value of the t-test that both contexts have the same mean: Student's (Czech News 5.1), or Welch's.

    Parameters: free and dependent, the ratings of one pair, shapes (n,) and (m,); NaN is missing.
    Returns: the p-value; NaN where it is not defined: fewer than two ratings on a side, or no variance and equal
        means. Without variance and with different means it is 0.
    """
    sides = [complete(np.asarray(values, dtype=np.float64))[0] for values in (free, dependent)]
    if min(len(values) for values in sides) < 2:
        return float("nan")
    if all(np.ptp(values) == 0 for values in sides):
        return 0.0 if sides[0][0] != sides[1][0] else float("nan")
    return compared(*map(Mean.of, sides), equal_variances=equal_variances).p_two_sided


def paired_shift_p_value(free: Floats, dependent: Floats) -> float:
    """Two-sided p-value of the paired t-test, where the same people answered in both contexts.

    Parameters: free and dependent, shape (people,), person by person; who did not answer both (NaN) is left out.
    Returns: the p-value; NaN with fewer than two people or where nobody changed; 0 where all changed by the same.
    """
    free, dependent = complete(free, dependent)
    gains = dependent - free
    if len(gains) < 2:
        return float("nan")
    if np.ptp(gains) == 0:
        return 0.0 if gains[0] else float("nan")
    return against(Mean.of(gains), 0).p_two_sided


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
