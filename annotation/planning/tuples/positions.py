"""Balancing positions: each item is first, second, ... equally often, or once more."""

from collections import deque
from itertools import permutations

import numpy as np

from annotation.planning.tuples.pairs import Numbers, Tuples


def count_positions(tuples: Tuples, items: int) -> Numbers:
    """Return how often each item is in each position, shape (items, size)."""
    return np.stack([np.bincount(column, minlength=items) for column in tuples.T], axis=1)


def even_positions(tuples: Tuples, items: int, generator: np.random.Generator, first: int = 0) -> None:
    """Reorder the rows from `first` on, in place, so that the positions of every item are even.

    Each tuple is an edge from the item at one position to the item at another. An item that is too often at the first
    of the two starts a path to one that is too rarely at it; reversing the path corrects both and changes no other
    item. If all rows may change, this ends with every item in every position equally often, or once more (an even
    orientation exists for every pair of positions); rows that may not change can prevent it.
    """
    tuples[first:] = generator.permuted(tuples[first:], axis=1)
    changed = True
    while changed:
        changed = False
        for start, end in permutations(range(tuples.shape[1]), 2):
            changed |= _even_two(tuples, count_positions(tuples, items), first, start, end)


def _even_two(tuples: Tuples, counts: Numbers, first: int, start: int, end: int) -> bool:
    """Reverse paths between two positions until no item is too often at `start`; return whether any was reversed."""
    surplus = (counts[:, start] - counts[:, end]).tolist()
    crowded = [item for item, over in enumerate(surplus) if over > 1]
    if not crowded:
        return False
    source, target = tuples[:, start].tolist(), tuples[:, end].tolist()
    rows: list[set[int]] = [set() for _ in surplus]
    for row in range(first, len(source)):
        rows[source[row]].add(row)
    changed = False
    for item in crowded:
        while surplus[item] > 1 and (path := _path(item, surplus, rows, target)):
            for row in path:
                rows[source[row]].remove(row)
                rows[target[row]].add(row)
                source[row], target[row] = target[row], source[row]
            surplus[item] -= 2
            surplus[source[path[0]]] += 2
            changed = True
    tuples[:, start], tuples[:, end] = source, target
    return changed


def _path(start: int, surplus: list[int], rows: list[set[int]], target: list[int]) -> list[int]:
    """Return the rows of a shortest path from an item to one with too few, last row first; empty if there is none."""
    reached_by: dict[int, tuple[int, int]] = {}
    queue = deque([start])
    while queue:
        item = queue.popleft()
        if surplus[item] < surplus[start] - 2:
            return _walk_back(item, start, reached_by)
        for row in rows[item]:
            if target[row] not in reached_by:
                reached_by[target[row]] = (row, item)
                queue.append(target[row])
    return []


def _walk_back(item: int, start: int, reached_by: dict[int, tuple[int, int]]) -> list[int]:
    path = []
    while item != start:
        row, item = reached_by[item]
        path.append(row)
    return path
