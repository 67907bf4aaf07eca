"""The forecast of a collection."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.stats.reliability import full_length

Floats = NDArray[np.float64]

MAXIMUM_JUDGMENTS = 64
"""Judgments of an item, or answers to a tuple, beyond which nobody plans."""


@dataclass(frozen=True)
class Range:
    """Mean, 2.5 and 97.5 percentiles over the simulated collections; NaN if it is not defined."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Floats) -> "Range":
        """Return the range of values, shape (collections,), NaN for a collection without one."""
        defined = values[~np.isnan(values)]
        if not len(defined):
            return cls(float("nan"), float("nan"), float("nan"))
        low, high = np.percentile(defined, [2.5, 97.5])
        return cls(float(defined.mean()), float(low), float(high))


@dataclass(frozen=True)
class Forecast:
    """people: judgments of each item, or answers to each tuple. reliability: split-half, Spearman's (SemRel2024 3.2),
    not defined for a single judgment. truth: Spearman's correlation of the scores with the true values. half_width:
    of the 95 % interval of an item's score, in points of the scale for ratings, on [0, 1] for best-worst scores; see
    `informative_width`."""

    people: int
    reliability: Range
    truth: Range
    half_width: float

    @property
    def full_length(self) -> float:
        """Return the reliability of all judgments, of which the split-half reliability is that of half."""
        return full_length(self.reliability.mean)


def informative_width(half_width: float, length: float) -> float:
    """Return half of an interval on a scale of this length; NaN if the interval would be as wide as the scale, so that
    too few judgments tell nothing about a score."""
    return half_width if half_width < length / 2 else float("nan")
