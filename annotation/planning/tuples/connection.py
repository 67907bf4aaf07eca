"""Connected designs: every item is linked to every other by tuples that share an item."""

import numpy as np
import scipy

from annotation.planning.tuples.pairs import Numbers, Tuples

ATTEMPTS = 2_000  # exchanges tried to join the components; a design with tuples to spare needs a few


def find_components(tuples: Tuples, items: int) -> tuple[int, Numbers]:
    """Return the number of components that the items form, and the component of each item, shape (items,)."""
    size = tuples.shape[1]
    start, end = np.repeat(tuples[:, 0], size - 1), tuples[:, 1:].ravel()
    links = scipy.sparse.coo_array((np.ones(len(start), dtype=np.int8), (start, end)), shape=(items, items))
    count, components = scipy.sparse.csgraph.connected_components(links, directed=False)
    return int(count), components.astype(np.int64)


def join_components(tuples: Tuples, items: int, generator: np.random.Generator, first: int = 0) -> bool:
    """Exchange items of different components, in place, in the rows from `first` on, until there is one component.

    Items of different components share no tuple, so that no pair and no tuple is repeated. The number of components
    never grows: of those that an exchange splits, each half is joined to a half of the other.

    Returns: whether there is one component.
    """
    count, components = find_components(tuples, items)
    for _ in range(ATTEMPTS):
        if count == 1:
            break
        rows, column = generator.integers(first, len(tuples), size=2), generator.integers(tuples.shape[1])
        item, partner = tuples[rows, column]
        if components[item] != components[partner]:
            tuples[rows, column] = partner, item
            count, components = find_components(tuples, items)
    return count == 1
