"""Intervals of the means of items that were rated a few times."""

import numpy as np
import scipy
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
FEWEST_DEGREES = 50  # of freedom of all variances, from which those of single items are estimated
QUANTILE = 0.975
MOST_DEGREES = 1e6


def mean_intervals(number: Integers, deviations: Floats) -> Floats:
    """Return half of the 95 % interval of each item's mean rating, by the moderated t of Smyth (2004, Statistical
    Applications in Genetics and Molecular Biology 3, article 3).

    Equal ratings of an item do not mean that everybody would rate it so: with two ratings, Student's interval has the
    true mean in 64 % of the items. So the variance of an item is s^2 = (d0 s0^2 + d si^2) / (d0 + d), between its own
    variance si^2 with d = n - 1 degrees of freedom and that of all items, and t has d0 + d degrees of freedom. Prior
    variance and degrees are those with the mean p = s0^2 d0 / (d0 - 2) of the items' variances and their true spread,
    2 p^2 / (d0 - 4) (method of moments).

    Parameters: number of ratings and their standard deviations (n - 1), NaN for a single one, shape (items,).
    Returns: shape (items,); NaN for an item rated once, for fewer than 50 ratings beyond the first of each item, and
        if no rating varies.
    """
    half, own = np.full(len(number), np.nan), number > 1
    degrees, variances = number[own] - 1.0, deviations[own] ** 2
    if degrees.sum() < FEWEST_DEGREES or not variances.any():
        return half
    mean = float(degrees @ variances / degrees.sum())
    spread = float((variances**2 / (1 + 2 / degrees)).mean()) - mean**2
    prior = min(2 * mean**2 / spread + 4, MOST_DEGREES) if spread > 0 else MOST_DEGREES
    moderated = (mean * (prior - 2) + degrees * variances) / (prior + degrees)
    half[own] = scipy.special.stdtrit(prior + degrees, QUANTILE) * np.sqrt(moderated / number[own])
    return half
