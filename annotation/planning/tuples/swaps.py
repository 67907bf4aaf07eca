"""Fast removal of pairs that occur together too often, many at once: enough wherever there are many possible pairs.

A swap exchanges two items of one column, so that appearances and positions stay as they were dealt.
"""

from math import ceil, comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotation.planning.tuples.pairs import Numbers, Tuples, other_positions, pair_keys

ROUNDS = 60  # far more than a design with room needs (5,500 items: three or four)
CANDIDATES = 8  # tuples tried for each clash and round
WIDER = 1.3  # the growth of a limited reach in each round
HOPELESS = 0.1  # chance below which the rounds would not come to an end
NO_PAIR = -1


class Clashes(NamedTuple):
    """Pairs that occur together too often, items repeated within a tuple, or repeated tuples."""

    rows: Numbers
    items: Numbers
    known: Numbers
    """The pairs that may not occur again, sorted."""


class Swaps(NamedTuple):
    """Exchanges of the item at (row, column) with the one at (partner, column)."""

    rows: Numbers
    partners: Numbers
    columns: Numbers


def swap_clashes(
    tuples: Tuples,
    items: int,
    generator: np.random.Generator,
    first: int = 0,
    *,
    pairs: bool = True,
    together: int = 1,
    reach: int | None = None,
) -> bool:
    """Exchange items of the rows from `first` on, in place, until no pair occurs together more often than allowed.

    Parameters: pairs, whether pairs count at all, or only an item that is repeated in its tuple; together, how many
        tuples a pair may share; reach, how many rows apart an exchange may be at first, if neighbouring rows are alike
        and should stay so (None: any).
    Returns: whether this succeeded. False if there are too few possible pairs, or nearly so.
    """
    if pairs and _chance(tuples, items, together) < HOPELESS:
        return False
    for turn in range(ROUNDS):
        clashes = _find_clashes(tuples, items, first, generator, together) if pairs else _find_doubles(tuples, first)
        if not len(clashes.rows) and together > 1:
            clashes = _find_twins(tuples, first, clashes.known, generator)
        if not len(clashes.rows):
            return True
        span = len(tuples) if reach is None else min(len(tuples), ceil(reach * WIDER**turn))
        proposed = _propose(tuples, clashes, first, span, generator)
        swaps = _disjoint(_choose_clean(proposed, tuples, items, clashes.known))
        rows, partners, columns = swaps
        tuples[rows, columns], tuples[partners, columns] = tuples[partners, columns], tuples[rows, columns]
    return False


def _chance(tuples: Tuples, items: int, together: int) -> float:
    """Return roughly the probability that one of the candidate tuples makes only new pairs."""
    size = tuples.shape[1]
    used = len(tuples) * comb(size, 2) / (together * comb(items, 2))
    return CANDIDATES * float(max(0.0, 1.0 - used) ** (2 * (size - 1)))


def _find_clashes(tuples: Tuples, items: int, first: int, generator: np.random.Generator, together: int = 1) -> Clashes:
    """Return one clash for each row that has any, with one of the two items at random."""
    bits = len(tuples).bit_length()
    # Pair and row in one number: one sort brings equal pairs together and still shows their rows.
    packed = np.sort(((pair_keys(tuples, items) << bits) | np.arange(len(tuples))[:, None]).ravel())
    known = packed >> bits
    clashing = known % (items + 1) == 0  # smaller = larger: an item repeated in its tuple
    clashing[together:] |= known[together:] == known[:-together]
    rows, chosen = np.unique(packed[clashing] & ((1 << bits) - 1), return_index=True)
    movable = rows >= first
    rows, keys = rows[movable], known[clashing][chosen[movable]]
    picked = np.where(generator.random(len(keys)) < 0.5, keys // items, keys % items)
    full = known[together - 1 :][known[together - 1 :] == known[: len(known) - together + 1]]
    return Clashes(rows, _repeated_item(tuples[rows], picked), full if len(full) else np.array([NO_PAIR]))


def _find_doubles(tuples: Tuples, first: int) -> Clashes:
    ordered = np.sort(tuples[first:], axis=1)
    rows = first + np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
    return Clashes(rows, _repeated_item(tuples[rows], tuples[rows, 0]), np.array([NO_PAIR]))


def _find_twins(tuples: Tuples, first: int, known: Numbers, generator: np.random.Generator) -> Clashes:
    """Return the rows from `first` on that hold the same items as an earlier row, each with an item at random."""
    originals = np.unique(np.sort(tuples, axis=1), axis=0, return_index=True)[1]
    twins = np.setdiff1d(np.arange(first, len(tuples)), originals)
    return Clashes(twins, tuples[twins, generator.integers(tuples.shape[1], size=len(twins))], known)


def _repeated_item(tuples: Tuples, otherwise: Numbers) -> Numbers:
    """Return the repeated item of each tuple, as its pairs are repeated with it; `otherwise` if there is none."""
    ordered = np.sort(tuples, axis=1)
    twice = ordered[:, 1:] == ordered[:, :-1]
    item = ordered[np.arange(len(tuples)), twice.argmax(axis=1)]
    return np.where(twice.any(axis=1), item, otherwise)


def _propose(tuples: Tuples, clashes: Clashes, first: int, span: int, generator: np.random.Generator) -> Swaps:
    """Return random partners for each clash, up to `span` rows away, shape (clashes, candidates)."""
    columns = (tuples[clashes.rows] == clashes.items[:, None]).argmax(axis=1)
    lowest = np.maximum(clashes.rows - span, first)[:, None]
    highest = np.minimum(clashes.rows + span, len(tuples) - 1)[:, None]
    partners = generator.integers(lowest, highest + 1, size=(len(clashes.rows), CANDIDATES))
    return Swaps(clashes.rows[:, None], partners, columns[:, None])


def _choose_clean(swaps: Swaps, tuples: Tuples, items: int, known: Numbers) -> Swaps:
    """Return for each clash the first partner with whom only new pairs arise; clashes without one are left out."""
    rows, partners, columns = np.broadcast_arrays(*swaps)
    others = other_positions(tuples.shape[1])[columns]
    row_rest, partner_rest = tuples[rows[..., None], others], tuples[partners[..., None], others]
    outgoing, incoming = tuples[rows, columns][..., None], tuples[partners, columns][..., None]
    new = _is_new(outgoing, partner_rest, items, known) & _is_new(incoming, row_rest, items, known) & (partners != rows)
    found, choice = new.any(axis=1), new.argmax(axis=1)
    index = np.arange(len(rows))
    return Swaps(rows[:, 0][found], partners[index, choice][found], columns[:, 0][found])


def _is_new(item: Numbers, others: Numbers, items: int, known: Numbers) -> NDArray[np.bool_]:
    """Return whether an item has met none of the others and is none of them."""
    keys = np.minimum(item, others) * items + np.maximum(item, others)
    place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    free: NDArray[np.bool_] = ((known[place] != keys) & (item != others)).all(axis=-1)
    return free


def _disjoint(swaps: Swaps) -> Swaps:
    """Return the swaps of which no two touch the same tuple, since each was judged as if it were the only one."""
    _, chosen = np.unique(swaps.partners, return_index=True)
    chosen = chosen[~np.isin(swaps.partners[chosen], swaps.rows)]
    return Swaps(swaps.rows[chosen], swaps.partners[chosen], swaps.columns[chosen])
