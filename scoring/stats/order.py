"""Effects of where and when something was shown: positions on a screen, drift over a session, the item before.

Each effect is the slope of a regression in which every item and every person has a level of its own, so that neither
difficult items nor strict people are taken for an effect. Its error is clustered by person.
"""

from dataclasses import dataclass
from math import nan

import numpy as np
import scipy
from numpy.typing import NDArray

from scoring.stats.significance import UNDEFINED, Significance, of_t

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SWEEPS = 500  # of taking means out by turns; it ends long before where people and items are well mixed
SETTLED = 1e-10  # of the largest value
FEWEST = 5  # people, for an error by person: with three, estimate -+ t errors has the true slope in 90 %


@dataclass(frozen=True)
class Slope:
    """estimate: the change of the value for one step. error: its standard error. NaN if they are not defined."""

    estimate: float
    error: float
    rows: int
    people: int

    @property
    def test(self) -> Significance:
        """Return the two-sided test against no effect: t with people - 1 degrees of freedom."""
        return of_t(self.estimate / self.error, self.people - 1) if self.error > 0 else UNDEFINED


@dataclass(frozen=True)
class Evenness:
    """How evenly choices fall on the positions of the screen.

    counts: choices of each position. statistic: chi-squared against equal shares. p: NaN without choices.
    """

    counts: Integers
    statistic: float
    degrees: int
    p: float


def slope(values: Floats, steps: Floats, items: Integers, people: Integers) -> Slope:
    """Return how values change with steps, within items and within people.

    With all of an item's and of a person's means taken out of both (Frisch, Waugh and Lovell), b = sum(x y) / sum(x^2).
    The variance is the sum over people of (sum(x e))^2, over sum(x^2)^2, times G / (G - 1) for G people.

    Parameters: rows with NaN in values or steps are left out; items and people from 0; shapes (rows,).
    Returns: NaN where steps do not vary within items and people, as when everybody has the same order, and for fewer
        than five people.
    """
    present = ~(np.isnan(values) | np.isnan(steps))
    values, steps, items, people = values[present], steps[present], items[present], people[present]
    number = len(np.unique(people))
    if number < FEWEST:
        return Slope(nan, nan, len(values), number)
    x, y = within(steps, items, people), within(values, items, people)
    spread = float(x @ x)
    if spread <= SETTLED * max(float(steps @ steps), 1.0):
        return Slope(nan, nan, len(values), number)
    estimate = float(x @ y) / spread
    scores = np.bincount(people, weights=x * (y - estimate * x))
    error = float(np.sqrt((scores**2).sum() * number / (number - 1))) / spread
    return Slope(estimate, error, len(values), number)


def within(values: Floats, items: Integers, people: Integers) -> Floats:
    """Return the values with the means of items and of people taken out by turns, until nothing changes."""
    left = values - values.mean() if len(values) else values
    largest = float(np.abs(left).max(initial=0.0))
    for _ in range(SWEEPS):
        before = left
        for groups in (items, people):
            left = left - _means(groups, left)[groups]
        if float(np.abs(left - before).max(initial=0.0)) <= SETTLED * largest:
            break
    return left


def _means(groups: Integers, values: Floats) -> Floats:
    return np.bincount(groups, weights=values) / np.maximum(np.bincount(groups), 1)


def preceding(values: Floats, items: Integers, people: Integers, sessions: Integers, positions: Integers) -> Floats:
    """Return what the others think of the item on the screen before: the mean of their values of it.

    Own values would tell of the person, not of the item. Rows in any order, shapes (rows,).
    Returns: shape (rows,); NaN on a first screen, after a screen without a value, and where nobody else has a value.
    """
    sums, counts = np.bincount(items, weights=values), np.bincount(items)
    others = np.full(len(values), np.nan)
    np.divide(sums[items] - values, counts[items] - 1, out=others, where=counts[items] > 1)
    order = np.lexsort((positions, sessions, people))
    before, after = order[:-1], order[1:]
    follows = (
        (people[before] == people[after])
        & (sessions[before] == sessions[after])
        & (positions[before] + 1 == positions[after])
    )
    found = np.full(len(values), np.nan)
    found[after[follows]] = others[before[follows]]
    return found


def evenness(positions: Integers, size: int) -> Evenness:
    """Return the test of choices against equal shares of all positions; positions from 0, shape (choices,)."""
    counts = np.bincount(positions, minlength=size).astype(np.int64)
    if not len(positions):
        return Evenness(counts, nan, size - 1, nan)
    expected = len(positions) / size
    statistic = float(((counts - expected) ** 2).sum() / expected)
    return Evenness(counts, statistic, size - 1, float(scipy.special.chdtrc(size - 1, statistic)))
