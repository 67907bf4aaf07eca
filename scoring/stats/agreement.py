"""Agreement of raters on a scale: with their stack, with each other, with themselves, and with an oracle."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.stats.correlation import pearson, spearman
from scoring.stats.missing import complete

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

MAXIMUM_DECIMALS = 9


@dataclass(frozen=True)
class Agreement:
    """Two columns of values compared over all rows at once; NaN if not defined."""

    pearson: float
    spearman: float
    rmse: float
    mse: float


@dataclass(frozen=True)
class IntraclassCorrelation:
    """One-way random effects: for a single rating, and for the mean of an item's ratings."""

    icc1: float
    icc1k: float


def agreement(x: Floats, y: Floats) -> Agreement:
    """Return Pearson and Spearman correlation, root mean squared error and mean squared error (Czech News, table 1).

    Parameters: one and other, shape (rows,); rows with a missing value (NaN) are left out.
    """
    x, y = complete(x, y)
    mse = float(np.mean((x - y) ** 2)) if len(x) else float("nan")
    return Agreement(pearson(x, y), spearman(x, y), float(np.sqrt(mse)), mse)


def inter_annotator(items: Integers, values: Floats) -> Agreement:
    """Return the agreement of every rating with the mean of its whole stack (Czech News 6, table 1: r = .861).

    The correlation is over all ratings at once, not the mean of the people's. A single rating is its own mean, so items
    with one rating are left out.

    Parameters: items, from 0, and values, NaN for missing, shape (ratings,).
    Returns: NaN without an item that was rated twice.
    """
    _, values, means = with_stack(items, values)
    return agreement(values, means)


def leave_one_out(items: Integers, values: Floats) -> Agreement:
    """Return the agreement of every rating with the mean of the others of its stack, (sum - own) / (n - 1), over all.

    Single ratings have no others and are left out. Parameters are those of `inter_annotator`.
    """
    _, values, means = with_others(items, values)
    return agreement(values, means)


def with_stack(items: Integers, values: Floats) -> tuple[Integers, Floats, Floats]:
    """Return the items and ratings of `inter_annotator`, and the mean of each rating's stack, shape (compared,)."""
    values, items = complete(values, items)
    stacks = _stacks(items, values)
    shared = stacks.counts[items] > 1
    means = stacks.sums / (np.maximum(stacks.counts, 1) * stacks.unit)
    return items[shared], values[shared], means[items[shared]]


def with_others(items: Integers, values: Floats) -> tuple[Integers, Floats, Floats]:
    """Return the items and ratings of `leave_one_out`, and the mean of the others of each, shape (compared,)."""
    values, items = complete(values, items)
    stacks = _stacks(items, values)
    shared = stacks.counts[items] > 1
    means = (stacks.sums[items] - stacks.steps)[shared] / ((stacks.counts[items] - 1)[shared] * stacks.unit)
    return items[shared], values[shared], means


def intraclass_correlation(items: Integers, values: Floats) -> IntraclassCorrelation:
    """Return ICC(1,1) and ICC(1,k) from a one-way analysis of variance (Shrout and Fleiss 1979).

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
    """Return what Czech News 6 calls the least mean squared error of any model against the means (0.1731 there).

    It is no bound: a model that knows the true means reaches `mse_oracle`, which is smaller by the factor.

    It is the mean over pairs of (n - 1) / (n - 3) * s^2 / n, the variance of Student's t with n - 1 degrees of freedom
    times s^2 / n; the paper has n = 9 and prints 8/6 as 1.3. It is defined for more than three ratings only: pairs with
    fewer are left out, and NaN is returned if none is left.

    Parameters: items, from 0, and values, NaN for missing, shape (ratings,).
    Returns: in squared points of the scale.
    """
    n, variances = _variances(items, values, fewest=4)
    return float(np.mean((n - 1) / (n - 3) * variances / n)) if len(n) else float("nan")


def mse_oracle(items: Integers, values: Floats) -> float:
    """Return the mean squared error against the means that a model with all true means is expected to have.

    It is the mean over pairs of s^2 / n, the variance of a mean of n independent ratings. Pairs with a single rating
    are left out, and NaN is returned if none is left.

    Parameters: items, from 0, and values, NaN for missing, shape (ratings,).
    Returns: in squared points of the scale.
    """
    n, variances = _variances(items, values, fewest=2)
    return float(np.mean(variances / n)) if len(n) else float("nan")


def _variances(items: Integers, values: Floats, *, fewest: int) -> tuple[Integers, Floats]:
    """Return the number of ratings and their variance (n - 1), of each item with at least `fewest` ratings."""
    values, items = complete(values, items)
    stacks = _stacks(items, values)
    enough = stacks.counts >= fewest
    n = stacks.counts[enough]
    return n, _squares(items, stacks)[enough] / stacks.unit**2 / (n - 1)


@dataclass(frozen=True, eq=False)
class _Stacks:
    """steps: shape (ratings,), the ratings in units of 1 / unit. sums, counts: shape (items,), of an item's steps."""

    steps: Floats
    unit: float
    sums: Floats
    counts: Integers


def _stacks(items: Integers, values: Floats) -> _Stacks:
    """Return ratings on a decimal scale as whole numbers: their sums have no rounding errors, so that equal means tie.

    (.1 + .2 + .3) / 3 and (.3 + .2 + .1) / 3 are not the same float. Ratings with more decimals are not changed.
    """
    steps, unit = values, 1.0
    for decimals in range(MAXIMUM_DECIMALS + 1):
        whole = np.round(values * 10.0**decimals)
        if (whole / 10.0**decimals == values).all():
            steps, unit = whole, 10.0**decimals
            break
    sums = np.bincount(items, weights=steps).astype(np.float64)
    return _Stacks(steps, unit, sums, np.bincount(items).astype(np.int64))


def _squares(items: Integers, stacks: _Stacks) -> Floats:
    """Return the squared deviations, in steps, from the mean of their stack, summed for each item."""
    means = stacks.sums / np.maximum(stacks.counts, 1)
    return np.bincount(items, weights=(stacks.steps - means[items]) ** 2, minlength=len(means)).astype(np.float64)


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator > 0 else float("nan")
