"""Intervals of correlations by leaving out a part of the data in turn."""

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

Floats = NDArray[np.float64]
MOST_GROUPS = 100
"""Rows or items beyond this number are left out in groups (Kott 2001, Journal of Official Statistics 17, 521-526)."""
ROUNDING = 1e-12
"""The distance from 1 and -1 below which a correlation has no interval."""


class Ends(NamedTuple):
    low: float
    high: float


def fisher_jackknife(centre: float, each: Floats) -> Ends:
    """Return the 95 % interval of a correlation, tanh(centre -+ t s) with s^2 = (g - 1) / g sum_j (Z_j - mean)^2.

    This is the jackknife of Tukey (1958) on Fisher's Z, as in Miller (1974, Biometrika 61, 1-15). t has g - 1 degrees
    of freedom.

    Parameters: centre, Fisher's Z of all data; each, Z_j without each of the parts, shape (g,).
    """
    groups = len(each)
    error = np.sqrt((groups - 1) / groups * ((each - each.mean()) ** 2).sum())
    reach = float(scipy.special.stdtrit(groups - 1, 0.975)) * error
    return Ends(float(np.tanh(centre - reach)), float(np.tanh(centre + reach)))
