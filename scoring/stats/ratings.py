"""Scores of rated items."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from functools import lru_cache
from math import lcm, sqrt


@dataclass(frozen=True)
class MeanAndDeviation:
    """Mean and standard deviation of the ratings of one item; the deviation is None for a single rating."""

    mean: Fraction
    deviation: float | None


def mean_and_deviation(values: Sequence[float]) -> MeanAndDeviation:
    """Return mean, and standard deviation with n - 1, of the ratings of one item (STSS-131, table 1, columns X and S).

    The mean is exact, so that halves are rounded to even correctly: 2.675 is no binary number. DSCS's `weighted_mean`
    is the same number.

    Parameters: values, shape (ratings,), points of a decimal scale.

    Raises:
        ValueError: there are no ratings.
    """
    if not values:
        raise ValueError("An item without ratings has no mean.")
    exact, number = [_exact(float(value)) for value in values], len(values)
    parts = lcm(*{value.denominator for value in exact})
    whole = [value.numerator * (parts // value.denominator) for value in exact]
    total = sum(whole)
    mean = Fraction(total, number * parts)
    if number == 1:
        return MeanAndDeviation(mean, None)
    squares = Fraction(number * sum(value * value for value in whole) - total * total, number * parts * parts)
    return MeanAndDeviation(mean, sqrt(squares / (number - 1)))


@lru_cache(maxsize=2048)
def _exact(value: float) -> Fraction:
    """Return the number that the shortest decimal of a float means; a scale has few of them."""
    return Fraction(repr(value))


def weighted_mean(values: Sequence[float], weights: Sequence[float]) -> Fraction:
    """Return sum w_i s_i / sum w_i, with the share of the responses w_i that have the value s_i (DSCS 4.1, eq. 2-3).

    It equals the mean of the responses, exactly; numbers of responses can be used as well as shares.

    Parameters: values and weights, shape (values,), points of a decimal scale and how often each was answered.

    Raises:
        ValueError: weights are negative or sum to zero.
    """
    exact = [Fraction(repr(float(weight))) for weight in weights]
    total = sum(exact, Fraction(0))
    if not total or min(exact) < 0:
        raise ValueError("A weighted mean needs non-negative weights with a positive sum.")
    return sum((w * Fraction(repr(float(s))) for w, s in zip(exact, values, strict=True)), Fraction(0)) / total


def rounded(value: Fraction | float, decimals: int) -> Decimal:
    """Return a number with that many decimals, halves to the even neighbour."""
    exact = value if isinstance(value, Fraction) else Fraction(repr(float(value)))
    scaled = exact * 10**decimals
    return Decimal(round(scaled)).scaleb(-decimals).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_EVEN)
