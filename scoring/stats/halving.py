"""Random halves of judgments, many splits at once."""

from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.stats.choices import Integers

Bytes = NDArray[np.uint8]
Sides = NDArray[np.int8]

# Up to eight judgments a half is one byte, a bit for each; up to 64 they are shuffled side by side.
BYTE_LIMIT = 8
SHUFFLE_LIMIT = 64


class Dealer:
    """Deals the units of every group to two halves in turn, shuffled, starting at a random half.

    So a group of an even number is halved exactly, an odd one gives its last unit to either half with the same
    probability, and all ways to do so are equally likely.

    groups: shape (units,), the group of each unit; numbers without units may be left out.
    rows: shape (units,), the row of `sides` that belongs to each unit. Units are ordered by the size of their group,
        for a size that fits a byte by their place in the group, so that a split is read from bytes by masks.
    """

    def __init__(self, groups: Integers, *, shuffle_limit: int = SHUFFLE_LIMIT) -> None:
        """Take the groups. Parameters: shuffle_limit, the size up to which groups are shuffled side by side.

        Larger ones are drawn one after the other, which is fast for few. With another limit, a seed gives other halves.
        """
        self._shuffle_limit = shuffle_limit
        size_of_group = np.bincount(groups)
        order = np.lexsort((groups, size_of_group[groups]))
        sizes, numbers = np.unique(size_of_group[size_of_group > 0], return_counts=True)
        self._stacks = list(zip(sizes.tolist(), numbers.tolist(), strict=True))
        for size, start, stop in self._ranges():
            if size <= BYTE_LIMIT:
                order[start:stop] = order[start:stop].reshape(-1, size).T.ravel()
        self.rows = np.empty(len(groups), np.int64)
        self.rows[order] = np.arange(len(groups))

    @property
    def always_even(self) -> bool:
        """Return whether every group is halved exactly."""
        return all(size % 2 == 0 for size, _ in self._stacks)

    def sides(self, generator: np.random.Generator, splits: int) -> Sides:
        """Return 1 for the first half and 0 for the second, shape (units, splits), units in the order of `rows`.

        Random numbers are drawn split by split, so that the splits do not depend on how many are requested at once.
        """
        drawn = [np.empty((splits, self._drawn_bytes(size, number)), np.uint8) for size, number in self._stacks]
        for split in range(splits):
            for (size, number), stack in zip(self._stacks, drawn, strict=True):
                stack[split] = _draw(generator, size, number, self._shuffle_limit)
        sides = np.empty((len(self.rows), splits), np.int8)
        for (size, start, stop), stack in zip(self._ranges(), drawn, strict=True):
            _unpack(np.ascontiguousarray(stack.T), size, sides[start:stop])
        return sides

    def _drawn_bytes(self, size: int, number: int) -> int:
        return number if size <= BYTE_LIMIT else number * size

    def _ranges(self) -> list[tuple[int, int, int]]:
        """Return size of group, first row and row after the last, for every size."""
        stops = np.cumsum([size * number for size, number in self._stacks]).tolist()
        return [(size, stop - size * number, stop) for (size, number), stop in zip(self._stacks, stops, strict=True)]


def _draw(generator: np.random.Generator, size: int, number: int, shuffle_limit: int) -> Bytes:
    """Draw one split of `number` groups of `size`: a byte for a group that fits one, else a byte for each unit."""
    if size <= BYTE_LIMIT:
        return _draw_patterns(generator, half_patterns(size), number)
    if size <= shuffle_limit:
        dealt = np.tile(np.arange(size, dtype=np.uint8) % 2, (number, 1))
        starts = generator.integers(0, 2, (number, 1), dtype=np.uint8)
        return np.asarray((generator.permuted(dealt, axis=1) ^ starts).ravel())
    return np.concatenate([_draw_half(generator, size) for _ in range(number)])


@lru_cache
def half_patterns(size: int) -> bytes:
    """Return all halves of `size` units as bytes, bit j for unit j: 6 of 4 units, 20 of 5 (ten of 2, ten of 3)."""
    halves = {size // 2, size - size // 2}
    chosen = [units for half in sorted(halves) for units in combinations(range(size), half)]
    return bytes(sum(1 << unit for unit in units) for units in chosen)


def _draw_patterns(generator: np.random.Generator, patterns: bytes, number: int) -> Bytes:
    """Return equally likely patterns, shape (number,), from random bytes."""
    table, unfair = _byte_table(patterns)
    share = 256 / (256 - len(unfair))
    drawn = b""
    while len(drawn) < number:
        missing = number - len(drawn)
        drawn += generator.bytes(int(missing * share) + missing // 64 + 8).translate(table, unfair)
    return np.frombuffer(drawn, np.uint8, number)


@lru_cache
def _byte_table(patterns: bytes) -> tuple[bytes, bytes]:
    """Return the pattern of each byte, and the bytes to throw away, which would favour the first patterns."""
    fair = 256 - 256 % len(patterns)
    return bytes(patterns[byte % len(patterns)] for byte in range(256)), bytes(range(fair, 256))


def _draw_half(generator: np.random.Generator, size: int) -> Bytes:
    """Draw a half of many units: fair coins, then the surplus of the larger side reversed.

    Coins give every set of a given size the same probability, and random reversals preserve this.
    """
    coins = np.unpackbits(np.frombuffer(generator.bytes(-(-size // 8)), np.uint8), count=size)
    half = size // 2 + (int(generator.integers(0, 2)) if size % 2 else 0)
    surplus = int(coins.sum(dtype=np.int64)) - half
    greater = np.flatnonzero(coins == (surplus > 0))
    coins[generator.choice(greater, abs(surplus), replace=False, shuffle=False)] ^= 1
    return coins


def _unpack(drawn: Bytes, size: int, sides: Sides) -> None:
    """Fill sides, shape (units, splits), from what was drawn, shape (bytes, splits)."""
    if size > BYTE_LIMIT:
        sides[:] = drawn
        return
    planes: NDArray[Any] = sides.reshape(size, *drawn.shape).view(np.bool_)
    for unit, plane in enumerate(planes):
        np.not_equal(drawn & np.uint8(1 << unit), 0, out=plane)
