"""The number of times each value was given, as bars of a histogram."""

from typing import Any

import numpy as np

from scoring.summaries.work import Floats

Figures = dict[str, Any]
BARS = 10
MOST_POINTS = 21  # on a scale with more points, a bar holds several


def value_bars(values: Floats, minimum: float, maximum: float, step: float) -> list[Figures]:
    """Return how often each value was given: one bar per point of the scale, or per several points."""
    if not len(values):
        return []
    points = round((maximum - minimum) / step) + 1
    if points > MOST_POINTS:
        return bars(values, np.linspace(minimum, maximum, BARS + 1))
    counts = np.bincount(np.rint((values - minimum) / step).astype(np.int64), minlength=points)
    places = np.round(minimum + np.arange(points) * step, 9)
    return [
        {"low": float(at), "high": float(at), "count": int(count)} for at, count in zip(places, counts, strict=True)
    ]


def bars(values: Floats, edges: Floats) -> list[Figures]:
    """Return a histogram: the last bar has both its edges, the others their lower one."""
    # A mean such as 0.6 must not fall below the edge 0.6000000000000001.
    counts, _ = np.histogram(np.round(values[~np.isnan(values)], 9), np.round(edges, 9))
    return [
        {"low": float(low), "high": float(high), "count": int(count)}
        for low, high, count in zip(np.round(edges[:-1], 9), np.round(edges[1:], 9), counts, strict=True)
    ]
