"""What is forecast of a collection."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST_JUDGMENTS = 64
"""Judgments of an item, or answers of a tuple, beyond which nobody plans."""


@dataclass(frozen=True)
class Range:
    """Mean, 2.5 and 97.5 percentiles over the collections that were simulated; NaN where it is not defined."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Floats) -> "Range":
        """Parameters: values, shape (collections,), NaN where a collection has none."""
        defined = values[~np.isnan(values)]
        if not len(defined):
            return cls(float("nan"), float("nan"), float("nan"))
        low, high = np.percentile(defined, [2.5, 97.5])
        return cls(float(defined.mean()), float(low), float(high))


@dataclass(frozen=True)
class Forecast:
    """people: judgments of each item, or answers to each tuple. reliability: split-half, Spearman's (SemRel2024 3.2),
    not defined for a single judgment. truth: Spearman's correlation of the scores with what they estimate. half_width:
    of the 95 % interval of an item's score, in points of the scale for ratings, on [-1, 1] for best-worst scores."""

    people: int
    reliability: Range
    truth: Range
    half_width: float
