"""Items split into the parts of a dataset, such as train, dev and test: by seed, in sizes asked for."""

import re
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from scoring.stats.choices import Integers

REST = "rest"
COUNT = re.compile("[0-9]{1,9}")
SHARE = re.compile(r"[0-9]?\.[0-9]{1,9}")
Size = int | Fraction | None
"""A number of items, a share of them, or None for what is left."""


class SplitError(ValueError):
    """Sizes that make no sense or cannot be met; the message is a full sentence."""


def read_sizes(text: str, names: Sequence[str]) -> dict[str, Size]:
    """Sizes such as `train=0.8,dev=0.1,test=0.1` or `train=rest,dev=250,test=2600`; who is not named gets nothing.

    A whole number is a number of items, one with a decimal point a share, and `rest` what the others leave.

    Raises:
        SplitError: no such part, a part twice, no size, shares beside numbers, two rests.
    """
    sizes: dict[str, Size] = {}
    for entry in text.split(","):
        name, _, size = (part.strip() for part in entry.partition("="))
        if name not in names:
            raise SplitError(f"“{name}” is no part of the dataset; these are: {', '.join(names)}.")
        if name in sizes:
            raise SplitError(f"The size of {name} is given twice.")
        sizes[name] = _read_size(name, size)
    if list(sizes.values()).count(None) > 1:
        raise SplitError("Only one part can get the rest.")
    if len({type(size) for size in sizes.values() if size}) > 1:
        raise SplitError("Sizes are either all numbers of items, or all shares such as 0.8.")
    return {name: sizes.get(name, 0) for name in names}


def _read_size(name: str, text: str) -> Size:
    if text == REST:
        return None
    if COUNT.fullmatch(text):
        return int(text)
    if SHARE.fullmatch(text):
        return Fraction(text)
    raise SplitError(f"The size of {name} is a number of items, a share such as 0.8, or {REST}, not “{text}”.")


def sizes_for(wanted: Mapping[str, Size], number: int) -> dict[str, int]:
    """How many of so many items each part gets; they add up to all of them.

    Shares are rounded by largest remainders, of equal ones the part named first.

    Raises:
        SplitError: shares that are not 1 in all, numbers that are not all items.
    """
    shares = any(isinstance(size, Fraction) for size in wanted.values())
    whole, items = (Fraction(1), number) if shares else (Fraction(number), 1)
    given = sum((Fraction(size) for size in wanted.values() if size is not None), Fraction(0))
    if given > whole or (given < whole and None not in wanted.values()):
        raise SplitError(_not_whole(given, number, shares=shares))
    sizes = {name: whole - given if size is None else Fraction(size) for name, size in wanted.items()}
    return _whole_numbers({name: size * items for name, size in sizes.items()})


def _not_whole(given: Fraction, number: int, *, shares: bool) -> str:
    sums = (
        f"shares add up to {float(given):g}, not to 1" if shares else f"sizes add up to {given}, not to {number} items"
    )
    return f"The {sums}; one part can be given what the others leave, as in train={REST}."


def _whole_numbers(exact: Mapping[str, Fraction]) -> dict[str, int]:
    """Rounded down, and one more for those that lost most by it, so that the sum stays."""
    sizes = {name: int(size) for name, size in exact.items()}
    missing = int(sum(exact.values(), Fraction(0))) - sum(sizes.values())
    for name in sorted(exact, key=lambda name: sizes[name] - exact[name])[:missing]:
        sizes[name] += 1
    return sizes


def connect(marks: Sequence[Sequence[Hashable]]) -> Integers:
    """Clusters of items that hang together: by a mark they share, or over items in between.

    They are the connected components of the graph of items and marks.

    Parameters: marks, of each item, such as its two sentences.
    Returns: shape (items,), the number of each item's cluster.
    """
    numbers: dict[Hashable, int] = {}
    ends = [(item, numbers.setdefault(mark, len(numbers))) for item, own in enumerate(marks) for mark in own]
    items, shared = np.array(ends, dtype=np.int64).reshape(-1, 2).T
    nodes = len(marks) + len(numbers)
    graph = coo_array((np.ones(len(ends)), (items, len(marks) + shared)), shape=(nodes, nodes))
    labels = connected_components(graph, directed=False)[1]
    return np.asarray(labels[: len(marks)], dtype=np.int64)


def split_items(
    keys: Sequence[str], sizes: Sequence[int], generator: np.random.Generator, clusters: Integers | None = None
) -> Integers:
    """Deals items to parts at random; the same seed deals the same, in whatever order the items come.

    Without clusters the sizes are exact. Clusters stay whole: the largest first, each into the part that has most room
    left, so that the small ones even the sizes out as far as they can.

    Parameters: keys, one for each item, all different; sizes, of each part; clusters, shape (items,).
    Returns: shape (items,), the index of each item's part.

    Raises:
        ValueError: sizes that do not add up to the number of items, keys that are not different.
    """
    if sum(sizes) != len(keys) or len(set(keys)) < len(keys):
        raise ValueError("Items with different keys are wanted, and sizes that add up to their number.")
    ranks = np.empty(len(keys), dtype=np.int64)
    ranks[np.argsort(np.array(keys, dtype=object), kind="stable")] = generator.permutation(len(keys))
    labels = np.arange(len(keys)) if clusters is None else np.unique(clusters, return_inverse=True)[1]
    numbers = np.bincount(labels, minlength=1)
    first = np.full(len(numbers), len(keys))
    np.minimum.at(first, labels, ranks)
    return _deal(numbers, np.lexsort((first, -numbers)), sizes)[labels]


def _deal(numbers: Integers, order: Integers, sizes: Sequence[int]) -> Integers:
    """The part of each cluster; of parts with equal room it is the first."""
    room = list(sizes)
    parts = np.zeros(len(numbers), dtype=np.int64)
    for cluster in order.tolist():
        part = max(range(len(room)), key=room.__getitem__)
        room[part] -= int(numbers[cluster])
        parts[cluster] = part
    return parts
