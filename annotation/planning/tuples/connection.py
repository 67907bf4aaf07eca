"""Designs in one piece: every item linked to every other by tuples that share an item."""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from annotation.planning.tuples.pairs import Numbers, Tuples

TRIES = 2_000  # exchanges tried to join the pieces; a design with tuples to spare needs a few


def find_components(tuples: Tuples, items: int) -> tuple[int, Numbers]:
    """How many pieces the items form, and the piece of each item, shape (items,)."""
    size = tuples.shape[1]
    start, end = np.repeat(tuples[:, 0], size - 1), tuples[:, 1:].ravel()
    links = coo_array((np.ones(len(start), dtype=np.int8), (start, end)), shape=(items, items))
    count, components = connected_components(links, directed=False)
    return int(count), components.astype(np.int64)


def join_components(tuples: Tuples, items: int, generator: np.random.Generator, first: int = 0) -> bool:
    """Exchange items of different pieces, in place, in the rows from `first` on, until there is one piece.

    Items of different pieces have never met, so that no pair and no tuple is repeated by it. There are never more
    pieces after it: of what it takes apart, each half is joined to a half of the other piece.

    Returns: whether there is one piece.
    """
    count, components = find_components(tuples, items)
    for _ in range(TRIES):
        if count == 1:
            break
        rows, column = generator.integers(first, len(tuples), size=2), generator.integers(tuples.shape[1])
        one, other = tuples[rows, column]
        if components[one] != components[other]:
            tuples[rows, column] = other, one
            count, components = find_components(tuples, items)
    return count == 1
