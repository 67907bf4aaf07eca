"""Cyclic designs: exact where exchanges between single tuples would hardly succeed.

A few base tuples are chosen so that the distances between their items on a circle of all items are all different. Moved
on by one item again and again, they make a design in which no two items occur together twice, and every item is in
every position equally often (difference families: Colbourn and Dinitz, Handbook of Combinatorial Designs, VI.16).
The items are put on the circle at random.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from annotation.planning.tuples.pairs import Numbers, Tuples

STEPS = (100, 200, 400, 800, 1_600, 3_200, 6_400)  # steps of each attempt: a new start often helps, about 0.4 s in all


def find_cyclic_design(items: int, size: int, tuples: int, generator: np.random.Generator) -> Tuples | None:
    """Return a design without repeated pairs, shape (tuples, size); None if none of this kind exists or is found."""
    families, rest = divmod(tuples, items)
    if rest or families * size * (size - 1) >= items:
        return None
    for steps in STEPS:
        if (family := _find_family(items, size, families, steps, generator)) is not None:
            family = generator.permuted(family, axis=1)
            rotated = (family[:, None, :] + np.arange(items)[:, None]) % items
            return generator.permutation(generator.permutation(items)[rotated.reshape(-1, size)])
    return None


def _find_family(items: int, size: int, families: int, steps: int, generator: np.random.Generator) -> Numbers | None:
    """Return tuples with all distances different, shape (families, size), by random depth-first search; each from 0."""
    free = np.ones(items, dtype=np.bool_)
    free[[0, items // 2] if items % 2 == 0 else 0] = False  # half the circle is its own reverse distance
    chosen: list[int] = []
    trail = [(free, _candidates([0], free, generator))]
    for _ in range(steps):
        free, candidates = trail[-1]
        if (place := next(candidates, None)) is None:
            trail.pop()
            if not trail:
                return None
            chosen.pop()
            continue
        free = _remaining_distances(free, _current_tuple(chosen, size), place)
        chosen.append(place)
        if len(chosen) == families * (size - 1):
            return np.insert(np.array(chosen).reshape(families, size - 1), 0, 0, axis=1)
        trail.append((free, _candidates(_current_tuple(chosen, size), free, generator)))
    return None


def _current_tuple(chosen: list[int], size: int) -> list[int]:
    """Return the tuple that is being filled; each begins with 0, which is not among the chosen places."""
    return [0, *chosen[len(chosen) - len(chosen) % (size - 1) :]]


def _remaining_distances(free: NDArray[np.bool_], current: list[int], place: int) -> NDArray[np.bool_]:
    """Return which distances are left when the place joins the tuple."""
    remaining = free.copy()
    distance = place - np.array(current)
    remaining[distance] = remaining[-distance] = False
    return remaining


def _candidates(current: list[int], free: NDArray[np.bool_], generator: np.random.Generator) -> Iterator[int]:
    """Return the places after the last whose distances to the others are free and different, in random order."""
    items = len(free)
    places, sums = np.arange(items), np.zeros(items, dtype=np.bool_)
    sums[np.add.outer(current, current) % items] = True
    possible = (places > current[-1]) & ~sums[2 * places % items]  # no distance equals the reverse of another
    for place in current:
        possible &= np.roll(free, place)
    return iter(generator.permutation(np.flatnonzero(possible)).tolist())
