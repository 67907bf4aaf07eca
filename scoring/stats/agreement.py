"""How far raters agree on a scale: with their stack, with each other, with themselves, and with an oracle."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.stats.correlation import pearson, spearman
from scoring.stats.missing import complete

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

MOST_DECIMALS = 9


@dataclass(frozen=True)
class Agreement:
    """Two columns of values compared over all rows at once; NaN where not defined."""

    pearson: float
    spearman: float
    rmse: float
    mse: float


@dataclass(frozen=True)
class IntraAnnotator:
    """People with themselves: over all ratings, free of context, and dependent on it."""

    both: Agreement
    free: Agreement
    dependent: Agreement


@dataclass(frozen=True)
class IntraclassCorrelation:
    """One-way random effects: of a single rating, and of the mean of an item's ratings."""

    icc1: float
    icc1k: float


def agreement(one: Floats, other: Floats) -> Agreement:
    """Pearson and Spearman correlation, root mean squared error and mean squared error (Czech News, table 1).

    Parameters: one and other, shape (rows,); rows with a missing value (NaN) are left out.
    """
    one, other = complete(one, other)
    mse = float(np.mean((one - other) ** 2)) if len(one) else float("nan")
    return Agreement(pearson(one, other), spearman(one, other), float(np.sqrt(mse)), mse)


def inter_annotator(items: Integers, values: Floats) -> Agreement:
    """Every rating against the mean of its own stack, itself included (Czech News 6, table 1: r = .861).

    The correlation is over all ratings at once, not the mean of the people's.

    Parameters: items, from 0, and values, NaN for missing, shape (ratings,).
    """
    values, items = complete(values, items)
    stacks = _stacks(items, values)
    return agreement(values, (stacks.sums / (np.maximum(stacks.counts, 1) * stacks.unit))[items])


def leave_one_out(items: Integers, values: Floats) -> Agreement:
    """Every rating against the mean of the others of its stack, (sum - own) / (n - 1), over all ratings at once.

    Single ratings have no others and are left out. Parameters as `inter_annotator`.
    """
    values, items = complete(values, items)
    stacks = _stacks(items, values)
    shared = stacks.counts[items] > 1
    others = (stacks.sums[items] - stacks.steps)[shared] / ((stacks.counts[items] - 1)[shared] * stacks.unit)
    return agreement(values[shared], others)


def intra_annotator(before: Floats, after: Floats) -> Agreement:
    """The same people's ratings of the same pairs at two times (Czech News 6, table 1: r = .746).

    Parameters: before and after, shape (ratings,), row by row the same person and pair; NaN where not answered.
    """
    return agreement(before, after)


def intra_annotator_by_context(before: Floats, after: Floats, dependent: Booleans) -> IntraAnnotator:
    """The same over all ratings, and apart for those without and with context (Czech News 4, Fig. 7: both versions).

    Parameters: before and after as `intra_annotator`; dependent, shape (ratings,), whether the context was shown.
    """
    return IntraAnnotator(
        intra_annotator(before, after),
        intra_annotator(before[~dependent], after[~dependent]),
        intra_annotator(before[dependent], after[dependent]),
    )


def intraclass_correlation(items: Integers, values: Floats) -> IntraclassCorrelation:
    """ICC(1,1) and ICC(1,k) from a one-way analysis of variance (Shrout and Fleiss 1979).

    (B - W) / (B + (k - 1) W) and (B - W) / B, with the mean squares B between items and W within them; their example of
    six targets and four judges has .17 and .44.

    With unequal numbers of ratings, k of ICC(1,1) is n0 = (N - sum n_i^2 / N) / (items - 1). NaN with fewer than two
    items, no item rated twice, or no variance at all.

    Parameters: items, from 0, and values, NaN for missing, shape (ratings,).
    """
    values, items = complete(values, items)
    stacks = _stacks(items, values)
    rated = stacks.counts > 0
    sums, counts = stacks.sums[rated], stacks.counts[rated]
    total, groups = int(counts.sum()), len(counts)
    if groups < 2 or total <= groups or np.ptp(values) == 0:
        return IntraclassCorrelation(float("nan"), float("nan"))
    within = float(_squares(items, stacks).sum()) / (total - groups)
    between = float(np.sum(counts * (sums / counts - sums.sum() / total) ** 2)) / (groups - 1)
    k = (total - float(np.sum(counts.astype(np.float64) ** 2)) / total) / (groups - 1)
    return IntraclassCorrelation(
        _ratio(between - within, between + (k - 1) * within), _ratio(between - within, between)
    )


def mse_bound(items: Integers, values: Floats) -> float:
    """The least mean squared error that any model can have against the means (Czech News 6: 0.1731).

    The mean over pairs of (n - 1) / (n - 3) * s^2 / n, the variance of Student's t with n - 1 degrees of freedom
    times s^2 / n; the paper has n = 9 and prints 8/6 as 1.3. Defined for more than three ratings only: pairs with
    fewer are left out, and NaN is returned where none is left.

    Parameters: items, from 0, and values, NaN for missing, shape (ratings,).
    Returns: in squared points of the scale.
    """
    values, items = complete(values, items)
    stacks = _stacks(items, values)
    enough = stacks.counts > 3
    n = stacks.counts[enough]
    if not len(n):
        return float("nan")
    variance = _squares(items, stacks)[enough] / stacks.unit**2 / (n - 1)
    return float(np.mean((n - 1) / (n - 3) * variance / n))


@dataclass(frozen=True, eq=False)
class _Stacks:
    """steps: shape (ratings,), the ratings in units of 1 / unit. sums, counts: shape (items,), of an item's steps."""

    steps: Floats
    unit: float
    sums: Floats
    counts: Integers


def _stacks(items: Integers, values: Floats) -> _Stacks:
    """Points of a decimal scale are summed as whole numbers, without rounding errors: equal means are equal, and tie.

    (.1 + .2 + .3) / 3 and (.3 + .2 + .1) / 3 are not the same float. Ratings with more decimals stay as they are.
    """
    steps, unit = values, 1.0
    for decimals in range(MOST_DECIMALS + 1):
        whole = np.round(values * 10.0**decimals)
        if (whole / 10.0**decimals == values).all():
            steps, unit = whole, 10.0**decimals
            break
    sums = np.bincount(items, weights=steps).astype(np.float64)
    return _Stacks(steps, unit, sums, np.bincount(items).astype(np.int64))


def _squares(items: Integers, stacks: _Stacks) -> Floats:
    """Squared deviations, in steps, from the mean of its stack, summed for each item."""
    means = stacks.sums / np.maximum(stacks.counts, 1)
    return np.bincount(items, weights=(stacks.steps - means[items]) ** 2, minlength=len(means)).astype(np.float64)


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator > 0 else float("nan")
