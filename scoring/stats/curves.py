"""Curves over a collection: by thinking time, by practice, by waiting (Czech News, Fig. 4)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.stats.correlation import pearson
from scoring.stats.missing import complete, rows_of_each

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Curve:
    """Values over steps, with the number of observations behind each."""

    steps: Floats
    values: Floats
    counts: Integers


def error_by_thinking_time(seconds: Floats, values: Floats, reference: Floats, *, bucket: float = 1.0) -> Curve:
    """Return root mean squared error against the first round by thinking time, in buckets (Fig. 4a: one second).

    Parameters: seconds, values and reference, shape (ratings,); a rating with one of them missing (NaN) is left out.
    Returns: the lower ends of the buckets that are not empty, in seconds, and the error in each.

    Raises:
        ValueError: the bucket has no width.
    """
    if bucket <= 0:
        raise ValueError("The width of a time bin must be greater than zero.")
    seconds, values, reference = complete(seconds, values, reference)
    place = np.floor(seconds / bucket).astype(np.int64)
    buckets, index, counts = np.unique(place, return_inverse=True, return_counts=True)
    steps = np.asarray(buckets * bucket, dtype=np.float64)
    squares = np.bincount(index, weights=(values - reference) ** 2, minlength=len(steps))
    return Curve(steps, np.sqrt(squares / counts), counts)


def correlation_by_practice(order: Integers, values: Floats, reference: Floats) -> Curve:
    """Return Pearson's r with the first round by the number of ratings already made (Fig. 4b: the calibration curve).

    It is the correlation over all people at once, not the mean of theirs.

    Parameters: order, each person's count of ratings before this one; values and reference; shape (ratings,).
    Returns: the numbers of ratings made, and r among the ratings made then; NaN if it is not defined.
    """
    order, values, reference = complete(order, values, reference)
    rows = rows_of_each(order)
    return Curve(
        np.array(list(rows), dtype=np.float64),
        np.array([pearson(values[group], reference[group]) for group in rows.values()], dtype=np.float64),
        np.array([len(group) for group in rows.values()], dtype=np.int64),
    )


def waiting_share(hours: Floats, limits: Floats) -> Floats:
    """Return the share of people who waited less than each limit between the sessions (Fig. 4c).

    Parameters: hours, shape (people,), NaN for people who never came back: they are left out; limits, shape (limits,).
    Returns: shares, shape (limits,).

    Raises:
        ValueError: there are no people.
    """
    hours = hours[~np.isnan(hours)]
    if not len(hours):
        raise ValueError("A share of annotators needs at least one annotator.")
    return np.asarray(np.searchsorted(np.sort(hours), limits, side="left") / len(hours))
