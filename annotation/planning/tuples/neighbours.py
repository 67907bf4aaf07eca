"""The next tuples of an adaptive round: items whose scores are close meet, as such choices say the most."""

import numpy as np
from numpy.typing import NDArray

from annotation.planning.errors import PlanningError
from annotation.planning.tuples.extension import fill_lowest
from annotation.planning.tuples.pairs import Numbers, Tuples
from annotation.planning.tuples.positions import even_positions
from annotation.planning.tuples.swaps import swap_clashes

Floats = NDArray[np.float64]
SPREAD = 0.5
"""The share of an item's standard error by which its place among the others varies (benchmarks.adaptive)."""
REACH = 4
"""How many tuples apart items are exchanged at first, where a pair would meet too often."""


def next_tuples(
    existing: Tuples,
    utilities: Floats,
    errors: Floats,
    *,
    number: int,
    together: int,
    generator: np.random.Generator,
    shares: Floats | None = None,
) -> Tuples:
    """Return tuples to judge next, in which items of similar utility meet.

    The information of a choice about the utilities of its tuple is diag(p) - p p', p being the probabilities to be
    chosen (McFadden 1974). Its trace, 1 - sum(p²), is greatest where all items are equally likely. So items are sorted
    by utilities that are drawn anew for each of their appearances, u + SPREAD * error * z, and neighbours meet. Items
    with large errors therefore meet many others, and ties are in random order.

    Appearances stay as even as they are: every item gets equally many, or those with fewer before get one more. No
    tuple holds an item twice or repeats another, and positions are as even as the existing tuples allow. The work is
    nearly linear in the tuples, existing and new. The same arguments and seed return the same tuples.

    Parameters: existing, shape (tuples, size); utilities and errors, shapes (items,); number, of tuples; together, how
        many tuples two items may share, with the existing ones; shares, shape (items,), of all appearances that items
        should have, existing and new, if these should not be even.
    Returns: item indexes, shape (number, size).

    Raises:
        PlanningError: so many tuples are not possible with this limit, or nearly so.
    """
    existing = np.asarray(existing, dtype=np.int64)
    items, size = len(utilities), existing.shape[1]
    appearances = np.bincount(existing.ravel(), minlength=items)
    if shares is None:
        places = fill_lowest(appearances, number * size, generator)
    else:
        places = _fill_shares(appearances, shares, number * size, generator)
    added = _ordered(places, utilities, errors, generator).reshape(number, size)
    tuples = np.concatenate([existing, generator.permuted(added, axis=1)])
    if not swap_clashes(tuples, items, generator, len(existing), together=together, reach=REACH):
        raise PlanningError(
            "%(number)s further tuples are not possible if two items may share %(together)s tuples at most.",
            number=number,
            together=together,
        )
    even_positions(tuples, items, generator, first=len(existing))
    return tuples[len(existing) :]


def _fill_shares(appearances: Numbers, shares: Floats, available: int, generator: np.random.Generator) -> Numbers:
    """Return how many of the available places each item gets, shape (items,), in proportion to what it has too few."""
    wanted = np.maximum(shares / shares.sum() * (appearances.sum() + available) - appearances, 0)
    exact = wanted / wanted.sum() * available
    places: Numbers = np.floor(exact).astype(np.int64)
    order = generator.permutation(len(places))
    order = order[np.argsort(places[order] - exact[order], kind="stable")]
    places[order[: available - places.sum()]] += 1
    return places


def _ordered(places: Numbers, utilities: Floats, errors: Floats, generator: np.random.Generator) -> Numbers:
    """Return every item as often as it has places, shape (places,): layers of all items that have another place, each
    sorted, and every second one from the highest to the lowest, so that neighbours are alike where layers meet."""
    layers = []
    for layer in range(int(places.max(initial=0))):
        own = np.flatnonzero(places > layer)
        drawn = utilities[own] + SPREAD * errors[own] * generator.normal(size=len(own))
        order = own[np.argsort(drawn, kind="stable")]
        layers.append(order[::-1] if layer % 2 else order)
    return np.concatenate(layers)
