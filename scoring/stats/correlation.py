"""Correlation of two columns, plain and with a third held constant."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

Floats = NDArray[np.float64]


def pearson(one: Floats, other: Floats) -> float:
    """Pearson's r; NaN with fewer than two rows or where a column has no variance.

    Parameters: one and other, shape (rows,).
    """
    if len(one) < 2 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return float("nan")
    centred = one - one.mean(), other - other.mean()
    lengths = [float(np.linalg.norm(column)) for column in centred]
    if 0 in lengths:
        return float("nan")
    r = float(np.dot(centred[0] / lengths[0], centred[1] / lengths[1]))
    return min(1.0, max(-1.0, r))


def spearman(one: Floats, other: Floats) -> float:
    """Spearman's rho, ties at their mean rank; NaN as in `pearson`."""
    return pearson(rankdata(one), rankdata(other)) if len(one) else float("nan")


def partial(r12: float, r13: float, r23: float) -> float:
    """The correlation of 1 and 2 with 3 held constant (Czech News, table 3).

    (r12 - r13 r23) / sqrt((1 - r13^2) (1 - r23^2)): of .9362 between both contexts, with .8787 and .8733 to R1, .726
    is left. (The table's own partial correlations do not follow from its pairwise ones.) NaN where 3 explains all.
    """
    left = (1 - r13**2) * (1 - r23**2)
    return float((r12 - r13 * r23) / np.sqrt(left)) if left > 0 else float("nan")


def mean_of_random_subsets(
    one: Floats, other: Floats, *, size: int, draws: int, generator: np.random.Generator
) -> float:
    """The mean r over random subsets of the rows: what a filter of that size does by its size alone (table 3, -rand).

    Raises:
        ValueError: a subset larger than the whole, or no draws.
    """
    if not 0 < size <= len(one) or draws < 1:
        raise ValueError(f"{draws} draws of {size} rows out of {len(one)} are not possible.")
    chosen = [generator.choice(len(one), size, replace=False) for _ in range(draws)]
    return float(np.mean([pearson(one[rows], other[rows]) for rows in chosen]))


def mean_of_correlations(correlations: Sequence[float]) -> float:
    """The mean by Fisher's Z, of correlations of the same size of sample."""
    return float(np.tanh(np.mean(np.arctanh(np.asarray(correlations, dtype=np.float64)))))
