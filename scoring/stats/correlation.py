"""Correlation of two columns, simple and with a third held constant."""

import numpy as np
from numpy.typing import NDArray

from scoring.stats.missing import complete

Floats = NDArray[np.float64]


def pearson(x: Floats, y: Floats) -> float:
    """Return Pearson's r, sum (x - X)(y - Y) / sqrt(sum (x - X)^2 sum (y - Y)^2), of the rows that have both values.

    Parameters: one and other, shape (rows,); NaN is missing.
    Returns: -1 to 1; NaN with fewer than two rows or if a column has no variance.
    """
    x, y = complete(x, y)
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    centred = x - x.mean(), y - y.mean()
    lengths = [float(np.linalg.norm(column)) for column in centred]
    if 0 in lengths:
        return float("nan")
    r = float(np.dot(centred[0] / lengths[0], centred[1] / lengths[1]))
    return min(1.0, max(-1.0, r))


def spearman(x: Floats, y: Floats) -> float:
    """Return Spearman's rho: Pearson's r of the ranks, ties at their mean rank; NaN as in `pearson`."""
    x, y = complete(x, y)
    return pearson(mean_ranks(x), mean_ranks(y))


def mean_ranks(values: Floats) -> Floats:
    """Return ranks from 1, ties at their mean rank. Parameters: values, shape (rows,), none missing."""
    _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[codes]
    return ranks


def partial(r12: float, r13: float, r23: float) -> float:
    """Return the correlation of 1 and 2 with 3 held constant (Czech News, table 3).

    (r12 - r13 r23) / sqrt((1 - r13^2) (1 - r23^2)): of .9362 between both contexts, with .8787 and .8733 to R1, .726
    is left. (The table's own partial correlations do not follow from its pairwise ones.) NaN if 3 explains all.
    """
    unexplained = (1 - r13**2) * (1 - r23**2)
    return float(np.clip((r12 - r13 * r23) / np.sqrt(unexplained), -1, 1)) if unexplained > 0 else float("nan")


def correlations_of_random_subsets(
    x: Floats, y: Floats, *, size: int, draws: int, generator: np.random.Generator
) -> Floats:
    """Return Pearson's r in random subsets of the rows; their mean is the effect of a filter's size alone (Czech News,
    table 3, -rand).

    Parameters: one and other, shape (rows,); size, rows of a subset; draws, subsets.
    Returns: shape (draws,); NaN if r of a subset is not defined.

    Raises:
        ValueError: the subset is larger than the whole, or there are no draws.
    """
    if not 0 < size <= len(x) or draws < 1:
        raise ValueError(f"Cannot draw {size} of {len(x)} rows {draws} times.")
    chosen = [generator.choice(len(x), size, replace=False) for _ in range(draws)]
    return np.array([pearson(x[rows], y[rows]) for rows in chosen], dtype=np.float64)
