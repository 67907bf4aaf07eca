"""Curves over a collection: by thinking time, by practice, by waiting (Czech News, Fig. 4)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.stats.correlation import pearson

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Curve:
    """Values over steps, with the number of observations that each rests on."""

    steps: Floats
    values: Floats
    counts: Integers


def error_by_thinking_time(seconds: Floats, values: Floats, reference: Floats, *, bucket: float = 1.0) -> Curve:
    """Root mean squared error against the first round by time to think, in buckets (Fig. 4a: one second).

    Parameters: seconds, values and reference, shape (ratings,); ratings without a time (NaN) are left out.
    Returns: the lower ends of the buckets that are not empty, in seconds, and the error in each.

    Raises:
        ValueError: a bucket without width.
    """
    if bucket <= 0:
        raise ValueError("A bucket of time needs a width above zero.")
    timed = ~np.isnan(seconds)
    place = np.floor(seconds[timed] / bucket).astype(np.int64)
    found, index, counts = np.unique(place, return_inverse=True, return_counts=True)
    steps = np.asarray(found * bucket, dtype=np.float64)
    squares = np.bincount(index, weights=(values - reference)[timed] ** 2, minlength=len(steps))
    return Curve(steps, np.sqrt(squares / counts), counts)


def correlation_by_practice(order: Integers, values: Floats, reference: Floats) -> Curve:
    """Pearson's r with the first round by the number of ratings already made (Fig. 4b: the calibration curve).

    It is the correlation over all people at once, not the mean of theirs.

    Parameters: order, each person's count of ratings before this one; values and reference; shape (ratings,).
    Returns: the numbers of ratings made, and r among the ratings made then; NaN where it is not defined.
    """
    steps, counts = np.unique(order, return_counts=True)
    values_of = [pearson(values[order == step], reference[order == step]) for step in steps]
    return Curve(steps.astype(np.float64), np.array(values_of), counts)


def waiting_share(hours: Floats, limits: Floats) -> Floats:
    """The share of people who waited less than each limit between the sessions (Fig. 4c).

    Parameters: hours, shape (people,); limits, shape (limits,).
    Returns: shares, shape (limits,).

    Raises:
        ValueError: no people.
    """
    if not len(hours):
        raise ValueError("Without people there is no share of people.")
    return np.asarray(np.searchsorted(np.sort(hours), limits, side="left") / len(hours))
