"""Which items get the judgments of the next wave, and how many are missing until the target is reached."""

from dataclasses import dataclass

import numpy as np

from annotation.protocols.stopping import TargetKind
from scoring.forecasting.stopping.precision import Precision
from scoring.forecasting.stopping.reliability import Estimate, half_error, parts_of
from scoring.stats.choices import Booleans, Floats, Integers

STEPS = 50  # the number of steps in which every entry would get one more judgment
HORIZON = 64
"""Judgments of each entry beyond which nobody plans (`MAXIMUM_JUDGMENTS` of a forecast)."""


@dataclass(frozen=True, eq=False)
class Pool:
    """What can be judged. entries: its items, shape (entries, size), -1 for none. room: how many more judgments each
    may get, shape (entries,)."""

    entries: Integers
    room: Integers


@dataclass(frozen=True, eq=False)
class Allocation:
    """further: judgments of the next wave, shape (entries,). missing: judgments until the target is expected to be
    reached; None if it cannot be reached. closed: items that need no more of them, shape (items,)."""

    further: Integers
    missing: int | None
    closed: Booleans


@dataclass(frozen=True)
class Aim:
    """A target, for the figure itself or for the lower limit of its interval."""

    kind: TargetKind
    value: float
    lower_limit: bool = False

    def reached(self, found: Estimate) -> bool:
        """Return whether a figure is as good as the target; an undefined one is not."""
        if self.kind is TargetKind.WIDTH:
            return found.value <= self.value
        return (found.low if self.lower_limit else found.value) >= self.value


def allocate(
    precision: Precision, pool: Pool, aim: Aim, found: Estimate, *, wave: int, most: int, generator: np.random.Generator
) -> Allocation:
    """Return the judgments to open next: in each step to the entries that gain the most for one judgment.

    For a reliability this is the reduction of the items' error variance, s² / n - s² / (n + 1); over all waves numbers
    of judgments become proportional to the standard deviations of items, which is optimal (Neyman 1934). For a width it
    is the number of items that get nearer to their end, the nearest first. Entries that gain the same come in random
    order. Variances are taken to stay what they are.

    The wave has half of what is missing, because the forecast may be wrong, but at least `wave` judgments if the
    entries have room for them, and `most` at most.

    Parameters: found, the present figure.
    """
    forecast = _Forecast(precision, pool, aim, found, generator)
    while not forecast.reached and forecast.opened < HORIZON * len(pool.entries) and forecast.step():
        pass
    missing, closed = forecast.opened if forecast.reached else None, forecast.untouched
    while forecast.opened < wave and forecast.step():
        pass
    return Allocation(forecast.first(min(max((missing or 0) // 2, wave), most)), missing, closed)


class _Forecast:
    """Judgments that are given one step after the other, until the target is reached or nothing more can be given."""

    def __init__(
        self, precision: Precision, pool: Pool, aim: Aim, found: Estimate, generator: np.random.Generator
    ) -> None:
        self.order = generator.permutation(len(pool.entries))
        self.entries, self.room = pool.entries[self.order], pool.room[self.order].copy()
        self.absent = self.entries < 0
        self.precision, self.aim = precision, aim
        self.counts = precision.counts.copy()
        self.given: list[Integers] = []
        self.opened = 0
        self.wanted = _wanted_error(precision, aim, found)
        self.goals = _goals(precision, aim) if aim.kind is TargetKind.WIDTH else None

    @property
    def reached(self) -> bool:
        if self.goals is not None:
            return bool((self.counts >= self.goals).all())
        variances = self.precision.variances
        if self.aim.kind is TargetKind.SPLIT_HALF:
            return bool((self.counts > 1).all()) and half_error(variances, self.counts) <= self.wanted
        return bool((self.counts > 0).all()) and float(np.mean(variances / self.counts)) <= self.wanted

    @property
    def untouched(self) -> Booleans:
        """Return the items that have received no further judgment."""
        return np.asarray(self.counts == self.precision.counts)

    def step(self) -> bool:
        """Give one judgment to the entries that gain the most; return whether there were any."""
        gains = np.where(self.absent, 0.0, self._gains()[self.entries]).sum(axis=1)
        gains[self.room <= 0] = 0.0
        size = max(1, max(len(gains), self.opened) // STEPS)
        number = min(size, int(np.count_nonzero(gains)))
        if number == 0:
            return False
        chosen = np.argpartition(-gains, number - 1)[:number]
        self.room[chosen] -= 1
        shown = self.entries[chosen]
        np.add.at(self.counts, shown[shown >= 0], 1)
        self.given.append(chosen)
        self.opened += number
        return True

    def _gains(self) -> Floats:
        if self.goals is not None and (missing := self.goals - self.counts).max() > 0:
            return np.where(missing > 0, 1 / np.maximum(missing, 1), 0.0)
        counts = np.maximum(self.counts, 0.5)  # an item without a judgment comes first
        return np.asarray(self.precision.variances / (counts * (counts + 1)))

    def first(self, number: int) -> Integers:
        """Return how many of these judgments each entry gets, in the order of the pool; shape (entries,)."""
        chosen = np.concatenate([np.empty(0, np.int64), *self.given])[:number]
        return np.bincount(self.order[chosen], minlength=len(self.order))


def _wanted_error(precision: Precision, aim: Aim, found: Estimate) -> float:
    """Return the mean error variance, of scores or of their halves, with which the target is reached; 0 if the true
    scores do not seem to vary."""
    if aim.kind is TargetKind.WIDTH or np.isnan(found.value):
        return 0.0
    value = aim.value
    if aim.lower_limit and found.low < found.value < 1:
        # The interval is about as wide in log(1 - figure) when the target is reached.
        value = 1 - (1 - value) * (1 - found.value) / (1 - found.low)
    return max(parts_of(precision).true, 0.0) * (1 - value) / value


def _goals(precision: Precision, aim: Aim) -> Integers:
    """Return how many judgments of each item make its interval as narrow as the target; shape (items,)."""
    with np.errstate(invalid="ignore"):
        goals = np.ceil(precision.counts * (precision.widths / aim.value) ** 2)
    goals = np.where(np.isnan(goals), 2, goals).astype(np.int64)  # of an item without a judgment
    return np.where(precision.widths <= aim.value, precision.counts, np.maximum(goals, precision.counts + 1))
