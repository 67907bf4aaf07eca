"""How far raters agree on a scale: with their stack, with each other, with themselves, and with an oracle."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.stats.correlation import pearson, spearman

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Agreement:
    """Two columns of values compared over all rows at once; NaN where not defined."""

    pearson: float
    spearman: float
    rmse: float
    mse: float


@dataclass(frozen=True)
class IntraclassCorrelation:
    """One-way random effects: of a single rating, and of the mean of an item's ratings."""

    icc1: float
    icc1k: float


def agreement(one: Floats, other: Floats) -> Agreement:
    """Pearson and Spearman correlation, root mean squared error and mean squared error (Czech News, table 1).

    Parameters: one and other, shape (rows,).
    """
    mse = float(np.mean((one - other) ** 2)) if len(one) else float("nan")
    return Agreement(pearson(one, other), spearman(one, other), float(np.sqrt(mse)), mse)


def inter_annotator(items: Integers, values: Floats) -> Agreement:
    """Every rating against the mean of its own stack, itself included (Czech News 6, table 1: r = .861).

    Parameters: items, from 0, and values, shape (ratings,).
    """
    sums, counts = _sums(items, values)
    return agreement(values, (sums / np.maximum(counts, 1))[items])


def leave_one_out(items: Integers, values: Floats) -> Agreement:
    """Every rating against the mean of the others of its stack; single ratings have no others and are left out."""
    sums, counts = _sums(items, values)
    shared = counts[items] > 1
    others = (sums[items] - values)[shared] / (counts[items] - 1)[shared]
    return agreement(values[shared], others)


def intra_annotator(before: Floats, after: Floats) -> Agreement:
    """The same people's ratings of the same pairs at two times (Czech News 6, table 1: r = .746).

    Parameters: before and after, shape (ratings,), row by row the same person and pair.
    """
    return agreement(before, after)


def intraclass_correlation(items: Integers, values: Floats) -> IntraclassCorrelation:
    """ICC(1,1) and ICC(1,k) from a one-way analysis of variance (Shrout and Fleiss 1979).

    With unequal numbers of ratings, k of ICC(1,1) is n0 = (N - sum n_i^2 / N) / (items - 1). NaN with fewer than two
    items, no item rated twice, or no variance at all.

    Parameters: items, from 0, and values, shape (ratings,).
    """
    sums, counts = _sums(items, values)
    rated = counts > 0
    sums, counts = sums[rated], counts[rated]
    total, groups = int(counts.sum()), len(counts)
    if groups < 2 or total <= groups:
        return IntraclassCorrelation(float("nan"), float("nan"))
    within = _within(items, values)
    between = float(np.sum(counts * (sums / counts - values.mean()) ** 2)) / (groups - 1)
    within /= total - groups
    k = (total - float(np.sum(counts.astype(np.float64) ** 2)) / total) / (groups - 1)
    return IntraclassCorrelation(
        _ratio(between - within, between + (k - 1) * within), _ratio(between - within, between)
    )


def mse_bound(items: Integers, values: Floats) -> float:
    """The least mean squared error that any model can have against the means (Czech News 6: 0.1731).

    The mean over pairs of (n - 1) / (n - 3) * s^2 / n, the variance of Student's t with n - 1 degrees of freedom
    times s^2 / n; the paper has n = 9 and prints 8/6 as 1.3. Defined for more than three ratings only: pairs with
    fewer are left out, and NaN is returned where none is left.

    Parameters: items, from 0, and values, shape (ratings,).
    """
    sums, counts = _sums(items, values)
    means = sums / np.maximum(counts, 1)
    squares = np.bincount(items, weights=(values - means[items]) ** 2, minlength=len(counts))
    enough = counts > 3
    n = counts[enough]
    if not len(n):
        return float("nan")
    variance = squares[enough] / (n - 1)
    return float(np.mean((n - 1) / (n - 3) * variance / n))


def _sums(items: Integers, values: Floats) -> tuple[Floats, Integers]:
    """Sum and number of the ratings of each item."""
    return np.bincount(items, weights=values).astype(np.float64), np.bincount(items).astype(np.int64)


def _within(items: Integers, values: Floats) -> float:
    sums, counts = _sums(items, values)
    return float(np.sum((values - (sums / np.maximum(counts, 1))[items]) ** 2))


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator > 0 else float("nan")
