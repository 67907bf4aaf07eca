"""Which ratings are left out."""

import numpy as np
from numpy.typing import NDArray

from scoring.stats.missing import complete

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]


def near_expected(values: Floats | float, expected: Floats | float, distance: float) -> Booleans:
    """The diagonal filter: keep what lies at most `distance` from the score expected of its class (Czech News 5.2).

    The paper expects 6 of green, 3 of orange and 0 of red pairs; N1 and N2 are distances 1 and 2.

    Parameters: values and expected, shape (pairs,), or one of each.
    Returns: shape (pairs,), true for what stays.
    """
    return np.asarray(np.abs(values - expected) <= distance)


def contradicting_choices(shown: Floats, chosen: Floats, label: float) -> Floats:
    """Whether choices of the best contradict the known labels (label 1), or choices of the worst (label 0).

    A best is contradicted by its label where it is dissimilar though something similar was shown, and a worst where it
    is similar though something dissimilar was.

    Parameters: shown, labels of the items shown, shape (choices, size), and chosen, shape (choices,): 1 similar, 0
        dissimilar, NaN unknown.
    Returns: shape (choices,), 1 or 0; NaN where the labels cannot tell.
    """
    known = (shown == label).any(axis=1) & ~np.isnan(chosen)
    return np.where(known, chosen != label, np.nan)


def contradiction_share(values: Floats, similar: Booleans, midpoint: float) -> float:
    """The share of a rater's values that contradict the known labels (DSCS 4.1).

    A value contradicts "similar" below the middle of the scale and "dissimilar" above it; the middle itself
    contradicts neither.

    Parameters: values, NaN for missing, and similar, shape (ratings,), of labelled pairs only.

    Raises:
        ValueError: no ratings of labelled pairs.
    """
    values, similar = complete(values, similar)
    if not len(values):
        raise ValueError("A rater without ratings of labelled pairs can contradict nothing.")
    return float(np.mean(np.where(similar, values < midpoint, values > midpoint)))
