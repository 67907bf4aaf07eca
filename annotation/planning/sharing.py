"""Whole incidents dealt to people, so that no two people get the same one (Czech News, Fig. 1)."""

import numpy as np
from numpy.typing import NDArray

from annotation.planning.errors import PlanningError

Ids = NDArray[np.int64]


def deal_incidents(incidents: Ids, *, people: int, each: int, generator: np.random.Generator) -> Ids:
    """A random share of the incidents for each person.

    Parameters: incidents, shape (incidents,); people and each, counts.
    Returns: ids, shape (people, each), all different.

    Raises:
        PlanningError: fewer than people * each incidents.
    """
    if people * each > len(incidents):
        raise PlanningError(
            f"{people} people with {each} incidents each need {people * each} incidents; "
            f"there are {len(incidents)}, enough for {len(incidents) // each} people."
        )
    return generator.permutation(incidents)[: people * each].reshape(people, each)
