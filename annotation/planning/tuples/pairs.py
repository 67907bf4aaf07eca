"""Pairs of items that occur together, as single numbers that sort and compare fast."""

import numpy as np
from numpy.typing import NDArray

Tuples = NDArray[np.int64]
Numbers = NDArray[np.int64]


def pair_keys(tuples: Tuples, items: int) -> Numbers:
    """Return each pair of each tuple as smaller * items + larger, shape (tuples, size * (size - 1) / 2)."""
    size = tuples.shape[1]
    columns = tuples.T.copy()  # a contiguous column is read several times faster
    keys = np.empty((size * (size - 1) // 2, len(tuples)), dtype=np.int64)
    for row, (left, right) in enumerate(zip(*np.triu_indices(size, 1), strict=True)):
        smaller, larger = np.minimum(columns[left], columns[right]), np.maximum(columns[left], columns[right])
        keys[row] = smaller * items + larger
    return keys.T


def other_positions(size: int) -> Numbers:
    """Return the other positions for each position, shape (size, size - 1)."""
    return np.array([[other for other in range(size) if other != position] for position in range(size)])
