"""What a design is worth, counted from the tuples alone, whoever made them."""

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
    """Tuples that hold the same items as an earlier one."""
    items_twice: int
    """Tuples that hold an item more than once."""
    pairs_together: dict[int, int]
    """How many pairs of items (of the same group) stand together in so many tuples."""
    pairs_across_groups: int
    """Pairs of items of different groups that stand together."""
    repeats: int
    """How often a pair stands together again, after its first time."""
    repeats_at_least: int
    """A bound: an item in r tuples has r * (size - 1) places beside it, and what exceeds the other items repeats.

    Not every number of items can reach it: of few items, `repeats` is what a search of a second found.
    """
    position_min: int
    position_max: int
    position_spread: int
    """The largest difference between two positions in how often one item stands there."""
    components: int
    connected: bool
    """Whether the items (of each group) are linked by tuples that share an item."""
    seed: int | None
    sha256: str
    """Of the tuples as little-endian 64-bit integers, row by row."""


def certificate(tuples: Tuples, items: int, seed: int | None = None, groups: ArrayLike | None = None) -> Certificate:
    """Check a design (statistics.md, design certificate).

    Parameters: tuples, shape (tuples, size), item indexes from 0, good or bad; groups, a label for each item, shape
        (items,), where items should only meet items of their own group.

    Raises:
        PlanningError: the tuples are no table of item indexes below `items`.
    """
    tuples = _checked(tuples, items)
    group = _number_groups(groups, items)
    pairs, times = np.unique(_pairs_held(tuples, items), return_counts=True)
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
        repeats_at_least=_least_repeats(pairs[inside], times[inside], group),
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
        raise PlanningError("A design is a table of item indexes with a row for each tuple and at least one row.")
    if tuples.min() < 0 or tuples.max() >= items:
        raise PlanningError(f"The design names items from {tuples.min()} to {tuples.max()}; there are {items}, from 0.")
    return tuples.astype(np.int64)


def _number_groups(groups: ArrayLike | None, items: int) -> Numbers:
    """The group of each item, numbered from 0; one group where none is given."""
    if groups is None:
        return np.zeros(items, dtype=np.int64)
    group = np.unique(np.asarray(groups), return_inverse=True)[1]
    if group.shape != (items,):
        raise PlanningError(f"{items} items need {items} groups, one each; there are {group.size}.")
    return group.astype(np.int64)


def _repeated(tuples: Tuples) -> NDArray[np.bool_]:
    """The places of each sorted tuple that hold the same item as the place before."""
    ordered = np.sort(tuples, axis=1)
    repeated = np.zeros(ordered.shape, dtype=np.bool_)
    repeated[:, 1:] = ordered[:, 1:] == ordered[:, :-1]
    return repeated


def _count_appearances(tuples: Tuples, items: int) -> Numbers:
    """In how many tuples each item stands."""
    return np.bincount(np.sort(tuples, axis=1)[~_repeated(tuples)], minlength=items)


def _pairs_held(tuples: Tuples, items: int) -> Numbers:
    """The pairs of different items in each tuple, one after the other."""
    repeated = _repeated(tuples)
    left, right = np.triu_indices(tuples.shape[1], 1)
    return pair_keys(np.sort(tuples, axis=1), items)[~(repeated[:, left] | repeated[:, right])]


def _histogram(times: Numbers, group: Numbers) -> dict[int, int]:
    possible = sum(comb(int(size), 2) for size in np.bincount(group))
    met = np.bincount(times, minlength=1)
    met[0] = possible - len(times)
    return {number: int(pairs) for number, pairs in enumerate(met) if pairs}


def _least_repeats(pairs: Numbers, times: Numbers, group: Numbers) -> int:
    """Half of what each item meets beyond the number of other items in its group, rounded up."""
    items = len(group)
    ends = np.concatenate([pairs // items, pairs % items])
    meetings = np.bincount(ends, weights=np.tile(times, 2), minlength=items)
    partners = np.bincount(group)[group] - 1
    return int(np.ceil(np.maximum(meetings - partners, 0).sum() / 2))
