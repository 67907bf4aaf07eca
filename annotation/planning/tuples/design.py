"""Complete best-worst designs: over all items, or within each group of items."""

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from math import comb, floor

import numpy as np
from numpy.typing import ArrayLike

from annotation.planning.errors import PlanningError
from annotation.planning.tuples.connection import join_components
from annotation.planning.tuples.cyclic import find_cyclic_design
from annotation.planning.tuples.pairs import Tuples
from annotation.planning.tuples.positions import even_positions
from annotation.planning.tuples.search import NEVER, even_out
from annotation.planning.tuples.swaps import swap_clashes

Factor = Fraction | Decimal | float
MATRIX = 3_000  # items up to which a matrix of items by items (72 MB) may be kept for the search
SMALL = 40  # places up to which a design is searched from several orders
ORDERS = 10
LARGEST = 1 << 62  # limit of the integers that encode a pair and its tuple


def count_tuples(items: int, *, size: int, factor: Factor) -> int:
    """Return factor * items, a half rounded up; a float counts as the decimal number that it is written as.

    Raises:
        PlanningError: size or factor are out of range, or there are fewer items than a tuple holds.
    """
    if size < 2:
        raise PlanningError("A tuple needs at least two items to choose from, but the size is %(size)s.", size=size)
    if items < size:
        raise PlanningError(
            "Tuples of %(size)s items need at least %(size)s items, but there are %(items)s.", size=size, items=items
        )
    return floor(exact(factor) * items + Fraction(1, 2))


def exact(factor: Factor) -> Fraction:
    """Return the factor as a fraction, above zero."""
    try:
        number = Fraction(str(factor))
    except ValueError:
        number = Fraction(0)
    if number <= 0:
        raise PlanningError(
            "The number of tuples per item must be greater than zero, but it is %(factor)s.", factor=factor
        )
    return number


def design_tuples(items: int, *, size: int, factor: Factor = 2, generator: np.random.Generator) -> Tuples:
    """Return a best-worst design over all items (SemRel2024 3.2: 4-tuples, twice as many as items).

    Items appear equally often, or once more if the places do not divide; in every position equally often, or once
    more. No tuple holds an item twice or is repeated, any two items are linked by tuples that share an item, and two
    items occur together as rarely as a bounded search finds: never twice, wherever there is some room.

    Returns: item indexes, shape (count_tuples(items, size=size, factor=factor), size).

    Raises:
        PlanningError: see count_tuples; or more tuples are asked for than exist, or too few to link the items.
    """
    wanted = count_tuples(items, size=size, factor=factor)
    exist = comb(items, size)
    if wanted > exist:
        raise PlanningError(
            "%(factor)s tuples per item for %(items)s items are %(wanted)s tuples, but only %(exist)s "
            "different tuples of %(size)s exist.",
            factor=factor,
            items=items,
            wanted=wanted,
            exist=exist,
            size=size,
        )
    return _design(items, size, wanted, generator)


def design_groups(groups: ArrayLike, *, size: int, factor: Factor = 2, generator: np.random.Generator) -> Tuples:
    """Return a design in which items only meet items of their own group (GiCCS: five utterances, all ten 3-tuples).

    A group gets all its tuples if they are at most factor * its items, else a design as by design_tuples.

    Parameters: groups, the label of each item's group, shape (items,).
    Returns: item indexes, shape (tuples, size), the tuples of all groups in random order.

    Raises:
        PlanningError: see design_tuples; the message names the group.
    """
    labels, group = np.unique(np.asarray(groups), return_inverse=True)
    if not len(labels):
        raise PlanningError("There are no items to combine into tuples.")
    # Groups of one size share one search: with other names its design is just as good.
    by_size: dict[int, Tuples] = {}
    designs = []
    for number, label in enumerate(labels):
        members = generator.permutation(np.flatnonzero(group == number))
        with naming_group(label):
            if len(members) not in by_size:
                by_size[len(members)] = design_group(len(members), size, factor, generator)
            designs.append(members[by_size[len(members)]])
    return generator.permutation(np.concatenate(designs))


@contextmanager
def naming_group(label: object) -> Iterator[None]:
    """Name the group in the message of a PlanningError raised inside."""
    try:
        yield
    except PlanningError as refusal:
        raise PlanningError("Group “%(label)s”: %(refusal)s", label=label, refusal=refusal) from refusal


def design_group(items: int, size: int, factor: Factor, generator: np.random.Generator) -> Tuples:
    """Return a design of one group: all its tuples if there are few enough."""
    wanted = min(count_tuples(items, size=size, factor=factor), comb(items, size))
    return _design(items, size, wanted, generator)


def _refuse_unconnected(items: int, wanted: int, size: int) -> None:
    """Raise PlanningError for too few tuples to link all items: the first links `size`, each other `size` - 1 more."""
    if wanted * (size - 1) < items - 1:
        raise PlanningError(
            "%(wanted)s tuples of %(size)s can link up to %(linked)s items, but there are %(items)s. At "
            "least %(needed)s tuples are needed.",
            wanted=wanted,
            size=size,
            linked=wanted * (size - 1) + 1,
            items=items,
            needed=-(-(items - 1) // (size - 1)),
        )


def refuse_large(items: int, tuples: int) -> None:
    if items**2 << tuples.bit_length() > LARGEST:
        raise PlanningError(
            "%(tuples)s tuples of %(items)s items are too many for one design. Divide the items.",
            tuples=tuples,
            items=items,
        )


def _design(items: int, size: int, wanted: int, generator: np.random.Generator) -> Tuples:
    _refuse_unconnected(items, wanted, size)
    refuse_large(items, wanted)
    if 2 * wanted > comb(items, size):
        tuples = _complement_design(items, size, wanted, generator)
        even_positions(tuples, items, generator)
        return tuples
    tuples = _spread_pairs(items, size, wanted, generator)
    link(tuples, items, generator)
    return tuples


def _complement_design(items: int, size: int, wanted: int, generator: np.random.Generator) -> Tuples:
    """Return all tuples but those of a small, even design; what is even in these is even in the rest."""
    combined = np.array(list(combinations(range(items), size)), dtype=np.int64)
    excluded = _spread_pairs(items, size, len(combined) - wanted, generator)
    powers = items ** np.arange(size)
    kept = ~np.isin(combined @ powers, np.sort(excluded, axis=1) @ powers)
    return generator.permutation(combined[kept])


def _spread_pairs(items: int, size: int, tuples: int, generator: np.random.Generator) -> Tuples:
    """Return tuples with as few repeated pairs as swaps, a cyclic design or a long search find, in this order."""
    dealt = _deal(items, size, tuples, generator)
    if swap_clashes(dealt, items, generator):
        return dealt
    cyclic = find_cyclic_design(items, size, tuples, generator)
    if cyclic is not None:
        return cyclic
    if dealt.size > SMALL:
        spread(dealt, items, generator)
        return dealt
    return _search_small(dealt, items, generator)


def _search_small(dealt: Tuples, items: int, generator: np.random.Generator) -> Tuples:
    """Search a small design from several orders, as it can be stuck with what the deal put into each column."""
    best, lowest = dealt, NEVER
    for _ in range(ORDERS):
        tuples = generator.permuted(dealt, axis=1)
        if (beyond := spread(tuples, items, generator)) < lowest:
            best, lowest = tuples, beyond
        if not lowest:
            break
    even_positions(best, items, generator)
    return best


def _deal(items: int, size: int, tuples: int, generator: np.random.Generator) -> Tuples:
    """Return random tuples that are even in appearances and positions, and in nothing else."""
    places = np.full(items, tuples * size // items)
    places[generator.permutation(items)[: tuples * size % items]] += 1
    order = generator.permutation(items)
    # The places of one item follow each other, and so go to the columns in turn.
    return generator.permuted(np.repeat(order, places[order]).reshape(tuples, size), axis=0)


def spread(tuples: Tuples, items: int, generator: np.random.Generator, first: int = 0) -> int:
    """Remove repeated pairs, items and tuples, in the rows from `first` on, in place.

    Returns: the repeated pairs beyond what the numbers force, 0 if there are none or they were not searched.

    Raises:
        PlanningError: the search ended with an item twice in a tuple or with a tuple twice.
    """
    swap_clashes(tuples, items, generator, first, pairs=False)
    beyond = even_out(tuples, items, generator, first) if items <= MATRIX else 0
    ordered = np.sort(tuples, axis=1)
    if (np.diff(ordered, axis=1) == 0).any() or len(np.unique(ordered, axis=0)) < len(tuples):
        raise PlanningError("No design without repeated tuples was found. Use fewer tuples per item.")
    return beyond


def link(tuples: Tuples, items: int, generator: np.random.Generator, first: int = 0) -> None:
    """Join the items into one component, in the rows from `first` on, in place."""
    if not join_components(tuples, items, generator, first):
        raise PlanningError("No design that links all items was found. Use more tuples per item.")
