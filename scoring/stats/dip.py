"""Hartigan's dip test: whether the answers to an item have one mode or more."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
SIMULATIONS = 1_999  # the smallest p-value is 1 / 2,000
SEED = 1985
ROUNDING = 1e-9  # of two dips that are equal


def dip(values: Sequence[float] | Floats) -> float:
    """Return the greatest distance between the distribution of the values and the closest one with a single mode.

    The algorithm is that of Hartigan and Hartigan (1985, The Annals of Statistics 13, section 3): left of the modal
    interval the closest distribution is the greatest convex minorant, right of it the least concave majorant, and
    the interval shrinks until the two are no farther apart than the distances found outside of it.

    Parameters: values, shape (n,), in any order.
    Returns: from 1 / (2 n) to 1/4.

    Raises:
        ValueError: there are no values.
    """
    if not len(values):
        raise ValueError("The dip needs at least one value.")
    points, counts = np.unique(np.asarray(values, dtype=np.float64), return_counts=True)
    through = np.cumsum(counts)
    x, below, up_to = points.tolist(), (through - counts).tolist(), through.tolist()
    widest, low, high = 1.0, 0, len(x) - 1
    while True:
        convex, concave = _hull(x, below, low, high, 1), _hull(x, up_to, low, high, -1)
        minorant, majorant = _line(x, below, convex), _line(x, up_to, concave)
        gap, left, right = _widest_gap(low, convex, concave, minorant, majorant)
        if gap <= widest:
            break
        widest = max(
            widest,
            *(up_to[at] - minorant[at - low] for at in range(low, left)),
            *(majorant[at - low] - below[at] for at in range(right + 1, high + 1)),
            0.0,
        )
        if (left, right) == (low, high):
            break
        low, high = left, right
    return float(widest / (2 * len(values)))


def _hull(x: list[float], y: list[float], low: int, high: int, sign: int) -> list[int]:
    """Return the points of the greatest convex minorant (sign 1) or of the least concave majorant (sign -1)."""
    hull: list[int] = []
    for at in range(low, high + 1):
        while len(hull) > 1:
            start, middle = hull[-2], hull[-1]
            turn = (x[middle] - x[start]) * (y[at] - y[start]) - (y[middle] - y[start]) * (x[at] - x[start])
            if sign * turn > 0:
                break
            hull.pop()
        hull.append(at)
    return hull


def _line(x: list[float], y: list[float], hull: list[int]) -> list[float]:
    """Return the height of the straight lines between the points of a hull at every point."""
    heights = [float(y[hull[0]])]
    for start, end in pairwise(hull):
        slope = (y[end] - y[start]) / (x[end] - x[start])
        heights += [y[start] + slope * (x[at] - x[start]) for at in range(start + 1, end + 1)]
    return heights


def _widest_gap(
    low: int, convex: list[int], concave: list[int], minorant: list[float], majorant: list[float]
) -> tuple[float, int, int]:
    """Return the widest gap between the two hulls at a point of either, and the modal interval that it leaves."""
    by_convex = max(convex, key=lambda at: majorant[at - low] - minorant[at - low])
    by_concave = max(concave, key=lambda at: majorant[at - low] - minorant[at - low])
    gaps = [majorant[at - low] - minorant[at - low] for at in (by_convex, by_concave)]
    if gaps[0] > gaps[1]:
        return gaps[0], by_convex, min(at for at in concave if at >= by_convex)
    return gaps[1], max(at for at in convex if at <= by_concave), by_concave


def spread_ties(values: Sequence[float] | Floats, step: float) -> Floats:
    """Return the values in order, equal ones spread evenly over the step of the scale around them.

    On a scale with few values everybody answers one of them. Without this, two neighbouring values such as 3 and 4
    would be two modes, although they are what one mode between them gives.
    """
    points, counts = np.unique(np.asarray(values, dtype=np.float64), return_counts=True)
    places = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    each = np.repeat(counts, counts)
    return np.asarray(np.repeat(points, counts) + step * ((places + 0.5) / each - 0.5))


def p_of_dip(found: float, number: int) -> float:
    """Return the p-value of a dip of `number` values: the share of samples of the uniform distribution that have at
    least this dip, this sample included (section 5: the uniform is the hardest distribution with one mode)."""
    null = _dips_of_uniform(number)
    return float((len(null) - np.searchsorted(null, found - ROUNDING) + 1) / (len(null) + 1))


@lru_cache(maxsize=256)
def _dips_of_uniform(number: int) -> Floats:
    samples = np.random.default_rng([SEED, number]).random((SIMULATIONS, number))
    return np.sort([dip(sample) for sample in samples])
