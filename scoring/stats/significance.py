"""Two-sided tests of correlations against no correlation."""

import sys
from dataclasses import dataclass
from math import nan

import numpy as np
import scipy

from scoring.stats.comparing import ROUNDING

SMALLEST = sys.float_info.min
"""The smallest p-value reported, 2.2e-308: numbers closer to 0 lose their digits, and no p-value is 0."""
FEWEST = 3  # rows, for one degree of freedom


@dataclass(frozen=True)
class Significance:
    """p: two-sided; `SMALLEST` stands for this or less. degrees: of freedom, of Student's t. Both are NaN if r is not
    defined."""

    degrees: float
    p: float


UNDEFINED = Significance(nan, nan)


def significance(r: float, rows: int, held: int = 0) -> Significance:
    """Return the test of Pearson's r of independent rows against 0: t = r sqrt(degrees / (1 - r^2)).

    STSS-131, appendix A, 2, asks for r with its significance. p is the regularised incomplete beta function of 1 - r^2
    with degrees / 2 and 1 / 2, which keeps its digits where 1 - P(t) would be rounded to 0. Of Spearman's rho p is an
    approximation, as it is in most programs.

    Parameters: r, NaN if not defined; rows, n; held, how many variables are held constant (a partial correlation).
    Returns: n - 2 - held degrees of freedom; NaN for fewer than three rows, and for a correlation of 1 or -1.
    """
    degrees = rows - held - 2
    if degrees < FEWEST - 2 or not abs(r) < 1 - ROUNDING:
        return UNDEFINED
    return Significance(float(degrees), two_sided(degrees, (1 - r) * (1 + r)))


def two_sided(degrees: float, unexplained: float) -> float:
    """Return the two-sided p-value of t, from degrees / (degrees + t^2), which is 1 - r^2 for a correlation."""
    return max(SMALLEST, float(scipy.special.betainc(degrees / 2, 0.5, unexplained)))


def of_t(t: float, degrees: float) -> Significance:
    """Return the two-sided test of a value of Student's t; NaN if it is not defined."""
    if not np.isfinite(t) or degrees < 1:
        return UNDEFINED
    return Significance(float(degrees), two_sided(degrees, degrees / (degrees + t**2)))
