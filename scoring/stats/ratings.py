"""Scores of rated items."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from math import sqrt


@dataclass(frozen=True)
class MeanAndDeviation:
    """Of the ratings of one item; the deviation is None for a single rating."""

    mean: Fraction
    deviation: float | None


def mean_and_deviation(values: Sequence[float]) -> MeanAndDeviation:
    """Mean, and standard deviation with n - 1, of the ratings of one item (STSS-131, table 1, columns X and S).

    The mean is exact, so that rounding half to even sees a half where there is one: 2.675 is no binary number.
    DSCS's weighted mean (eq. 2-3, weights by frequency) is the same number.

    Parameters: values, shape (ratings,), points of a decimal scale.

    Raises:
        ValueError: no ratings.
    """
    if not values:
        raise ValueError("An item without ratings has no mean.")
    exact = [Fraction(repr(float(value))) for value in values]
    mean = sum(exact, Fraction(0)) / len(exact)
    if len(exact) == 1:
        return MeanAndDeviation(mean, None)
    squares = sum(((value - mean) ** 2 for value in exact), Fraction(0))
    return MeanAndDeviation(mean, sqrt(squares / (len(exact) - 1)))


def rounded(value: Fraction | float, decimals: int) -> Decimal:
    """A number with that many decimals, halves to the even neighbour."""
    exact = value if isinstance(value, Fraction) else Fraction(repr(float(value)))
    scaled = exact * 10**decimals
    return Decimal(round(scaled)).scaleb(-decimals).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_EVEN)
