"""The working time of every round, summed while all judgments are streamed."""

from collections.abc import Sequence

import numpy as np

from annotation.models import Project
from scoring.domain.runs.columns import MISSING
from scoring.domain.runs.places import Narrow
from scoring.summaries.tables import Booleans, Efforts, Integers


class WorkingTime:
    """Sums by participation."""

    def __init__(self, rounds: Sequence[str]) -> None:
        """Begin with nothing. Parameters: rounds, the key of each participation's round."""
        self.rounds = rounds
        self.answers, self.timed, self.active_ms, self.counted_ms = np.zeros((4, len(rounds)), dtype=np.int64)

    def add(self, place: Narrow, active_ms: Integers, counted: Booleans) -> None:
        """Add answers with the place of their participation, their active time, and whether they count."""
        timed = active_ms != MISSING
        times = np.where(timed, active_ms, 0)
        self.answers += self._sums(place, np.ones_like(times))
        self.timed += self._sums(place, timed)
        self.active_ms += self._sums(place, times)
        self.counted_ms += self._sums(place, times * counted)

    def _sums(self, place: Narrow, values: Integers | Booleans) -> Integers:
        # Sums of whole numbers as floats are exact up to 2^53 ms, which is 285,000 years.
        return np.bincount(place, weights=values, minlength=len(self.rounds)).astype(np.int64)

    def efforts(self, project: Project) -> Efforts:
        """Return the sums in the order of the protocol's rounds."""
        keys = tuple(round_.key for round_ in project.protocol.rounds)
        own = np.array(self.rounds, dtype=object)
        sums = (self.timed > 0, self.answers, self.timed, self.active_ms, self.counted_ms)
        found = [[int(column[own == key].sum()) for key in keys] for column in sums]
        return Efforts(keys, *(np.array(column, dtype=np.int64) for column in found))
