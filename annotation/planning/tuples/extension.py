"""Adding items to a design whose tuples cannot change, because people have begun to judge them."""

from fractions import Fraction
from math import ceil, comb, floor

import numpy as np
from numpy.typing import ArrayLike

from annotation.planning.errors import PlanningError
from annotation.planning.tuples.design import Factor, design_group, exact, link, naming_group, refuse_large, spread
from annotation.planning.tuples.pairs import Numbers, Tuples
from annotation.planning.tuples.positions import even_positions
from annotation.planning.tuples.swaps import swap_clashes


def extend_design(
    existing: Tuples, items: int, *, size: int, factor: Factor | None = None, generator: np.random.Generator
) -> Tuples:
    """Return a design that begins with the existing tuples, unchanged, and adds the items that they do not hold.

    A new item appears as often as the others do on average, a half rounded up. The places left over in the added
    tuples go to the others, those with the fewest appearances first: without them nothing would link the new items
    to the old. Every added tuple has equally many new items, or one more.

    Parameters: existing, shape (tuples, size); items, their number, old and new; factor, added tuples for each new
        item, by default with half of each tuple new, more if most items are new, fewer if these would meet twice.
    Returns: item indexes, shape (existing and added tuples, size).

    Raises:
        PlanningError: the existing tuples are no design of that size over these items, nothing is new, the factor
            leaves no place to the others or asks for more tuples than exist.
    """
    existing = np.asarray(existing, dtype=np.int64)
    appearances = _appearances(existing, items, size)
    new = np.flatnonzero(appearances == 0)
    per_new = _round(existing.size, items - len(new))
    added = count_added(len(existing), items, len(new), size=size, factor=factor)
    places = _share_places(appearances, per_new, added * size - len(new) * per_new, generator)
    _refuse(len(existing) + added, added, items, size, places)
    tuples = np.concatenate([existing, _deal(places, new, added, generator)])
    if not swap_clashes(tuples, items, generator, first=len(existing)):
        spread(tuples, items, generator, first=len(existing))
    link(tuples, items, generator, first=len(existing))
    even_positions(tuples, items, generator, first=len(existing))
    return tuples


def extend_groups(
    existing: Tuples, groups: ArrayLike, *, size: int, factor: Factor = 2, generator: np.random.Generator
) -> Tuples:
    """Return a design in which items only meet their own group and which begins with the existing tuples, unchanged.

    A group of new items alone, such as a new dialogue (GiCCS), gets its own design as by design_groups; a group that
    has tuples and new items is extended as by extend_design; a group without new items gets no more tuples.

    Parameters: existing, shape (tuples, size); groups, the label of the group of each item, old and new, shape
        (items,); factor, tuples for each item of the new groups.
    Returns: item indexes, shape (existing and added tuples, size), the added ones of all groups in random order.

    Raises:
        PlanningError: an existing tuple holds items of several groups; nothing is new; or a group cannot be designed
            or extended, see design_groups and extend_design: the message names it.
    """
    existing = np.asarray(existing, dtype=np.int64)
    labels, group = np.unique(np.asarray(groups), return_inverse=True)
    appearances = _appearances(existing, len(group), size)
    group_of_row = group[existing]
    if (group_of_row != group_of_row[:, :1]).any():
        raise PlanningError(
            "An existing tuple contains items of several groups, so groups can't be kept separate any more."
        )
    added = []
    for number in np.unique(group[appearances == 0]):
        members, rows = np.flatnonzero(group == number), existing[group_of_row[:, 0] == number]
        with naming_group(labels[number]):
            added.append(_extend_group(members, rows, size, factor, generator))
    return np.concatenate([existing, generator.permutation(np.concatenate(added))])


def _extend_group(members: Numbers, rows: Tuples, size: int, factor: Factor, generator: np.random.Generator) -> Tuples:
    """Return the tuples that are added to the existing rows of a group with new items."""
    if not len(rows):
        return members[design_group(len(members), size, factor, generator)]
    local = np.searchsorted(members, rows)
    return members[extend_design(local, len(members), size=size, generator=generator)[len(rows) :]]


def _appearances(existing: Tuples, items: int, size: int) -> Numbers:
    if existing.ndim != 2 or not len(existing) or existing.shape[1] != size:
        raise PlanningError(
            "There are no existing tuples of %(size)s items. Make a design of all items instead.", size=size
        )
    if existing.min() < 0 or existing.max() >= items:
        raise PlanningError(
            "The existing tuples contain item %(item)s, which is not among the %(items)s items.",
            item=existing.max(),
            items=items,
        )
    appearances = np.bincount(existing.ravel(), minlength=items)
    if appearances.all():
        raise PlanningError(
            "All %(items)s items are already in the existing tuples. There is nothing to add.", items=items
        )
    return appearances


def _round(numerator: int, denominator: int) -> int:
    return (2 * numerator + denominator) // (2 * denominator)


def count_added(tuples: int, items: int, new: int, *, size: int, factor: Factor | None = None) -> int:
    """Return how many tuples `extend_design` adds to this number of tuples; `new` of the items are in none of them."""
    if factor is not None:
        return floor(exact(factor) * new + Fraction(1, 2))
    per_new = _round(tuples * size, items - new)
    share = max(size // 2, min(size - 1, size * new // items))
    # With n of them in a tuple a new item meets each * (n - 1) others of the new.
    new_per_tuple = min(share, 1 + (new - 1) // per_new)
    return ceil(new * per_new / new_per_tuple)


def _share_places(appearances: Numbers, per_new: int, available: int, generator: np.random.Generator) -> Numbers:
    """Return the places that each item gets in the added tuples, shape (items,)."""
    if available < 1:
        raise PlanningError(
            "The added tuples would contain only new items, with no link to the existing ones. Use more "
            "tuples per new item."
        )
    places = np.where(appearances == 0, per_new, 0)
    old = np.flatnonzero(appearances)
    places[old] = fill_lowest(appearances[old], available, generator)
    return places


def fill_lowest(appearances: Numbers, available: int, generator: np.random.Generator) -> Numbers:
    """Return how many of the available places each item gets, shape (items,): those with the fewest appearances first,
    until all have equally many, and the rest of the places at random."""
    level = appearances.min()
    while np.maximum(level + 1 - appearances, 0).sum() <= available:
        level += 1
    places: Numbers = np.maximum(level - appearances, 0)
    lowest = np.flatnonzero(appearances <= level)
    places[generator.permutation(lowest)[: available - places.sum()]] += 1
    return places


def _refuse(tuples: int, added: int, items: int, size: int, places: Numbers) -> None:
    refuse_large(items, tuples)
    if places.max() > added:
        raise PlanningError(
            "An item would have to appear %(times)s times in %(added)s added tuples. Use a different "
            "number of tuples per new item.",
            times=places.max(),
            added=added,
        )
    if tuples > comb(items, size):
        raise PlanningError(
            "%(tuples)s tuples are requested, but only %(exist)s different tuples of %(size)s exist.",
            tuples=tuples,
            exist=comb(items, size),
            size=size,
        )


def _deal(places: Numbers, new: Numbers, added: int, generator: np.random.Generator) -> Tuples:
    """Return random tuples with equally many new items each, or one more, and nothing else in order."""
    order = generator.permutation(len(places))
    order = order[np.argsort(~np.isin(order, new), kind="stable")]  # the new ones first
    columns = np.repeat(order, places[order]).reshape(-1, added)
    return generator.permuted(columns, axis=1).T
