"""Everybody's answers measured at once: one pass over arrays for any number of people.

`people` is the place of who answered, from 0 to number - 1, shape (answers,). Where it matters, rows stand in the order
in which each person gave them, a person's rows together. Results have the shape (number,), NaN for nothing to measure.
"""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from scoring.stats.correlation import pearson
from scoring.stats.missing import rows_of_each

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
FEWEST_SHARED = 3


@dataclass(frozen=True, eq=False)
class Runs:
    """Return the longest run of the same answer of each person, and how often the others answer so.

    length: answers in it. value: what was answered. share: (c + 1) / (n + 2), where c of the n answers of everybody
    else are that value; 1 / 2 if nobody else answered.
    """

    length: Integers
    value: Floats
    share: Floats


@dataclass(frozen=True, eq=False)
class Habits:
    """The place on the screen that each person chose the most often.

    share: of the choices. position: from 0. chance: of one place so often, if all are equally likely; k times the upper
    tail of a binomial distribution with 1 / k, at most 1.
    """

    share: Floats
    position: Integers
    chance: Floats


@dataclass(frozen=True, eq=False)
class BesideOthers:
    """Each person against the means of the others on the same items.

    shared: the answers to what others answered too. bias: the mean of own minus others. rmse: the root mean squared
    error. correlation: Pearson's r; NaN with fewer than `FEWEST_SHARED` answers, of which two are always on a line.
    """

    shared: Integers
    bias: Floats
    rmse: Floats
    correlation: Floats

    @property
    def people(self) -> Integers:
        """Who shares something with somebody else, ascending."""
        return np.flatnonzero(self.shared)

    @property
    def correlations(self) -> Floats:
        """Those that are defined."""
        return self.correlation[~np.isnan(self.correlation)]


def counts_of_each(people: Integers, number: int) -> Integers:
    return np.bincount(people, minlength=number).astype(np.int64)


def means_of_each(people: Integers, values: Floats | Booleans, number: int) -> Floats:
    """Return the mean of each person's values, missing ones (NaN) left out; of booleans, their share."""
    present = ~np.isnan(values)
    people, values = people[present], values[present]
    return _divided(np.bincount(people, weights=values, minlength=number), counts_of_each(people, number))


def variance_within(people: Integers, values: Floats, number: int) -> float:
    """Return the variance of people's values around their own means, missing ones (NaN) left out; NaN with nothing to
    measure it by."""
    present = ~np.isnan(values)
    people, values = people[present], values[present]
    left = len(values) - len(np.unique(people))
    deviations = values - means_of_each(people, values, number)[people]
    return float((deviations**2).sum() / left) if left > 0 else float("nan")


def medians_of_each(people: Integers, values: Floats, number: int) -> Floats:
    """Return the median of each person's values, missing ones (NaN) left out."""
    present = ~np.isnan(values)
    people, values = people[present], values[present]
    ordered = values[np.lexsort((values, people))]
    counts = counts_of_each(people, number)
    starts, some = np.cumsum(counts) - counts, counts > 0
    found = np.full(number, np.nan)
    low, high = (starts + (counts - 1) // 2)[some], (starts + counts // 2)[some]
    found[some] = (ordered[low] + ordered[high]) / 2
    return found


def longest_runs(people: Integers, values: Floats, number: int) -> Runs:
    """The longest run of equal values of each person, in the order of the rows; 0 long where there are none."""
    length, value = np.zeros(number, np.int64), np.full(number, np.nan)
    if not len(values):
        return Runs(length, value, np.full(number, np.nan))
    breaks = np.flatnonzero((np.diff(values) != 0) | (np.diff(people) != 0)) + 1
    starts = np.concatenate(([0], breaks))
    lengths = np.diff(starts, append=len(values))
    order = np.argsort(lengths, kind="stable")  # of a person's runs the longest is written last
    length[people[starts][order]], value[people[starts][order]] = lengths[order], values[starts][order]
    return Runs(length, value, _shares_of_others(people, values, value))


def _shares_of_others(people: Integers, values: Floats, value: Floats) -> Floats:
    number = len(value)
    own = counts_of_each(people, number)
    own_same = np.bincount(people, weights=values == value[people], minlength=number)
    scale, counts = np.unique(values, return_counts=True)
    place = np.minimum(np.searchsorted(scale, value), len(scale) - 1)
    return np.where(own > 0, (counts[place] - own_same + 1) / (len(values) - own + 2), np.nan)


def position_habits(people: Integers, positions: Integers, size: int, number: int) -> Habits:
    """Return how one-sidedly each person chooses among the places of the screen.

    Parameters: positions, from 0, shape (choices,); size, places that a screen has, the fewest if they differ.
    """
    width = max(int(positions.max(initial=0)) + 1, size)
    counts = np.bincount(people * width + positions, minlength=number * width).reshape(number, width)
    given, most = counts.sum(axis=1), counts.max(axis=1)
    chance = np.minimum(1.0, size * scipy.special.bdtrc(most - 1, given, 1 / size))
    return Habits(_divided(most, given), counts.argmax(axis=1), np.where(given > 0, chance, np.nan))


def ranges_of_each(people: Integers, values: Floats, number: int) -> Floats:
    """Return the distance from each person's lowest to their highest value."""
    low, high = np.full(number, np.inf), np.full(number, -np.inf)
    np.minimum.at(low, people, values)
    np.maximum.at(high, people, values)
    return np.where(np.isinf(low), np.nan, high - low)


def beside_others(units: Integers, people: Integers, values: Floats, counted: Booleans, number: int) -> BesideOthers:
    """Return how each person follows the others: bias, error and correlation against the leave-one-out means.

    The correlations are the human ones that STSS-131, appendix B, compares an algorithm with.

    Parameters: units, from 0, what the value is about; values without NaN; counted, whether others are compared with it
        (not those of people who were excluded); shape (answers,).
    """
    sums = np.bincount(units, weights=values * counted)
    counts = np.bincount(units, weights=counted)
    others = _divided(sums[units] - values * counted, counts[units] - counted)
    shared = ~np.isnan(others)
    people, values, others = people[shared], values[shared], others[shared]
    found = np.full((3, number), np.nan)
    for person, rows in rows_of_each(people).items():
        own, other = values[rows], others[rows]
        difference = own - other
        found[:, person] = difference.mean(), np.sqrt((difference**2).mean()), _correlation(own, other)
    return BesideOthers(counts_of_each(people, number), *found)


def _correlation(own: Floats, other: Floats) -> float:
    # Rounding leaves a trace of variance where all means are equal.
    varies = len(own) >= FEWEST_SHARED and float(((other - other.mean()) ** 2).sum()) > 1e-12
    return pearson(own, other) if varies else float("nan")


def same_choice_shares(units: Integers, labels: Integers, counted: Booleans) -> Floats:
    """Return the share of the others' choices in the same unit that have the same label, shape (choices,).

    NaN where nobody else who counts chose there. Parameters: labels, from 0, what was chosen.
    """
    keys = units.astype(np.int64) * (int(labels.max(initial=0)) + 1) + labels
    _, place = np.unique(keys, return_inverse=True)
    same = np.bincount(place, weights=counted)[place] - counted
    return _divided(same, np.bincount(units, weights=counted)[units] - counted)


def above_chance(share: Floats, chance: float) -> Floats:
    """Return (share - chance) / (1 - chance): 1 for always the same, 0 for what chance gives."""
    return (share - chance) / (1 - chance)


def _divided(numerator: NDArray[np.generic], denominator: NDArray[np.generic]) -> Floats:
    found = np.full(np.shape(numerator), np.nan)
    np.divide(numerator, denominator, out=found, where=np.asarray(denominator) > 0)
    return found
