"""Figures of the effects of position and order."""

import numpy as np
from numpy.typing import NDArray

from scoring.figures.figure import Figure, FigureError
from scoring.figures.plot import Axis, Line, Panel, Plot
from scoring.figures.values import head_room
from scoring.figures.wording import counted, fixed

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def plot_drift(to_screen: Integers, deviation: Floats, ratings: Integers) -> Figure:
    """Plot how far ratings lie from what item and person lead to expect, by parts of a session.

    Parameters: the last screen of each part, its mean deviation (NaN without ratings), and its ratings.

    Raises:
        FigureError: no deviation is defined.
    """
    if np.isnan(deviation).all():
        raise FigureError("No deviation is defined, so there is nothing to plot.")
    total = counted(int(ratings.sum()), "rating")
    largest = float(np.nanmax(np.abs(deviation)))
    reach = head_room(largest)
    x = Axis("screen within the session", 0.0, float(to_screen[-1]))
    y = Axis("deviation from the expected rating", -reach, reach)
    marks = (
        Line((x.low, x.high), (0.0, 0.0), "quiet", dotted=True),
        Line(tuple(to_screen.astype(float).tolist()), tuple(deviation.tolist()), points=True),
    )
    return Figure(
        name="session-drift",
        title="Rating drift over a session",
        description=(
            f"Line over {total}: the screen within the session on the x-axis, and the mean deviation of the ratings "
            "from the values expected for their items and annotators on the y-axis. The largest deviation in any part "
            f"of the session is {fixed(largest, 3)}."
        ),
        columns=("to screen", "deviation", "ratings"),
        rows=tuple(zip(to_screen.tolist(), deviation.tolist(), ratings.tolist(), strict=True)),
        plot=Plot(f"{total}; dotted line: no drift", (Panel(110, x, y, marks),)),
    )


def plot_positions(best: Integers, worst: Integers) -> Figure:
    """Plot the shares of best and worst by position on the screen.

    Parameters: the choices of each position, shapes (positions,).

    Raises:
        FigureError: there are no choices.
    """
    if not best.sum():
        raise FigureError("There are no choices, so there is nothing to plot.")
    positions = np.arange(1, len(best) + 1)
    shares = [own / own.sum() for own in (best, worst)]
    x = Axis("position on the screen", 0.5, len(best) + 0.5, "d", ticks=tuple(positions.astype(float).tolist()))
    y = Axis("share of choices", 0.0, head_room(float(max(map(np.max, shares)))))
    places, even = tuple(positions.astype(float).tolist()), 1 / len(best)
    marks = (
        Line((x.low, x.high), (even, even), "quiet", dotted=True),
        Line(places, tuple(shares[0].tolist()), "strong", points=True),
        Line(places, tuple(shares[1].tolist()), "middle", points=True),
    )
    total = counted(int(best.sum()), "choice")
    ranges = [f"from {fixed(float(own.min()), 3)} to {fixed(float(own.max()), 3)}" for own in shares]
    return Figure(
        name="choice-positions",
        title="Best and worst by position on the screen",
        description=(
            f"Two lines over {total}: the position on the screen on the x-axis, the share of choices on the y-axis. "
            f"The shares for best range {ranges[0]}, those for worst {ranges[1]}; equal shares would be "
            f"{fixed(even, 3)}."
        ),
        columns=("position", "best", "worst"),
        rows=tuple(zip(positions.tolist(), best.tolist(), worst.tolist(), strict=True)),
        plot=Plot(
            f"{total}; dotted line: equal shares", (Panel(110, x, y, marks),), (("strong", "best"), ("middle", "worst"))
        ),
    )
