"""The density of values between two ends, as violins show it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.figures.values import Observed

Floats = NDArray[np.float64]
FINE = 401
DRAWN, MINIMUM = 4, 5
"""Every fourth of the fine points is drawn: 101."""


@dataclass(frozen=True, eq=False)
class Density:
    """at, height: shape (points,). peaks: where the density is higher than around, by 5 % of its maximum or more."""

    at: Floats
    height: Floats
    peaks: tuple[float, ...]


def density(observed: Observed, low: float, high: float) -> Density | None:
    """Return the kernel density of values from low to high; None with fewer than five values, or no two different ones.

    The kernel is Gaussian, with the bandwidth .9 min(s, IQR / 1.34) n^(-1/5) of Silverman (1986, eq. 3.31), or s if
    half of the values are equal. Density beyond an end is reflected, so that the area stays 1. Values
    are put on a grid of 401 points first: the work is linear in their number.
    """
    values = observed.values
    if observed.number < MINIMUM or values[0] == values[-1]:
        return None
    grid = np.linspace(low, high, FINE)
    width = float(grid[1] - grid[0])
    weights = np.bincount(np.rint((values - low) / width).astype(np.int64), minlength=FINE) / len(values)
    spread = observed.quantile(0.75) - observed.quantile(0.25)
    narrower = min(observed.deviation, spread / 1.34) if spread else observed.deviation
    bandwidth = max(0.9 * narrower * len(values) ** -0.2, width)
    height = sum(_kernel(grid, centre, bandwidth) @ weights for centre in (grid, 2 * low - grid, 2 * high - grid))
    return Density(grid[::DRAWN], np.round(height, 6)[::DRAWN], _peaks(grid, np.asarray(height)))


def _kernel(grid: Floats, centre: Floats, bandwidth: float) -> Floats:
    distance = (grid[:, None] - centre[None, :]) / bandwidth
    return np.asarray(np.exp(-(distance**2) / 2) / (bandwidth * np.sqrt(2 * np.pi)))


def _peaks(grid: Floats, height: Floats) -> tuple[float, ...]:
    """Return the peaks from which the density falls by 5 % of its maximum, after valleys from which it rises as much.

    These are the peaks of that prominence. (scipy.signal finds them as well, but takes a second to load.)
    """
    heights, threshold = [*height.tolist(), 0.0], 0.05 * float(height.max())
    peaks: list[float] = []
    extreme, rising = 0, True
    for place, value in enumerate(heights):
        if rising and value < heights[extreme] - threshold:
            peaks.append(float(grid[extreme]))
            extreme, rising = place, False
        elif not rising and value > heights[extreme] + threshold:
            extreme, rising = place, True
        elif (value > heights[extreme]) == rising:
            extreme = place
    return tuple(peaks)
