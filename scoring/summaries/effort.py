"""The working time of the people (Czech News 6: man-hours)."""

from math import nan

import numpy as np

from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.undefined import Result, told

HOUR_MS = 3_600_000
NOT_TIMED = "no answer has an active time"


def has_answers(snapshot: Snapshot) -> bool:
    return bool(snapshot.efforts.answers.any())


def effort(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return the man-hours of every round with answers, and of all rounds together: the sum of the active times.

    Answers that do not count were work as well; `hours_counted` is without them.
    """
    own = snapshot.efforts
    answered = np.flatnonzero(own.answers).tolist()
    rounds = {own.rounds[place]: _of_round(snapshot, place) for place in answered}
    return {"rounds": rounds, "total": _hours(snapshot, answered)}


def _of_round(snapshot: Snapshot, place: int) -> Result:
    found, people = _hours(snapshot, [place]), int(snapshot.efforts.people[place])
    each = found["hours"] / people if people else nan
    return {"people": people, **found, **told({"hours_per_person": each}, NOT_TIMED)}


def _hours(snapshot: Snapshot, places: list[int]) -> Result:
    own = snapshot.efforts
    answers, timed, active, counted = (
        int(column[places].sum()) for column in (own.answers, own.timed, own.active_ms, own.counted_ms)
    )
    hours = {"hours": active / HOUR_MS, "hours_counted": counted / HOUR_MS} if timed else _UNDEFINED
    return {"answers": answers, "timed": timed, **told(hours, NOT_TIMED)}


_UNDEFINED = {"hours": nan, "hours_counted": nan}
