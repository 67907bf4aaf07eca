"""The certificate of a design: its properties, counted from the tuples alone, whoever made them."""

from dataclasses import dataclass
from hashlib import sha256
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotation.planning.errors import PlanningError
from annotation.planning.tuples.connection import find_components
from annotation.planning.tuples.pairs import Numbers, Tuples, pair_keys
from annotation.planning.tuples.positions import count_positions


@dataclass(frozen=True)
class Certificate:
    """The properties of a best-worst design; `dataclasses.asdict` gives what JSON can hold."""

    tuples: int
    items: int
    size: int
    groups: int | None
    appearances_min: int
    appearances_max: int
    tuples_twice: int
    """The number of tuples that hold the same items as an earlier one."""
    items_twice: int
    """The number of tuples that hold an item more than once."""
    pairs_together: dict[int, int]
    """The number of pairs of items (of the same group), by the number of tuples that they share."""
    pairs_across_groups: int
    """The number of pairs of items of different groups that share a tuple."""
    repeats: int
    """The number of repeated co-occurrences: for each pair, the tuples that it shares after the first."""
    repeats_at_least: int
    """A minimum: an item in r tuples meets r * (size - 1) items; all beyond the number of others are repeats.

    Not every number of items can reach it: for few items, `repeats` is what a search of a second found.
    """
    position_min: int
    position_max: int
    position_spread: int
    """The largest difference between two positions in how often one item is at them."""
    components: int
    connected: bool
    """Whether the items (of each group) are linked by tuples that share an item."""
    seed: int | None
    sha256: str
    """The SHA-256 of the tuples as little-endian 64-bit integers, row by row."""


def certificate(tuples: Tuples, items: int, seed: int | None = None, groups: ArrayLike | None = None) -> Certificate:
    """Check a design and return its certificate (statistics.md, design certificate).

    Parameters: tuples, shape (tuples, size), item indexes from 0, good or bad; groups, a label for each item, shape
        (items,), if items should only meet items of their own group.

    Raises:
        PlanningError: the tuples are no table of item indexes below `items`.
    """
    tuples = _checked(tuples, items)
    group = _number_groups(groups, items)
    pairs, times = np.unique(_co_occurring_pairs(tuples, items), return_counts=True)
    inside = group[pairs // items] == group[pairs % items]
    appearances = _count_appearances(tuples, items)
    positions = count_positions(tuples, items)
    components, component = find_components(tuples, items)
    return Certificate(
        tuples=len(tuples),
        items=items,
        size=tuples.shape[1],
        groups=None if groups is None else int(group.max()) + 1,
        appearances_min=int(appearances.min()),
        appearances_max=int(appearances.max()),
        tuples_twice=len(tuples) - len(np.unique(np.sort(tuples, axis=1), axis=0)),
        items_twice=int(_repeated(tuples).any(axis=1).sum()),
        pairs_together=_histogram(times[inside], group),
        pairs_across_groups=int((~inside).sum()),
        repeats=int((times[inside] - 1).sum()),
        repeats_at_least=_minimum_repeats(pairs[inside], times[inside], group),
        position_min=int(positions.min()),
        position_max=int(positions.max()),
        position_spread=int(np.ptp(positions, axis=1).max()),
        components=components,
        connected=len(np.unique(group * items + component)) == int(group.max()) + 1,
        seed=seed,
        sha256=sha256(tuples.astype("<i8").tobytes()).hexdigest(),
    )


def _checked(tuples: Tuples, items: int) -> Tuples:
    tuples = np.asarray(tuples)
    if tuples.ndim != 2 or not tuples.size or not np.issubdtype(tuples.dtype, np.integer):
        raise PlanningError("A design must be a table of item indexes with one row per tuple and at least one row.")
    if tuples.min() < 0 or tuples.max() >= items:
        raise PlanningError(
            "The design refers to items %(lowest)s to %(highest)s, but there are %(items)s items, numbered from 0.",
            lowest=tuples.min(),
            highest=tuples.max(),
            items=items,
        )
    return tuples.astype(np.int64)


def _number_groups(groups: ArrayLike | None, items: int) -> Numbers:
    """Return the group of each item, numbered from 0; a single group without `groups`."""
    if groups is None:
        return np.zeros(items, dtype=np.int64)
    group = np.unique(np.asarray(groups), return_inverse=True)[1]
    if group.shape != (items,):
        raise PlanningError(
            "%(items)s items need %(items)s groups, one each, but there are %(given)s.", items=items, given=group.size
        )
    return group.astype(np.int64)


def _repeated(tuples: Tuples) -> NDArray[np.bool_]:
    """Return which places of each sorted tuple hold the same item as the place before."""
    ordered = np.sort(tuples, axis=1)
    repeated = np.zeros(ordered.shape, dtype=np.bool_)
    repeated[:, 1:] = ordered[:, 1:] == ordered[:, :-1]
    return repeated


def _count_appearances(tuples: Tuples, items: int) -> Numbers:
    """Return the number of tuples that each item is in."""
    return np.bincount(np.sort(tuples, axis=1)[~_repeated(tuples)], minlength=items)


def _co_occurring_pairs(tuples: Tuples, items: int) -> Numbers:
    """Return the pairs of different items in each tuple, one after the other."""
    repeated = _repeated(tuples)
    left, right = np.triu_indices(tuples.shape[1], 1)
    return pair_keys(np.sort(tuples, axis=1), items)[~(repeated[:, left] | repeated[:, right])]


def _histogram(times: Numbers, group: Numbers) -> dict[int, int]:
    possible = sum(comb(int(size), 2) for size in np.bincount(group))
    histogram = np.bincount(times, minlength=1)
    histogram[0] = possible - len(times)
    return {number: int(pairs) for number, pairs in enumerate(histogram) if pairs}


def _minimum_repeats(pairs: Numbers, times: Numbers, group: Numbers) -> int:
    """Return half of the co-occurrences of each item beyond the number of other items in its group, rounded up."""
    items = len(group)
    ends = np.concatenate([pairs // items, pairs % items])
    meetings = np.bincount(ends, weights=np.tile(times, 2), minlength=items)
    partners = np.bincount(group)[group] - 1
    return int(np.ceil(np.maximum(meetings - partners, 0).sum() / 2))
