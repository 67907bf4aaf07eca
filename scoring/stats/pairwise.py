"""The agreement of every two people, and an order of people in which those who agree alike are neighbours.

Tables have the shape (people, people); NaN is an agreement that is not defined.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from scoring.stats.choices import Choices
from scoring.stats.people import FEWEST_SHARED, above_chance

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
TRACE = 1e-9
"""The variance, relative to the sum of squares, below which values differ by rounding errors only."""


@dataclass(frozen=True, eq=False)
class Pairwise:
    """overlap: the number of items (or tuples) that both judged. agreement: of the two; both tables are symmetric, and
    the diagonal, where people would be compared with themselves, has 0 and NaN."""

    overlap: Integers
    agreement: Floats


def pairwise_correlations(items: Integers, people: Integers, values: Floats, number: int) -> Pairwise:
    """Return Pearson's r of the ratings of every two people, over the items that both rated.

    NaN with fewer than three such items, because two are always on a line, or without variance. Several ratings of one
    item by one person are replaced by their mean. The work is linear in the pairs of ratings of the same item.

    Parameters: items and people, from 0; values without NaN; shape (ratings,). number, of people.
    """
    items, people, values = _means_of_repeats(items, people, values - values.mean() if len(values) else values)
    shape = number, int(items.max(initial=-1)) + 1
    rated, ratings, squares = (
        scipy.sparse.csr_array((column, (people, items)), shape=shape)
        for column in (np.ones(len(values)), values, values**2)
    )
    n, sums, of_squares = (_dense(table @ rated.T) for table in (rated, ratings, squares))
    spread = n * of_squares - sums**2
    covariance = n * _dense(ratings @ ratings.T) - sums * sums.T
    varies = spread > TRACE * np.maximum(n * of_squares, TRACE)
    defined = (n >= FEWEST_SHARED) & varies & varies.T
    agreement = np.full((number, number), np.nan)
    agreement[defined] = np.clip(covariance[defined] / np.sqrt((spread * spread.T)[defined]), -1, 1)
    return _without_diagonal(n, agreement)


def pairwise_choices(choices: Choices, size: int, number: int) -> Pairwise:
    """Return how often every two people chose the same, above chance: (share - 1 / size) / (1 - 1 / size).

    The share is over the tuples that both judged, the mean of best and worst. Of several choices from one tuple by one
    person, the first is used.

    Parameters: size, the number of items on a screen, the smallest if they differ; number, of people.

    Raises:
        ValueError: the annotators are unknown.
    """
    if choices.annotators is None:
        raise ValueError("The annotators of these choices are unknown.")
    everybody, every_tuple = (column.astype(np.int64) for column in (choices.annotators, choices.tuples))
    first = np.unique(everybody * (choices.tuple_number + 1) + every_tuple, return_index=True)[1]
    people, tuples = everybody[first], every_tuple[first]
    judged = scipy.sparse.csr_array((np.ones(len(first)), (people, tuples)), shape=(number, choices.tuple_number))
    n = _dense(judged @ judged.T)
    same = sum(_same(people, tuples, chosen[first], choices.number, number) for chosen in (choices.best, choices.worst))
    share = np.divide(same, 2 * n, out=np.full((number, number), np.nan), where=n > 0)
    return _without_diagonal(n, above_chance(share, 1 / size))


def principal_order(pairwise: Pairwise) -> Integers:
    """Return people in the order of the first principal coordinate of their agreement (Gower 1966).

    People who agree with the same others are neighbours. Undefined agreement is
    replaced by the mean of the defined one, which also stands on the diagonal.

    Returns: shape (people,), the index of each.
    """
    known = ~np.isnan(pairwise.agreement)
    if not known.any():
        return np.arange(len(known))
    mean = float(pairwise.agreement[known].mean())
    filled = np.where(known, pairwise.agreement, mean)
    rows = filled.mean(axis=1)
    centred = filled - rows[:, None] - rows[None, :] + filled.mean()
    sizes, vectors = np.linalg.eigh(centred)
    # Eigenvalues are in ascending order, so the last one belongs to the first principal coordinate.
    coordinate = np.round(vectors[:, -1] * np.sqrt(max(sizes[-1], 0)), 6)
    if float(coordinate @ (rows - rows.mean())) > 0:
        coordinate = -coordinate
    return np.lexsort((-np.round(rows, 9), coordinate))


def grouped(pairwise: Pairwise, groups: list[Integers]) -> Pairwise:
    """Return the tables of groups of people: overlaps are added, agreements are means weighted by the overlap.

    The diagonal is about pairs of people within a group. Parameters: groups, the people of each.
    """
    overlap = np.zeros((len(groups), len(groups)), np.int64)
    agreement = np.full(overlap.shape, np.nan)
    for row, own in enumerate(groups):
        for column, others in enumerate(groups[: row + 1]):
            n, each = (table[np.ix_(own, others)] for table in (pairwise.overlap, pairwise.agreement))
            weights = np.where(np.isnan(each), 0, n)
            overlap[row, column] = overlap[column, row] = n.sum() // (2 if row == column else 1)
            if weights.any():
                mean = float(np.nansum(each * weights) / weights.sum())
                agreement[row, column] = agreement[column, row] = mean
    return Pairwise(overlap, agreement)


def _means_of_repeats(items: Integers, people: Integers, values: Floats) -> tuple[Integers, Integers, Floats]:
    """Return each pair of item and person once, with the mean of its values."""
    width = int(items.max(initial=0)) + 1
    keys, place, counts = np.unique(people * width + items, return_inverse=True, return_counts=True)
    return keys % width, keys // width, np.bincount(place, weights=values, minlength=len(keys)) / counts


def _same(people: Integers, tuples: Integers, chosen: Integers, items: int, number: int) -> Floats:
    """Return in how many tuples every two people chose the same item."""
    labels = np.unique(tuples * items + chosen, return_inverse=True)[1]
    shape = number, int(labels.max(initial=-1)) + 1
    table = scipy.sparse.csr_array((np.ones(len(people)), (people, labels)), shape=shape)
    return _dense(table @ table.T)


def _dense(table: Any) -> Floats:
    return np.asarray(table.toarray(), dtype=np.float64)


def _without_diagonal(n: Floats, agreement: Floats) -> Pairwise:
    np.fill_diagonal(agreement, np.nan)
    overlap = np.rint(n).astype(np.int64)
    np.fill_diagonal(overlap, 0)
    return Pairwise(overlap, agreement)
