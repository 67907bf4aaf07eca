"""Which person validates which annotator, and the pairs that are not planned by the round itself."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from annotation.planning.errors import PlanningError

Ids = NDArray[np.int64]
Costs = NDArray[np.int64]
SELF = 1_000_000  # cost of validating one's own selections: never
MET = 1  # cost of validating an annotator whose pairs one has rated before: rather not


def seat_people(costs: Costs, *, seats: int, generator: np.random.Generator) -> Ids:
    """People spread over annotators at random, at the lowest cost.

    Parameters: costs, shape (people, annotators): SELF where they are the same person, MET where the person has
        rated that annotator's pairs before, else 0. There may be fewer people than places.
    Returns: people by their row, shape (annotators, seats); -1 for a place that stays free.

    Raises:
        PlanningError: more people than places, or somebody would have to validate their own selections.
    """
    people, annotators = costs.shape
    places = annotators * seats
    if people > places:
        raise PlanningError(f"{people} people do not fit into {places} places.")
    order = generator.permutation(places)
    row, column = linear_sum_assignment(np.repeat(costs, seats, axis=1)[:, order])
    place = order[column]
    if costs[row, place // seats].max(initial=0) >= SELF:
        raise PlanningError("Somebody would have to validate their own selections; more other people are needed.")
    seated = np.full(places, -1, dtype=np.int64)
    seated[place] = row
    return seated.reshape(annotators, seats)


def draw_calibration(
    values: NDArray[np.float64], expected: Sequence[float], generator: np.random.Generator
) -> list[int]:
    """Pairs whose value is exactly the expected one, in that order (Czech News 4.2.2, R3_C: 0, 3, 6, 0, 3, 6).

    Parameters: values, shape (pairs,).
    Returns: indexes into values, all different.

    Raises:
        PlanningError: too few pairs have one of the values.
    """
    drawn: list[int] = []
    for value in expected:
        candidates = np.setdiff1d(np.flatnonzero(values == value), drawn)
        if not len(candidates):
            raise PlanningError(
                f"Calibration needs {list(expected).count(value)} pairs rated exactly {value:g} "
                "that are used nowhere else; there are not enough. Choose the calibration pairs yourself."
            )
        drawn.append(int(generator.choice(candidates)))
    return drawn


def draw_intra(rated: Ids, size: int, generator: np.random.Generator) -> Ids:
    """Pairs that a person has rated before, to be rated again (Czech News, Fig. 7).

    Returns: at most size ids of rated, in random order; fewer where the person rated fewer.
    """
    return generator.permutation(rated)[:size]
