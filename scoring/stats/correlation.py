"""Correlation of two columns, plain and with a third held constant."""

import numpy as np
from numpy.typing import NDArray

from scoring.stats.missing import complete

Floats = NDArray[np.float64]


def pearson(one: Floats, other: Floats) -> float:
    """Pearson's r, sum (x - X)(y - Y) / sqrt(sum (x - X)^2 sum (y - Y)^2), of the rows that have both values.

    Parameters: one and other, shape (rows,); NaN is missing.
    Returns: -1 to 1; NaN with fewer than two rows or where a column has no variance.
    """
    one, other = complete(one, other)
    if len(one) < 2 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return float("nan")
    centred = one - one.mean(), other - other.mean()
    lengths = [float(np.linalg.norm(column)) for column in centred]
    if 0 in lengths:
        return float("nan")
    r = float(np.dot(centred[0] / lengths[0], centred[1] / lengths[1]))
    return min(1.0, max(-1.0, r))


def spearman(one: Floats, other: Floats) -> float:
    """Spearman's rho: Pearson's r of the ranks, ties at their mean rank; missing and undefined as in `pearson`."""
    one, other = complete(one, other)
    return pearson(mean_ranks(one), mean_ranks(other))


def mean_ranks(values: Floats) -> Floats:
    """Ranks from 1, ties at their mean rank. Parameters: values, shape (rows,), none missing."""
    _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[codes]
    return ranks


def partial(r12: float, r13: float, r23: float) -> float:
    """The correlation of 1 and 2 with 3 held constant (Czech News, table 3).

    (r12 - r13 r23) / sqrt((1 - r13^2) (1 - r23^2)): of .9362 between both contexts, with .8787 and .8733 to R1, .726
    is left. (The table's own partial correlations do not follow from its pairwise ones.) NaN where 3 explains all.
    """
    left = (1 - r13**2) * (1 - r23**2)
    return float((r12 - r13 * r23) / np.sqrt(left)) if left > 0 else float("nan")


def correlations_of_random_subsets(
    one: Floats, other: Floats, *, size: int, draws: int, generator: np.random.Generator
) -> Floats:
    """Pearson's r in random subsets of the rows; their mean is what a filter of that size does by its size alone (Czech
    News, table 3, -rand).

    Parameters: one and other, shape (rows,); size, rows of a subset; draws, subsets.
    Returns: shape (draws,); NaN where r of a subset is not defined.

    Raises:
        ValueError: a subset larger than the whole, or no draws.
    """
    if not 0 < size <= len(one) or draws < 1:
        raise ValueError(f"{draws} draws of {size} rows out of {len(one)} are not possible.")
    chosen = [generator.choice(len(one), size, replace=False) for _ in range(draws)]
    return np.array([pearson(one[rows], other[rows]) for rows in chosen], dtype=np.float64)
