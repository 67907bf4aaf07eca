"""Ids replaced by places in a table."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.domain.runs.columns import MISSING
from scoring.summaries.tables import NONE, Integers

Narrow = NDArray[np.int32]


def places_of(keys: Iterable[Hashable]) -> Mapping[Any, int]:
    return {key: place for place, key in enumerate(keys)}


def integers(numbers: Iterable[int]) -> Integers:
    return np.fromiter(numbers, dtype=np.int64)


class Places:
    """The place of each id in a table, found for many ids at once."""

    def __init__(self, ids: Sequence[int] | Integers) -> None:
        own = np.asarray(ids, dtype=np.int64)
        self.order = np.argsort(own, kind="stable").astype(np.int32)
        self.ids = own[self.order]

    def __len__(self) -> int:
        return len(self.ids)

    def of(self, ids: Integers) -> Narrow:
        """Return the place of each id, -1 for a missing one.

        Raises:
            KeyError: an id is not in the table.
        """
        found = np.full(len(ids), NONE, dtype=np.int32)
        present = ids != MISSING
        wanted = ids[present]
        if not len(wanted):
            return found
        at = np.searchsorted(self.ids, wanted).clip(max=max(len(self.ids) - 1, 0))
        if not len(self.ids) or (self.ids[at] != wanted).any():
            raise KeyError("an id of another project")
        found[present] = self.order[at]
        return found
