"""Sharing out whole incidents, so that no two people get the same one (Czech News, Fig. 1), and people among groups."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from annotation.planning.errors import PlanningError

Ids = NDArray[np.int64]


def deal_incidents(incidents: Ids, *, people: int, per_person: int, generator: np.random.Generator) -> Ids:
    """Return a random share of the incidents for each person.

    Parameters: incidents, shape (incidents,); people and per_person, counts.
    Returns: ids, shape (people, per_person), all different.

    Raises:
        PlanningError: there are fewer than people * per_person incidents.
    """
    if people * per_person > len(incidents):
        raise PlanningError(
            "%(people)s people with %(each)s incidents each need %(needed)s incidents. There are "
            "%(there)s, enough for %(enough)s people.",
            people=people,
            each=per_person,
            needed=people * per_person,
            there=len(incidents),
            enough=len(incidents) // per_person,
        )
    return generator.permutation(incidents)[: people * per_person].reshape(people, per_person)


def shared_out(people: int, groups: Mapping[str, int]) -> dict[str, int]:
    """Return the number of people for each group, in proportion to the groups' sizes; the shares add up to `people`."""
    planned = np.array(list(groups.values()))
    shares = people * planned / planned.sum()
    sizes = np.floor(shares).astype(int)
    short = people - sizes.sum()
    sizes[np.argsort(sizes - shares, kind="stable")[:short]] += 1
    return dict(zip(groups, sizes.tolist(), strict=True))
