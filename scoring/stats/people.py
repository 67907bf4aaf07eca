"""Everybody's answers measured at once: one pass over arrays for any number of people.

`people` is the place of who answered, from 0 to number - 1, shape (answers,). Where it matters, rows stand in the order
in which each person gave them, a person's rows together. Results have the shape (number,), NaN for nothing to measure.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Runs:
    """The longest run of the same answer of each person, and how many so long chance would make.

    length: answers in it. value: what was answered. expected: n (1 - p) p^length, where p is the share of that answer
    among everybody else's and n the person's number of answers; what chance gives to who answers as the others do.
    """

    length: Integers
    value: Floats
    expected: Floats


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
    """Each person against the means of the others on the same items; see `scoring.stats.raters.RaterReport`."""

    shared: Integers
    bias: Floats
    rmse: Floats
    correlation: Floats


def counts_of_each(people: Integers, number: int) -> Integers:
    return np.bincount(people, minlength=number).astype(np.int64)


def means_of_each(people: Integers, values: Floats | Booleans, number: int) -> Floats:
    """The mean of each person's values, missing ones (NaN) left out; of booleans, their share."""
    present = ~np.isnan(values)
    people, values = people[present], values[present]
    return _divided(np.bincount(people, weights=values, minlength=number), counts_of_each(people, number))


def medians_of_each(people: Integers, values: Floats, number: int) -> Floats:
    """The median of each person's values, missing ones (NaN) left out."""
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
    return Runs(length, value, _expected_runs(people, values, length, value))


def _expected_runs(people: Integers, values: Floats, length: Integers, value: Floats) -> Floats:
    number = len(length)
    own = counts_of_each(people, number)
    own_same = np.bincount(people, weights=values == value[people], minlength=number)
    scale, counts = np.unique(values, return_counts=True)
    place = np.minimum(np.searchsorted(scale, value), len(scale) - 1)
    share = np.nan_to_num(_divided(counts[place] - own_same, len(values) - own))
    return np.where(own > 0, own * (1 - share) * share**length, np.nan)


def position_habits(people: Integers, positions: Integers, size: int, number: int) -> Habits:
    """How one-sidedly each person chooses among the places of the screen.

    Parameters: positions, from 0, shape (choices,); size, places that a screen has, the fewest if they differ.
    """
    width = max(int(positions.max(initial=0)) + 1, size)
    counts = np.bincount(people * width + positions, minlength=number * width).reshape(number, width)
    given, most = counts.sum(axis=1), counts.max(axis=1)
    chance = np.minimum(1.0, size * bdtrc(most - 1, given, 1 / size))
    return Habits(_divided(most, given), counts.argmax(axis=1), np.where(given > 0, chance, np.nan))


def beside_others(units: Integers, people: Integers, values: Floats, counted: Booleans, number: int) -> BesideOthers:
    """Bias, error and correlation of each person against the leave-one-out means.

    Parameters: units, from 0, what the value is about; values without NaN; counted, whether others are held against it
        (not against those of who was excluded); shape (answers,).
    """
    sums = np.bincount(units, weights=values * counted)
    counts = np.bincount(units, weights=counted)
    others = _divided(sums[units] - values * counted, counts[units] - counted)
    shared = ~np.isnan(others)
    people, own, others = people[shared], values[shared], others[shared]
    difference = own - others
    return BesideOthers(
        shared=counts_of_each(people, number),
        bias=means_of_each(people, difference, number),
        rmse=np.sqrt(means_of_each(people, difference**2, number)),
        correlation=correlations_of_each(people, own, others, number),
    )


def correlations_of_each(people: Integers, one: Floats, other: Floats, number: int) -> Floats:
    """Pearson's r of each person's rows; NaN with fewer than two rows or without variance."""
    centred = [column - means_of_each(people, column, number)[people] for column in (one, other)]
    products = np.bincount(people, weights=centred[0] * centred[1], minlength=number)
    squares = [np.bincount(people, weights=column**2, minlength=number) for column in centred]
    # Rounding leaves a trace of variance where all values are equal.
    enough = (squares[0] > 1e-12) & (squares[1] > 1e-12)
    found = np.full(number, np.nan)
    np.divide(products, np.sqrt(squares[0] * squares[1]), out=found, where=enough)
    return np.asarray(np.clip(found, -1.0, 1.0))


def same_choice_shares(units: Integers, labels: Integers, counted: Booleans) -> Floats:
    """Of every choice, the share of the others' choices in the same unit that have the same label, shape (choices,).

    NaN where nobody else who counts chose there. Parameters: labels, from 0, what was chosen.
    """
    keys = units * (int(labels.max(initial=0)) + 1) + labels
    _, place = np.unique(keys, return_inverse=True)
    same = np.bincount(place, weights=counted)[place] - counted
    return _divided(same, np.bincount(units, weights=counted)[units] - counted)


def above_chance(share: Floats, chance: float) -> Floats:
    """(share - chance) / (1 - chance): 1 for always the same, 0 for what chance gives."""
    return (share - chance) / (1 - chance)


def _divided(numerator: NDArray[np.generic], denominator: NDArray[np.generic]) -> Floats:
    found = np.full(np.shape(numerator), np.nan)
    np.divide(numerator, denominator, out=found, where=np.asarray(denominator) > 0)
    return found
