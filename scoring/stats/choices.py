"""Best-worst judgments as arrays."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

NO_ITEM = -1


@dataclass(frozen=True, eq=False)
class Choices:
    """Best-worst judgments, a row each: of the items shown, one is best and one is worst.

    Integers may be of any size, so products of them are computed with 64 bits.

    Rows may be invalid: an item may be shown twice in a row, and best may equal worst. `valid` marks the rows without
    either.

    items: shape (judgments, size), indexes of the items in the order shown; -1 fills up shorter rows.
    best, worst: shape (judgments,), indexes of items, not positions.
    tuples: shape (judgments,), index of the tuple that was judged.
    annotators: shape (judgments,), index of the person, or None if unknown.
    number: how many items there are, with those that were never shown.

    Raises:
        ValueError: arrays are no integers or do not fit together, indexes are out of range, or a best or worst was not
            shown.
    """

    items: Integers
    best: Integers
    worst: Integers
    tuples: Integers
    annotators: Integers | None
    number: int

    def __post_init__(self) -> None:
        self._check_shapes()
        if self.judgments and (self.items.min() < NO_ITEM or self.items.max() >= self.number):
            raise ValueError(f"Items must be numbered from 0 to {self.number - 1}, with -1 for no item.")
        for name, chosen in (("best", self.best), ("worst", self.worst)):
            if not ((self.items == chosen[:, None]).any(axis=1) & (chosen >= 0)).all():
                raise ValueError(f"The {name} of every judgment must be one of the items shown.")

    def _check_shapes(self) -> None:
        if self.items.ndim != 2:
            raise ValueError("The items shown must be a table, a row for each judgment.")
        columns = {"best": self.best, "worst": self.worst, "tuples": self.tuples}
        if self.annotators is not None:
            columns["annotators"] = self.annotators
        for name, column in columns.items():
            if column.shape != (self.judgments,):
                raise ValueError(f"{name} must have one entry for each of the {self.judgments} judgments.")
        for name, array in {"items": self.items, **columns}.items():
            if array.dtype.kind not in "iu":
                raise ValueError(f"{name} must hold integers, not {array.dtype}.")
            if name != "items" and array.size and array.min() < 0:
                raise ValueError(f"{name} must not be negative.")

    @property
    def judgments(self) -> int:
        return len(self.items)

    @cached_property
    def tuple_number(self) -> int:
        """Return one more than the greatest tuple index."""
        return int(self.tuples.max()) + 1 if self.judgments else 0

    @cached_property
    def best_position(self) -> Integers:
        """Return where the best item was shown, from 0; its first place if it was shown twice."""
        return np.asarray(np.argmax(self.items == self.best[:, None], axis=1))

    @cached_property
    def worst_position(self) -> Integers:
        """Return where the worst item was shown, from 0; its first place if it was shown twice."""
        return np.asarray(np.argmax(self.items == self.worst[:, None], axis=1))

    @cached_property
    def valid(self) -> Booleans:
        """Return the rows in which no item is shown twice and the best is not the worst."""
        return valid_rows(self.items, self.best, self.worst)

    @cached_property
    def same_items(self) -> bool:
        """Return whether all judgments of a tuple show the same items, in any order."""
        first = np.zeros(self.tuple_number, np.int64)
        first[self.tuples[::-1]] = np.arange(self.judgments)[::-1]
        ordered = np.sort(self.items, axis=1)
        return bool((ordered == ordered[first[self.tuples]]).all())

    def shown(self) -> tuple[Integers, Integers]:
        """Return judgment and item of all items shown, shapes (shown,); an item twice in a row is returned twice."""
        judgments: Any = np.arange(self.judgments, dtype=np.int32 if self.judgments < 2**31 else np.int64)
        rows, items = np.repeat(judgments, self.items.shape[1]), self.items.ravel()
        there = items != NO_ITEM
        return (rows, items) if there.all() else (rows[there], items[there])

    def keys(self, items: Integers, rows: Integers | slice = slice(None)) -> Integers:
        """Return one number for each pair of a judgment's tuple and an item, which ascends by tuple, then by item.

        Parameters: items, shape (rows,); rows, the judgment of each, by default all.
        """
        keys = self.tuples[rows].astype(np.int64)  # a product of two indexes needs it, whatever they are stored in
        keys *= self.number
        keys += items
        return keys

    def keep(self, rows: Booleans | Integers) -> "Choices":
        """Return only these judgments; items and tuples keep their indexes. Of all judgments, itself."""
        if rows.dtype == np.bool_ and rows.all():
            return self
        annotators = None if self.annotators is None else self.annotators[rows]
        return Choices(self.items[rows], self.best[rows], self.worst[rows], self.tuples[rows], annotators, self.number)


def valid_rows(items: Integers, best: Integers, worst: Integers) -> Booleans:
    """Return which rows show no item twice and have a best that is not the worst, shape (judgments,)."""
    ordered = np.sort(items, axis=1)
    repeats = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != NO_ITEM)
    return np.asarray(~repeats.any(axis=1) & (best != worst))
