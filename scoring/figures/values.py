"""Numbers made ready for a figure: missing ones counted, impossible ones refused, the rest put into classes."""

from dataclasses import dataclass
from math import ceil, floor, log10

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoring.figures.figure import FigureError
from scoring.figures.plot import Axis, Bars, Label, Tone
from scoring.figures.wording import number, share

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
MOST_BINS, MOST_POINTS = 30, 61
LARGEST = 1e9


@dataclass(frozen=True, eq=False)
class Observed:
    """values: those that are there, ascending. missing: how many were not (NaN)."""

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
        """Standard deviation with n - 1; NaN of a single value."""
        return float(self.values.std(ddof=1)) if self.number > 1 else float("nan")


def observe(values: ArrayLike, what: str) -> Observed:
    """Values without the missing ones, which may be all of them.

    Raises:
        FigureError: not one row of numbers, or one that is infinite or beyond all scales.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise FigureError(f"The {what} of a figure are one row of numbers, not a table of {array.ndim} dimensions.")
    if (np.abs(array) > LARGEST).any():
        raise FigureError(f"Infinite or enormous numbers among the {what} cannot be drawn.")
    present = array[~np.isnan(array)]
    return Observed(np.sort(present), len(array) - len(present))


def observe_some(values: ArrayLike, what: str) -> Observed:
    """As `observe`, and at least one value is there.

    Raises:
        FigureError: also where no value is there.
    """
    observed = observe(values, what)
    if not observed.number:
        raise FigureError(f"No {what} are defined, so there is nothing to draw.")
    return observed


@dataclass(frozen=True, eq=False)
class Histogram:
    """How many values lie from each left to each right; half: what a bar reaches beyond them."""

    left: Floats
    right: Floats
    counts: Integers
    half: float

    @property
    def tallest(self) -> int:
        return int(self.counts.max())

    def ends(self) -> tuple[float, float]:
        """Where an axis begins and ends, so that a few bars do not fill it."""
        low, high = float(self.left[0]) - self.half, float(self.right[-1]) + self.half
        room = (high - low) / len(self.counts) * max(0.0, (6 - len(self.counts)) / 2)
        return low - room, high + room

    def bars(self, tone: Tone = "strong", chosen: NDArray[np.bool_] | None = None) -> Bars:
        """The histogram, or some of its classes, to be drawn."""
        own = np.ones(len(self.counts), np.bool_) if chosen is None else chosen
        left, right = self.left[own] - self.half, self.right[own] + self.half
        return Bars(tuple(left.tolist()), tuple(right.tolist()), tuple(self.counts[own].astype(float).tolist()), tone)

    def rows(self) -> list[tuple[float, float, int, float | None]]:
        """From, to, number and share of each class; no share where there is no value."""
        total = int(self.counts.sum())
        shares = [count / total if total else None for count in self.counts.tolist()]
        return list(zip(self.left.tolist(), self.right.tolist(), self.counts.tolist(), shares, strict=True))

    def most(self) -> str:
        """The fullest class, of several the lowest, in words."""
        place = int(self.counts.argmax())
        left, right = float(self.left[place]), float(self.right[place])
        part = share(self.tallest / int(self.counts.sum()))
        return f"most frequent is {number(left)}{'' if left == right else f' to {number(right)}'} ({part})"


def in_classes(values: Floats, low: float, high: float, step: float | None) -> Histogram:
    """A histogram from low to high: of the points of a scale if it has steps, else of bins of a round width.

    Raises:
        FigureError: a value outside, or beside the points of the scale.
    """
    if ((values < low - 1e-9) | (values > high + 1e-9)).any():
        raise FigureError(f"A value lies outside of {number(low)} to {number(high)}.")
    return in_bins(values, low, high) if step is None else on_points(values, low, high, step)


def on_points(values: Floats, low: float, high: float, step: float) -> Histogram:
    """How often each point occurs, from low to high; of more than 61, neighbouring ones are taken together."""
    places = np.rint((values - low) / step).astype(np.int64)
    if (np.abs(low + places * step - values) > 1e-6 * step).any():
        raise FigureError(f"A value is no point of the scale from {number(low)} in steps of {number(step)}.")
    together = ceil((round((high - low) / step) + 1) / MOST_POINTS)
    classes = ceil((round((high - low) / step) + 1) / together)
    left = np.round(low + np.arange(classes) * together * step, 9)
    right = np.round(left + (together - 1) * step, 9)
    half = 0.4 * step if together == 1 else 0.5 * step
    return Histogram(left, right, np.bincount(places // together, minlength=classes), half)


def in_bins(values: Floats, low: float, high: float) -> Histogram:
    """How many values lie in each of some 30 classes of a round width, each without its upper end but the last."""
    spread = high - low
    width = max(1e-9, round_step(spread / MOST_BINS if spread > 1e-6 * abs(high) else abs(high) / 50))
    # The tolerance lets 0.3, which is a little less than 3 times 0.1, into the class that begins there.
    first = floor(low / width + 1e-6)
    classes = max(1, ceil(high / width - 1e-6) - first)
    edges = np.round((first + np.arange(classes + 1)) * width, 2 - floor(log10(width)))
    places = np.clip(np.floor(values / width + 1e-6).astype(np.int64) - first, 0, classes - 1)
    return Histogram(edges[:-1], edges[1:], np.bincount(places, minlength=classes), 0.0)


def round_step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, ... and their tenths that is not below `least`; 1 where that is nothing."""
    if least <= 0:
        return 1.0
    power = 10.0 ** floor(log10(least))
    return float(next(factor * power for factor in (1, 2, 5, 10, 20) if factor * power >= least * (1 - 1e-9)))


def check_scale(minimum: float, maximum: float) -> None:
    """Refuses a scale that does not go upwards."""
    if not -LARGEST <= minimum < maximum <= LARGEST:
        raise FigureError("A scale goes from a minimum up to a greater maximum.")


def check_step(step: float | None) -> None:
    """Refuses steps that do not go upwards."""
    if step is not None and not 1e-9 < step <= LARGEST:
        raise FigureError("The steps of a scale are above zero.")


def counts_axis(title: str, tallest: int, *, ticks: int = 4) -> Axis:
    """A vertical axis of whole numbers, from zero, with some room for labels and about so many ticks."""
    end, step = head_room(tallest), max(1, int(round_step(tallest / ticks)))
    return Axis(title, 0, end, ",d", ticks=tuple(float(tick) for tick in range(0, floor(end) + 1, step)))


def label_beside(text: str, at: float, x: Axis, y: Axis) -> Label:
    """A label at the top of a rule, on the side where there is more room."""
    if at - x.low < x.high - at:
        return Label(text, at, y.high, "left", right=4, down=5)
    return Label(text, at, y.high, "right", right=-4, down=5)


def head_room(highest: float) -> float:
    """The upper end of an axis from zero, with some room; 1 where all is nothing."""
    return highest * 1.15 or 1.0
