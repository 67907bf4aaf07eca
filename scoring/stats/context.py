"""Whether context changes what people answer."""

from collections.abc import Sequence

import numpy as np
from scipy.stats import ttest_ind_from_stats


def shift_p_value(free: Sequence[float], dependent: Sequence[float]) -> float:
    """Two-sided p-value of Student's t-test that both contexts have the same mean (Czech News 5.1).

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
    return float(ttest_ind_from_stats(*moments[0], *moments[1]).pvalue)
