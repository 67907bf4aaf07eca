"""Positions: each item first, second, ... equally often, or once more."""

from collections import deque
from itertools import permutations

import numpy as np

from annotation.planning.tuples.pairs import Numbers, Tuples


def count_positions(tuples: Tuples, items: int) -> Numbers:
    """How often each item stands in each position, shape (items, size)."""
    return np.stack([np.bincount(column, minlength=items) for column in tuples.T], axis=1)


def even_positions(tuples: Tuples, items: int, generator: np.random.Generator, first: int = 0) -> None:
    """Reorder the rows from `first` on, in place, so that the positions of every item are even.

    Each tuple is an edge from the item at one position to the item at another. An item that stands too often at the
    first of the two starts a path to one that stands there too seldom; turning the path round mends both and changes
    nobody else. Where all rows may change, this ends with every item in every position equally often, or once more
    (an even orientation exists for every pair of positions); rows that may not change can prevent it.
    """
    tuples[first:] = generator.permuted(tuples[first:], axis=1)
    mended = True
    while mended:
        mended = False
        for here, there in permutations(range(tuples.shape[1]), 2):
            mended |= _even_two(tuples, count_positions(tuples, items), first, here, there)


def _even_two(tuples: Tuples, counts: Numbers, first: int, here: int, there: int) -> bool:
    """Turn paths between two positions until no item stands `here` too often; whether there was anything to turn."""
    surplus = (counts[:, here] - counts[:, there]).tolist()
    crowded = [item for item, over in enumerate(surplus) if over > 1]
    if not crowded:
        return False
    source, target = tuples[:, here].tolist(), tuples[:, there].tolist()
    rows: list[set[int]] = [set() for _ in surplus]
    for row in range(first, len(source)):
        rows[source[row]].add(row)
    mended = False
    for item in crowded:
        while surplus[item] > 1 and (path := _path(item, surplus, rows, target)):
            for row in path:
                rows[source[row]].remove(row)
                rows[target[row]].add(row)
                source[row], target[row] = target[row], source[row]
            surplus[item] -= 2
            surplus[source[path[0]]] += 2
            mended = True
    tuples[:, here], tuples[:, there] = source, target
    return mended


def _path(start: int, surplus: list[int], rows: list[set[int]], target: list[int]) -> list[int]:
    """The rows of a shortest path from an item to one with too little, last row first; empty where there is none."""
    came_by: dict[int, tuple[int, int]] = {}
    waiting = deque([start])
    while waiting:
        item = waiting.popleft()
        if surplus[item] < surplus[start] - 2:
            return _walk_back(item, start, came_by)
        for row in rows[item]:
            if target[row] not in came_by:
                came_by[target[row]] = (row, item)
                waiting.append(target[row])
    return []


def _walk_back(item: int, start: int, came_by: dict[int, tuple[int, int]]) -> list[int]:
    path = []
    while item != start:
        row, item = came_by[item]
        path.append(row)
    return path
