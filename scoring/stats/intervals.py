"""Agreement with its interval, quick enough to be taken every minute."""

from dataclasses import dataclass

import numpy as np

from scoring.stats.people import Floats, Integers

REPLICATES = 1000
LEVEL = (2.5, 97.5)
CELLS_AT_ONCE = 2_000_000


@dataclass(frozen=True)
class Interval:
    """A figure with its 95 % interval; NaN where not defined."""

    value: float
    low: float
    high: float


def alpha_with_interval(
    units: Integers, values: Floats, generator: np.random.Generator, *, replicates: int = REPLICATES
) -> Interval:
    """Krippendorff's alpha at interval level, with the percentiles of a bootstrap over units.

    alpha = 1 - (n - 1) sum_u 2 m_u s_u / (m_u - 1) / (2 (n Q - S^2)) with the number m, sum, squares and squared
    deviations s of each unit's values, so a replicate is a weighted sum over units. A unit with one value is left out.
    Krippendorff's own example of four raters and twelve units has .849.

    Parameters: units, from 0, and values without NaN, shape (ratings,).
    Returns: NaN where no unit has two values or all values are equal.
    """
    sizes = np.bincount(units)
    paired = sizes[units] > 1
    units, values = units[paired], values[paired]
    if not len(values) or np.ptp(values) == 0:
        return Interval(np.nan, np.nan, np.nan)
    values = values - values.mean()
    parts = _parts(units, values)
    spread = np.concatenate(list(_replicates(parts, generator, replicates)))
    low, high = np.nanpercentile(spread, LEVEL) if not np.isnan(spread).all() else (np.nan, np.nan)
    return Interval(float(_alphas(parts.sum(axis=0, keepdims=True))[0]), float(low), float(high))


def _parts(units: Integers, values: Floats) -> Floats:
    """Of each unit: number of values, sum, sum of squares, disagreement; shape (units, 4)."""
    number = np.bincount(units)
    sums, squares = np.bincount(units, weights=values), np.bincount(units, weights=values**2)
    kept = number > 1
    number, sums, squares = number[kept], sums[kept], squares[kept]
    within = 2 * number * (squares - sums**2 / number) / (number - 1)
    return np.stack([number.astype(np.float64), sums, squares, within], axis=1)


def _replicates(parts: Floats, generator: np.random.Generator, replicates: int):  # type: ignore[no-untyped-def]
    """Alphas of units drawn with replacement, some replicates at a time."""
    number = len(parts)
    at_once = max(1, CELLS_AT_ONCE // number)
    for start in range(0, replicates, at_once):
        drawn = generator.multinomial(number, np.full(number, 1 / number), size=min(at_once, replicates - start))
        yield _alphas(drawn @ parts)


def _alphas(sums: Floats) -> Floats:
    number, total, squares, within = sums.T
    expected = 2 * (number * squares - total**2)
    found = np.full(len(sums), np.nan)
    np.divide((number - 1) * within, expected, out=found, where=expected > 1e-12)
    return 1 - found
