"""Preparing numbers for a figure: missing ones counted, impossible ones refused, the rest put into classes."""

from dataclasses import dataclass
from math import ceil, floor, log10

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoring.figures.figure import FigureError
from scoring.figures.plot import Axis, Bars, Label, Tone
from scoring.figures.wording import number, share

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
MAXIMUM_BINS, MAXIMUM_POINTS = 30, 61
LARGEST = 1e9


@dataclass(frozen=True, eq=False)
class Observed:
    """values: those that are not missing, ascending. missing: the number of missing ones (NaN)."""

    values: Floats
    missing: int

    @property
    def number(self) -> int:
        return len(self.values)

    @property
    def mean(self) -> float:
        return float(self.values.mean())

    @property
    def low(self) -> float:
        return float(self.values[0])

    @property
    def high(self) -> float:
        return float(self.values[-1])

    def quantile(self, part: float) -> float:
        return float(np.quantile(self.values, part))

    @property
    def deviation(self) -> float:
        """Return the standard deviation with n - 1; NaN for a single value."""
        return float(self.values.std(ddof=1)) if self.number > 1 else float("nan")


def observe(values: ArrayLike, name: str) -> Observed:
    """Return values without the missing ones, which may be all of them.

    Raises:
        FigureError: the values are not one row of numbers, or one is infinite or too large for any scale.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise FigureError(
            f"The {name} of a figure must be a one-dimensional array, not an array with {array.ndim} dimensions."
        )
    if (np.abs(array) > LARGEST).any():
        raise FigureError(f"The {name} contain infinite or very large numbers, which cannot be plotted.")
    present = array[~np.isnan(array)]
    return Observed(np.sort(present), len(array) - len(present))


def observe_any(values: ArrayLike, name: str) -> Observed:
    """Return the same as `observe`, with at least one value.

    Raises:
        FigureError: as for `observe`, or no value is present.
    """
    observed = observe(values, name)
    if not observed.number:
        raise FigureError(f"No {name} are defined, so there is nothing to plot.")
    return observed


@dataclass(frozen=True, eq=False)
class Histogram:
    """The number of values from each left to each right; half: how far a bar extends beyond them."""

    left: Floats
    right: Floats
    counts: Integers
    half: float

    @property
    def tallest(self) -> int:
        return int(self.counts.max())

    def ends(self) -> tuple[float, float]:
        """Return where an axis begins and ends, so that a few bars do not fill it."""
        low, high = float(self.left[0]) - self.half, float(self.right[-1]) + self.half
        room = (high - low) / len(self.counts) * max(0.0, (6 - len(self.counts)) / 2)
        return low - room, high + room

    def bars(self, tone: Tone = "strong", chosen: NDArray[np.bool_] | None = None) -> Bars:
        """Return the histogram, or some of its classes, as bars."""
        shown = np.ones(len(self.counts), np.bool_) if chosen is None else chosen
        left, right = self.left[shown] - self.half, self.right[shown] + self.half
        return Bars(tuple(left.tolist()), tuple(right.tolist()), tuple(self.counts[shown].astype(float).tolist()), tone)

    def rows(self) -> list[tuple[float, float, int, float | None]]:
        """Return from, to, number and share of each class; no share without values."""
        total = int(self.counts.sum())
        shares = [count / total if total else None for count in self.counts.tolist()]
        return list(zip(self.left.tolist(), self.right.tolist(), self.counts.tolist(), shares, strict=True))

    def mode(self) -> str:
        """Return the fullest class, in a tie the lowest, in words."""
        place = int(self.counts.argmax())
        left, right = float(self.left[place]), float(self.right[place])
        part = share(self.tallest / int(self.counts.sum()))
        return f"most frequent is {number(left)}{'' if left == right else f' to {number(right)}'} ({part})"


def in_classes(values: Floats, low: float, high: float, step: float | None) -> Histogram:
    """Return a histogram from low to high: of the points of a scale if it has steps, else of bins of a round width.

    Raises:
        FigureError: a value is outside, or is no point of the scale.
    """
    if ((values < low - 1e-9) | (values > high + 1e-9)).any():
        raise FigureError(f"A value is outside the range {number(low)} to {number(high)}.")
    return in_bins(values, low, high) if step is None else on_points(values, low, high, step)


def on_points(values: Floats, low: float, high: float, step: float) -> Histogram:
    """Return how often each point occurs, from low to high; of more than 61, neighbouring ones are merged."""
    places = np.rint((values - low) / step).astype(np.int64)
    if (np.abs(low + places * step - values) > 1e-6 * step).any():
        raise FigureError(f"A value is not on the scale from {number(low)} in steps of {number(step)}.")
    merged = ceil((round((high - low) / step) + 1) / MAXIMUM_POINTS)
    classes = ceil((round((high - low) / step) + 1) / merged)
    left = np.round(low + np.arange(classes) * merged * step, 9)
    right = np.round(left + (merged - 1) * step, 9)
    half = 0.4 * step if merged == 1 else 0.5 * step
    return Histogram(left, right, np.bincount(places // merged, minlength=classes), half)


def in_bins(values: Floats, low: float, high: float) -> Histogram:
    """Return the number of values in each of some 30 classes of a round width, without upper ends except the last."""
    spread = high - low
    width = max(1e-9, round_step(spread / MAXIMUM_BINS if spread > 1e-6 * abs(high) else abs(high) / 50))
    # The tolerance lets 0.3, which is a little less than 3 times 0.1, into the class that begins there.
    first = floor(low / width + 1e-6)
    classes = max(1, ceil(high / width - 1e-6) - first)
    edges = np.round((first + np.arange(classes + 1)) * width, 2 - floor(log10(width)))
    places = np.clip(np.floor(values / width + 1e-6).astype(np.int64) - first, 0, classes - 1)
    return Histogram(edges[:-1], edges[1:], np.bincount(places, minlength=classes), 0.0)


def round_step(minimum: float) -> float:
    """Return the smallest of 1, 2, 5, 10, ... and their tenths that is at least `minimum`; 1 if this is not above 0."""
    if minimum <= 0:
        return 1.0
    power = 10.0 ** floor(log10(minimum))
    return float(next(factor * power for factor in (1, 2, 5, 10, 20) if factor * power >= minimum * (1 - 1e-9)))


def check_scale(minimum: float, maximum: float) -> None:
    """Raise FigureError for a scale that does not go upwards."""
    if not -LARGEST <= minimum < maximum <= LARGEST:
        raise FigureError("The maximum of a scale must be greater than its minimum.")


def check_step(step: float | None) -> None:
    """Raise FigureError for steps that do not go upwards."""
    if step is not None and not 1e-9 < step <= LARGEST:
        raise FigureError("The step of a scale must be greater than zero.")


def counts_axis(title: str, tallest: int, *, ticks: int = 4) -> Axis:
    """Return a vertical axis of whole numbers, from zero, with some room for labels and about `ticks` ticks."""
    end, step = head_room(tallest), max(1, int(round_step(tallest / ticks)))
    return Axis(title, 0, end, ",d", ticks=tuple(float(tick) for tick in range(0, floor(end) + 1, step)))


def label_rule(text: str, at: float, x: Axis, y: Axis) -> Label:
    """Return a label at the top of a rule, on the side with more room."""
    if at - x.low < x.high - at:
        return Label(text, at, y.high, "left", right=4, down=5)
    return Label(text, at, y.high, "right", right=-4, down=5)


def head_room(highest: float) -> float:
    """Return the upper end of an axis from zero, with some room; 1 if all is zero."""
    return highest * 1.15 or 1.0
