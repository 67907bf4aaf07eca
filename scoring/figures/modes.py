"""The figure of the tests for more than one mode."""

import numpy as np
from numpy.typing import NDArray

from scoring.figures.figure import Figure, FigureError
from scoring.figures.plot import Axis, Line, Panel, Plot
from scoring.figures.values import Histogram, counts_axis
from scoring.figures.wording import counted, share

Integers = NDArray[np.int64]


def plot_modes(counts: Integers, contested: int) -> Figure:
    """Plot the p-values of the dip tests of all items, before any adjustment.

    If all ratings had one mode, hardly any p-value would be small; a peak at the left shows items with several modes.

    Parameters: counts, the p-values in classes of equal width from 0 to 1; contested, the items with several modes
        after the adjustment for their number.

    Raises:
        FigureError: no item was tested.
    """
    total = int(counts.sum())
    if not total:
        raise FigureError("No item has enough ratings to be tested for more than one mode.")
    edges = np.round(np.linspace(0, 1, len(counts) + 1), 9)
    bars = Histogram(edges[:-1], edges[1:], counts, 0.0)
    even = total / len(counts)
    x = Axis("p-value of the dip test", 0.0, 1.0)
    y = counts_axis("number of items", max(bars.tallest, round(even)))
    lowest = share(int(counts[0]) / total)
    items, found = counted(total, "item"), counted(contested, "item")
    return Figure(
        name="dip-test",
        title="Tests for more than one mode",
        description=(
            f"Histogram of the p-values of Hartigan's dip test of {items}: the p-value on the x-axis, the number of "
            f"items on the y-axis. {lowest} of the p-values are at most {edges[1]:g}; a dotted line shows the height "
            f"of equally frequent p-values. After the adjustment for the number of tests, {found} "
            f"{'has' if contested == 1 else 'have'} more than one mode."
        ),
        columns=("from", "to", "items", "share"),
        rows=tuple(bars.rows()),
        plot=Plot(
            f"{items}, {contested:,} with more than one mode after adjustment",
            (Panel(110, x, y, (bars.bars("middle"), Line((0.0, 1.0), (even, even), "quiet", dotted=True))),),
        ),
    )
