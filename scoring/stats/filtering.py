"""Filters of ratings."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]


def near_expected(values: Floats | float, expected: Floats | float, distance: float) -> Booleans:
    """Return the diagonal filter: at most `distance` from the score expected of its class (Czech News 5.2).

    The paper expects 6 of green, 3 of orange and 0 of red pairs; N1 and N2 are distances 1 and 2.

    Parameters: values and expected, shape (pairs,), or one of each.
    Returns: shape (pairs,), true for what is kept.
    """
    return np.asarray(np.abs(values - expected) <= distance)


def contradicting_choices(shown: Floats, chosen: Floats, label: float) -> Floats:
    """Return whether choices of the best contradict the known labels (label 1), or choices of the worst (label 0).

    A best choice contradicts the labels if it is dissimilar though something similar was shown, and a worst choice if
    it is similar though something dissimilar was.

    Parameters: shown, labels of the items shown, shape (choices, size), and chosen, shape (choices,): 1 similar, 0
        dissimilar, NaN unknown.
    Returns: shape (choices,), 1 or 0; NaN if the labels do not decide it.
    """
    decided = (shown == label).any(axis=1) & ~np.isnan(chosen)
    return np.where(decided, chosen != label, np.nan)


def contradicting_ratings(values: Floats, labels: Floats, midpoint: float) -> Floats:
    """Return whether ratings contradict the known labels (DSCS 4.1).

    A value contradicts "similar" below the middle of the scale and "dissimilar" above it; the middle itself
    contradicts neither.

    Parameters: values, NaN for missing, and labels, 1 similar, 0 dissimilar, NaN unknown, shape (ratings,).
    Returns: shape (ratings,), 1 or 0; NaN if the labels do not decide it.
    """
    known = ~np.isnan(values) & ~np.isnan(labels)
    return np.where(known, np.where(labels == 1, values < midpoint, values > midpoint), np.nan)
