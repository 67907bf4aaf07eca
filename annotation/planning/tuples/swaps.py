"""Pairs that stand together twice, swapped away many at once: enough wherever pairs are plentiful.

A swap exchanges two items of one column, so that appearances and positions stay as they were dealt.
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotation.planning.tuples.pairs import Numbers, Tuples, other_positions, pair_keys

ROUNDS = 60  # far more than a design with room needs (5,500 items: three or four)
CANDIDATES = 8  # tuples looked at for each clash and round
HOPELESS = 0.1  # chance below which the rounds would not come to an end
NO_PAIR = -1


class Clashes(NamedTuple):
    """Pairs that have stood before, or an item beside itself."""

    rows: Numbers
    items: Numbers
    known: Numbers
    """The pairs that may not come up again, sorted."""


class Swaps(NamedTuple):
    """Exchanges of the item at (row, column) with the one at (partner, column)."""

    rows: Numbers
    partners: Numbers
    columns: Numbers


def swap_clashes(
    tuples: Tuples, items: int, generator: np.random.Generator, first: int = 0, pairs: bool = True
) -> bool:
    """Exchange items of the rows from `first` on, in place, until no pair stands together twice.

    Parameters: pairs, whether pairs count at all, or only an item that stands twice in its tuple.
    Returns: whether that was reached. False where the pairs are too few, or nearly so.
    """
    if pairs and _chance(tuples, items) < HOPELESS:
        return False
    for _ in range(ROUNDS):
        clashes = _find_clashes(tuples, items, first, generator) if pairs else _find_doubles(tuples, first)
        if not len(clashes.rows):
            return True
        swaps = _apart(_clean(_propose(tuples, clashes, first, generator), tuples, items, clashes.known))
        rows, partners, columns = swaps
        tuples[rows, columns], tuples[partners, columns] = tuples[partners, columns], tuples[rows, columns]
    return False


def _chance(tuples: Tuples, items: int) -> float:
    """About how likely it is that one of the tuples looked at makes only new pairs."""
    size = tuples.shape[1]
    taken = len(tuples) * comb(size, 2) / comb(items, 2)
    return CANDIDATES * float(max(0.0, 1.0 - taken) ** (2 * (size - 1)))


def _find_clashes(tuples: Tuples, items: int, first: int, generator: np.random.Generator) -> Clashes:
    """One clash for each row that has any, with one of the two items at random."""
    bits = len(tuples).bit_length()
    # Pair and row in one number: one sort brings equal pairs together and still tells their rows.
    packed = np.sort(((pair_keys(tuples, items) << bits) | np.arange(len(tuples))[:, None]).ravel())
    known = packed >> bits
    clashing = known % (items + 1) == 0  # smaller = larger: an item beside itself
    clashing[1:] |= known[1:] == known[:-1]
    rows, chosen = np.unique(packed[clashing] & ((1 << bits) - 1), return_index=True)
    movable = rows >= first
    rows, keys = rows[movable], known[clashing][chosen[movable]]
    one = np.where(generator.random(len(keys)) < 0.5, keys // items, keys % items)
    return Clashes(rows, _beside_itself(tuples[rows], one), known)


def _find_doubles(tuples: Tuples, first: int) -> Clashes:
    ordered = np.sort(tuples[first:], axis=1)
    rows = first + np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
    return Clashes(rows, _beside_itself(tuples[rows], tuples[rows, 0]), np.array([NO_PAIR]))


def _beside_itself(tuples: Tuples, otherwise: Numbers) -> Numbers:
    """An item that stands twice in its tuple goes first, as its pairs with the rest are repeated with it."""
    ordered = np.sort(tuples, axis=1)
    twice = ordered[:, 1:] == ordered[:, :-1]
    item = ordered[np.arange(len(tuples)), twice.argmax(axis=1)]
    return np.where(twice.any(axis=1), item, otherwise)


def _propose(tuples: Tuples, clashes: Clashes, first: int, generator: np.random.Generator) -> Swaps:
    """Random partners for each clash, shape (clashes, candidates)."""
    columns = (tuples[clashes.rows] == clashes.items[:, None]).argmax(axis=1)
    partners = generator.integers(first, len(tuples), size=(len(clashes.rows), CANDIDATES))
    return Swaps(clashes.rows[:, None], partners, columns[:, None])


def _clean(swaps: Swaps, tuples: Tuples, items: int, known: Numbers) -> Swaps:
    """For each clash the first partner with whom only new pairs arise; clashes without one are left out."""
    rows, partners, columns = np.broadcast_arrays(*swaps)
    others = other_positions(tuples.shape[1])[columns]
    here, there = tuples[rows[..., None], others], tuples[partners[..., None], others]
    mine, theirs = tuples[rows, columns][..., None], tuples[partners, columns][..., None]
    fresh = _fresh(mine, there, items, known) & _fresh(theirs, here, items, known) & (partners != rows)
    found, choice = fresh.any(axis=1), fresh.argmax(axis=1)
    each = np.arange(len(rows))
    return Swaps(rows[:, 0][found], partners[each, choice][found], columns[:, 0][found])


def _fresh(item: Numbers, others: Numbers, items: int, known: Numbers) -> NDArray[np.bool_]:
    """Whether an item has met none of the others and is none of them."""
    keys = np.minimum(item, others) * items + np.maximum(item, others)
    place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    free: NDArray[np.bool_] = ((known[place] != keys) & (item != others)).all(axis=-1)
    return free


def _apart(swaps: Swaps) -> Swaps:
    """The swaps of which no two touch the same tuple, since each was judged as if it were the only one."""
    _, chosen = np.unique(swaps.partners, return_index=True)
    chosen = chosen[~np.isin(swaps.partners[chosen], swaps.rows)]
    return Swaps(swaps.rows[chosen], swaps.partners[chosen], swaps.columns[chosen])
