"""Splitting items into the parts of a dataset, such as train, dev and test: by seed, in the requested sizes."""

import re
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction

import numpy as np
import scipy

from annotation.protocols.errors import TranslatableError
from scoring.stats.choices import Integers

REST = "rest"
COUNT = re.compile("[0-9]{1,9}")
SHARE = re.compile(r"[0-9]?\.[0-9]{1,9}")
Size = int | Fraction | None
"""A number of items, a share of them, or None for the rest."""


class SplitError(TranslatableError):
    """Sizes that make no sense or cannot be met."""


def read_sizes(text: str, names: Sequence[str]) -> dict[str, Size]:
    """Read sizes such as `train=0.8,dev=0.1,test=0.1` or `train=rest,dev=250,test=2600`; parts not named get nothing.

    A whole number is a number of items, one with a decimal point a share, and `rest` what the others leave.

    Raises:
        SplitError: there is no such part, a part twice, no size, shares mixed with numbers, or two rests.
    """
    sizes: dict[str, Size] = {}
    for entry in text.split(","):
        name, _, size = (part.strip() for part in entry.partition("="))
        if name not in names:
            raise SplitError(
                "“%(name)s” is not a part of the dataset. Use one of: %(names)s.", name=name, names=", ".join(names)
            )
        if name in sizes:
            raise SplitError("The size of %(name)s is given twice.", name=name)
        sizes[name] = _read_size(name, size)
    if list(sizes.values()).count(None) > 1:
        raise SplitError("Only one part can take the rest.")
    if len({type(size) for size in sizes.values() if size}) > 1:
        raise SplitError("Give all sizes as numbers of items, or all as shares such as 0.8.")
    return {name: sizes.get(name, 0) for name in names}


def _read_size(name: str, text: str) -> Size:
    if text == REST:
        return None
    if COUNT.fullmatch(text):
        return int(text)
    if SHARE.fullmatch(text):
        return Fraction(text)
    raise SplitError(
        "The size of %(name)s must be a number of items, a share such as 0.8, or %(rest)s, not “%(text)s”.",
        name=name,
        rest=REST,
        text=text,
    )


def sizes_for(wanted: Mapping[str, Size], number: int) -> dict[str, int]:
    """Return how many of `number` items each part gets; they add up to all of them.

    Shares are rounded by largest remainders, in a tie the part named first.

    Raises:
        SplitError: the shares do not add up to 1, or the numbers to all items.
    """
    shares = any(isinstance(size, Fraction) for size in wanted.values())
    whole, items = (Fraction(1), number) if shares else (Fraction(number), 1)
    total = sum((Fraction(size) for size in wanted.values() if size is not None), Fraction(0))
    if total > whole or (total < whole and None not in wanted.values()):
        raise _not_whole(total, number, shares=shares)
    sizes = {name: whole - total if size is None else Fraction(size) for name, size in wanted.items()}
    return _whole_numbers({name: size * items for name, size in sizes.items()})


def _not_whole(total: Fraction, number: int, *, shares: bool) -> SplitError:
    if shares:
        return SplitError(
            "The shares add up to %(sum)s, not to 1. One part can take the rest, as in train=%(rest)s.",
            sum=f"{float(total):g}",
            rest=REST,
        )
    return SplitError(
        "The sizes add up to %(sum)s, not to %(number)s items. One part can take the rest, as in train=%(rest)s.",
        sum=total,
        number=number,
        rest=REST,
    )


def _whole_numbers(exact: Mapping[str, Fraction]) -> dict[str, int]:
    """Return numbers rounded down, and one more for those that lost most by it, so that the sum stays."""
    sizes = {name: int(size) for name, size in exact.items()}
    missing = int(sum(exact.values(), Fraction(0))) - sum(sizes.values())
    for name in sorted(exact, key=lambda name: sizes[name] - exact[name])[:missing]:
        sizes[name] += 1
    return sizes


def connect(marks: Sequence[Sequence[Hashable]]) -> Integers:
    """Return clusters of connected items: by a mark they share, or through items in between.

    They are the connected components of the graph of items and marks.

    Parameters: marks, of each item, such as its two sentences.
    Returns: shape (items,), the number of each item's cluster.
    """
    numbers: dict[Hashable, int] = {}
    ends = [(item, numbers.setdefault(mark, len(numbers))) for item, row in enumerate(marks) for mark in row]
    items, shared = np.array(ends, dtype=np.int64).reshape(-1, 2).T
    nodes = len(marks) + len(numbers)
    graph = scipy.sparse.coo_array((np.ones(len(ends)), (items, len(marks) + shared)), shape=(nodes, nodes))
    labels = scipy.sparse.csgraph.connected_components(graph, directed=False)[1]
    return np.asarray(labels[: len(marks)], dtype=np.int64)


def split_items(
    keys: Sequence[str], sizes: Sequence[int], generator: np.random.Generator, clusters: Integers | None = None
) -> Integers:
    """Deal items to parts at random; the same seed deals the same, whatever the order of the items.

    Without clusters the sizes are exact. Clusters are not split: the largest first, each into the part that has most
    room left, so that the small ones even the sizes out as far as they can.

    Parameters: keys, one for each item, all different; sizes, of each part; clusters, shape (items,).
    Returns: shape (items,), the index of each item's part.

    Raises:
        ValueError: sizes do not add up to the number of items, or keys are not different.
    """
    if sum(sizes) != len(keys) or len(set(keys)) < len(keys):
        raise ValueError("Splitting needs items with distinct keys, and sizes that add up to their number.")
    ranks = np.empty(len(keys), dtype=np.int64)
    ranks[np.argsort(np.array(keys, dtype=object), kind="stable")] = generator.permutation(len(keys))
    labels = np.arange(len(keys)) if clusters is None else np.unique(clusters, return_inverse=True)[1]
    numbers = np.bincount(labels, minlength=1)
    first = np.full(len(numbers), len(keys))
    np.minimum.at(first, labels, ranks)
    return _deal(numbers, np.lexsort((first, -numbers)), sizes)[labels]


def _deal(numbers: Integers, order: Integers, sizes: Sequence[int]) -> Integers:
    """Return the part of each cluster; of parts with equal room it is the first."""
    room = list(sizes)
    parts = np.zeros(len(numbers), dtype=np.int64)
    for cluster in order.tolist():
        part = max(range(len(room)), key=room.__getitem__)
        room[part] -= int(numbers[cluster])
        parts[cluster] = part
    return parts
