"""Each rater beside the others: bias, error, correlation, use of the scale, straight lines, speed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.stats.correlation import pearson
from scoring.stats.missing import complete, rows_of_each

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class RaterReport:
    """What one rater's answers look like; NaN where not defined."""

    ratings: int
    bias: float
    """Mean of own minus the mean of the others on the same items."""
    rmse: float
    """Root mean squared error against the mean of the others."""
    correlation: float
    """Pearson's r with the mean of the others."""
    scale_used: float
    """Distance from the lowest to the highest answer, as a share of the scale's length."""
    longest_run: int
    """The longest run of the same answer, in the order in which they were given."""
    median_seconds: float


@dataclass(frozen=True, eq=False)
class RaterCorrelations:
    """Pearson's r of each rater with the mean of the others, shapes (raters,), by ascending rater.

    pairs: the items that others rated too. pearson: NaN where not defined.
    """

    raters: Integers
    pairs: Integers
    pearson: Floats

    @property
    def defined(self) -> Floats:
        return self.pearson[~np.isnan(self.pearson)]

    @property
    def average(self) -> float:
        """What an average person reaches: the mean of the correlations that are defined; NaN where none is."""
        return _mean(self.defined)


def rater_correlations(items: Integers, raters: Integers, values: Floats) -> RaterCorrelations:
    """How each rater follows the others: the human ratings that STSS-131, appendix B, holds an algorithm against.

    Parameters: items and raters, from 0, and values, NaN for missing, shape (ratings,).
    Returns: everybody who shares an item with somebody else.
    """
    values, items, raters = complete(values, items, raters)
    sums, counts = np.bincount(items, weights=values), np.bincount(items)
    shared = counts[items] > 1
    items, raters, values = items[shared], raters[shared], values[shared]
    others = (sums[items] - values) / (counts[items] - 1)
    rows = rows_of_each(raters)
    return RaterCorrelations(
        np.array(list(rows), dtype=np.int64),
        np.array([len(own) for own in rows.values()], dtype=np.int64),
        np.array([pearson(values[own], others[own]) for own in rows.values()], dtype=np.float64),
    )


def rater_reports(
    items: Integers, raters: Integers, values: Floats, seconds: Floats, *, length: float
) -> list[RaterReport]:
    """A report for each rater, against the leave-one-out means of the items that others rated as well.

    Parameters: items and raters, from 0; values, NaN for missing; seconds, NaN where not measured; shape (ratings,),
        each rater's rows in the order in which they were given; length, maximum minus minimum of the scale.

    Raises:
        ValueError: a scale without length.
    """
    if length <= 0:
        raise ValueError("The scale needs a length above zero.")
    number = int(raters.max(initial=-1)) + 1
    present = ~np.isnan(values)
    items, raters, values, seconds = items[present], raters[present], values[present], seconds[present]
    sums, counts = np.bincount(items, weights=values), np.bincount(items)
    others = np.full(len(values), np.nan)
    np.divide(sums[items] - values, counts[items] - 1, out=others, where=counts[items] > 1)
    rows, none = rows_of_each(raters), np.zeros(0, np.int64)
    return [
        _report(values[own], others[own], seconds[own], length)
        for own in (rows.get(rater, none) for rater in range(number))
    ]


def _report(values: Floats, others: Floats, seconds: Floats, length: float) -> RaterReport:
    shared = ~np.isnan(others)
    differences = values[shared] - others[shared]
    timed = seconds[~np.isnan(seconds)]
    return RaterReport(
        ratings=len(values),
        bias=_mean(differences),
        rmse=float(np.sqrt(_mean(differences**2))),
        correlation=pearson(values[shared], others[shared]),
        scale_used=float(np.ptp(values)) / length if len(values) else float("nan"),
        longest_run=longest_run(values),
        median_seconds=float(np.median(timed)) if len(timed) else float("nan"),
    )


def longest_run(values: Floats) -> int:
    """Length of the longest run of equal values; 0 of none."""
    if not len(values):
        return 0
    breaks = np.flatnonzero(np.diff(values)) + 1
    return int(np.max(np.diff(np.concatenate(([0], breaks, [len(values)])))))


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else float("nan")
