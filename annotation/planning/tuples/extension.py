"""Items added to a design whose tuples stand, because people have begun to judge them."""

from fractions import Fraction
from math import ceil, comb, floor

import numpy as np

from annotation.planning.errors import PlanningError
from annotation.planning.tuples.design import Factor, exact, link, refuse_large, spread
from annotation.planning.tuples.pairs import Numbers, Tuples
from annotation.planning.tuples.positions import even_positions
from annotation.planning.tuples.swaps import swap_clashes


def extend_design(
    existing: Tuples, items: int, *, size: int, factor: Factor | None = None, generator: np.random.Generator
) -> Tuples:
    """A design that begins with the existing tuples, untouched, and takes in the items that they do not hold.

    A new item appears as often as the others do on average, a half rounded up. The places left over in the added
    tuples go to the others, those with the fewest appearances first: without them nothing would link the new items
    to the old. Every added tuple has equally many new items, or one more.

    Parameters: existing, shape (tuples, size); items, how many there are now, from 0; factor, added tuples for each
        new item, which go by default with half of each tuple new: more where most items are new, fewer where the
        new items are so few that they would meet each other twice.
    Returns: item indexes, shape (existing and added tuples, size).

    Raises:
        PlanningError: the existing tuples are no design of that size over these items, nothing is new, the factor
            leaves no place to the others or asks for more than there is.
    """
    existing = np.asarray(existing, dtype=np.int64)
    appearances = _appearances(existing, items, size)
    new = np.flatnonzero(appearances == 0)
    each = _round(existing.size, items - len(new))
    added = _count_added(items, len(new), each, size, factor)
    places = _share_places(appearances, each, added * size - len(new) * each, generator)
    _refuse(len(existing) + added, added, items, size, places)
    tuples = np.concatenate([existing, _deal(places, new, added, generator)])
    if not swap_clashes(tuples, items, generator, first=len(existing)):
        spread(tuples, items, generator, first=len(existing))
    link(tuples, items, generator, first=len(existing))
    even_positions(tuples, items, generator, first=len(existing))
    return tuples


def _appearances(existing: Tuples, items: int, size: int) -> Numbers:
    if existing.ndim != 2 or not len(existing) or existing.shape[1] != size:
        raise PlanningError(f"There are no existing tuples of {size} items; make a design of all items instead.")
    if existing.min() < 0 or existing.max() >= items:
        raise PlanningError(f"The existing tuples hold item {existing.max()}, which is not among the {items} items.")
    appearances = np.bincount(existing.ravel(), minlength=items)
    if appearances.all():
        raise PlanningError(f"All {items} items are in the existing tuples already; there is nothing to add.")
    return appearances


def _round(numerator: int, denominator: int) -> int:
    return (2 * numerator + denominator) // (2 * denominator)


def _count_added(items: int, new: int, each: int, size: int, factor: Factor | None) -> int:
    if factor is not None:
        return floor(exact(factor) * new + Fraction(1, 2))
    share = max(size // 2, min(size - 1, size * new // items))
    # With n of them in a tuple a new item meets each * (n - 1) others of the new.
    together = min(share, 1 + (new - 1) // each)
    return ceil(new * each / together)


def _share_places(appearances: Numbers, each: int, left: int, generator: np.random.Generator) -> Numbers:
    """The places that each item gets in the added tuples, shape (items,)."""
    if left < 1:
        raise PlanningError(
            "The added tuples would hold new items only, and nothing would link them to the others; "
            "take more tuples for each new item."
        )
    places = np.where(appearances == 0, each, 0)
    old = np.flatnonzero(appearances)
    level = appearances[old].min()
    while np.maximum(level + 1 - appearances[old], 0).sum() <= left:
        level += 1
    places[old] = np.maximum(level - appearances[old], 0)
    lowest = old[appearances[old] <= level]
    rest = left - places[old].sum()
    places[generator.permutation(lowest)[:rest]] += 1
    return places


def _refuse(tuples: int, added: int, items: int, size: int, places: Numbers) -> None:
    refuse_large(items, tuples)
    if places.max() > added:
        raise PlanningError(
            f"An item would have to appear {places.max()} times in {added} added tuples; "
            "take another number of tuples for each new item."
        )
    if tuples > comb(items, size):
        raise PlanningError(f"{tuples} tuples are wanted; only {comb(items, size)} different tuples of {size} exist.")


def _deal(places: Numbers, new: Numbers, added: int, generator: np.random.Generator) -> Tuples:
    """Random tuples with equally many new items each, or one more, and nothing else in order."""
    order = generator.permutation(len(places))
    order = order[np.argsort(~np.isin(order, new), kind="stable")]  # the new ones first
    columns = np.repeat(order, places[order]).reshape(-1, added)
    return generator.permuted(columns, axis=1).T
