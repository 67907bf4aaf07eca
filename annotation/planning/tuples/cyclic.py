"""Designs turned round a circle of items: exact where exchanges between single tuples would hardly get there.

A few tuples are chosen so that the distances between their items on a circle of all items are all different. Moved on
by one item again and again, they make a design in which no two items stand together twice, and every item stands in
every position equally often (difference families: Colbourn and Dinitz, Handbook of Combinatorial Designs, VI.16).
The items are put on the circle at random.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from annotation.planning.tuples.pairs import Numbers, Tuples

STEPS = (100, 200, 400, 800, 1_600, 3_200, 6_400)  # of one try each: a new start often helps, about 0.4 s in all


def turn_design(items: int, size: int, tuples: int, generator: np.random.Generator) -> Tuples | None:
    """A design without repeated pairs, shape (tuples, size); None where there is none of this kind or none is found."""
    families, rest = divmod(tuples, items)
    if rest or families * size * (size - 1) >= items:
        return None
    for steps in STEPS:
        if (found := _find_family(items, size, families, steps, generator)) is not None:
            found = generator.permuted(found, axis=1)
            turned = (found[:, None, :] + np.arange(items)[:, None]) % items
            return generator.permutation(generator.permutation(items)[turned.reshape(-1, size)])
    return None


def _find_family(items: int, size: int, families: int, steps: int, generator: np.random.Generator) -> Numbers | None:
    """Tuples with all distances different, shape (families, size), each from 0 upwards: depth first, random order."""
    free = np.ones(items, dtype=np.bool_)
    free[[0, items // 2] if items % 2 == 0 else 0] = False  # half the circle is its own way back
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
        free = _without(free, _begun(chosen, size), place)
        chosen.append(place)
        if len(chosen) == families * (size - 1):
            return np.insert(np.array(chosen).reshape(families, size - 1), 0, 0, axis=1)
        trail.append((free, _candidates(_begun(chosen, size), free, generator)))
    return None


def _begun(chosen: list[int], size: int) -> list[int]:
    """The tuple that is being filled; each begins with 0, which is not among the chosen places."""
    return [0, *chosen[len(chosen) - len(chosen) % (size - 1) :]]


def _without(free: NDArray[np.bool_], begun: list[int], place: int) -> NDArray[np.bool_]:
    """The distances that are left when the place joins the tuple."""
    left = free.copy()
    distance = place - np.array(begun)
    left[distance] = left[-distance] = False
    return left


def _candidates(begun: list[int], free: NDArray[np.bool_], generator: np.random.Generator) -> Iterator[int]:
    """The places after the last whose distances to the others are free and different, in random order."""
    items = len(free)
    places, sums = np.arange(items), np.zeros(items, dtype=np.bool_)
    sums[np.add.outer(begun, begun) % items] = True
    possible = (places > begun[-1]) & ~sums[2 * places % items]  # no distance equals the way back of another
    for place in begun:
        possible &= np.roll(free, place)
    return iter(generator.permutation(np.flatnonzero(possible)).tolist())
