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
        raise FigureError("No deviation is defined, so there is nothing to draw.")
    total = counted(int(ratings.sum()), "rating")
    largest = float(np.nanmax(np.abs(deviation)))
    reach = head_room(largest)
    x = Axis("screen of the session", 0.0, float(to_screen[-1]))
    y = Axis("deviation from the expected rating", -reach, reach)
    marks = (
        Line((x.low, x.high), (0.0, 0.0), "quiet", dotted=True),
        Line(tuple(to_screen.astype(float).tolist()), tuple(deviation.tolist()), points=True),
    )
    return Figure(
        name="session-drift",
        title="Drift of ratings over a session",
        description=(
            f"Line over {total}: the screen of the session on the horizontal axis, on the vertical one the mean "
            f"deviation of the ratings from what their items and raters lead to expect. The largest deviation of a "
            f"part of the session is {fixed(largest, 3)}."
        ),
        columns=("to screen", "deviation", "ratings"),
        rows=tuple(zip(to_screen.tolist(), deviation.tolist(), ratings.tolist(), strict=True)),
        plot=Plot(f"{total}; dotted: no drift", (Panel(110, x, y, marks),)),
    )


def plot_positions(best: Integers, worst: Integers) -> Figure:
    """Plot the shares of best and worst by position on the screen.

    Parameters: the choices of each position, shapes (positions,).

    Raises:
        FigureError: there are no choices.
    """
    if not best.sum():
        raise FigureError("No choices are there, so there is nothing to draw.")
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
            f"Two lines over {total}: the position on the screen on the horizontal axis, the share of choices on the "
            f"vertical one. The shares of the best go {ranges[0]}, those of the worst {ranges[1]}; equal shares would "
            f"be {fixed(even, 3)}."
        ),
        columns=("position", "best", "worst"),
        rows=tuple(zip(positions.tolist(), best.tolist(), worst.tolist(), strict=True)),
        plot=Plot(
            f"{total}; dotted: equal shares", (Panel(110, x, y, marks),), (("strong", "best"), ("middle", "worst"))
        ),
    )
