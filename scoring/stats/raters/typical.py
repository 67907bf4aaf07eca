"""Stretches of people: what is assumed of them, and which one is typical."""

import numpy as np

from scoring.stats.choices import Floats

STRETCH_SPREAD = 0.5  # of people's stretches around 1, as of reliabilities of best-worst choices
INFORMATIVE = 0.25  # least weight, relative to the mean, of people whose stretch is typical


def typical_stretch(stretches: Floats, information: Floats) -> float:
    """Return the median size of the stretches of people whose ratings tell something of the items.

    Careless people, whose stretch is near 0, and contrary ones, whose stretch is negative, would lower a mean, and
    scores would spread beyond the scale.

    Parameters: information of a rating by each person, shape (people,).
    """
    telling = information >= INFORMATIVE * information.mean()
    return float(np.median(np.abs(stretches[telling])))
