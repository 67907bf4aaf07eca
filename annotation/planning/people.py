"""Assigning validators to annotators, and drawing the pairs that are not planned by the round itself."""

from collections.abc import Sequence
from math import ceil

import numpy as np
import scipy
from numpy.typing import NDArray

from annotation.planning.errors import PlanningError

Ids = NDArray[np.int64]
Costs = NDArray[np.int64]
SELF = 1_000_000  # cost of validating one's own selections: never allowed
PREVIOUSLY_RATED = 1  # cost of validating an annotator whose pairs one has rated before: avoided


def seat_people(costs: Costs, *, seats: int, generator: np.random.Generator) -> Ids:
    """Assign people to annotators at random, at the lowest cost.

    Parameters: costs, shape (people, annotators): SELF where they are the same person, PREVIOUSLY_RATED where the
        person has rated that annotator's pairs before, else 0. There may be fewer people than places.
    Returns: people by their row, shape (annotators, seats); -1 for a place that stays free.

    Raises:
        PlanningError: there are more people than places, or somebody would have to validate their own selections.
    """
    people, annotators = costs.shape
    places = annotators * seats
    if people > places:
        raise PlanningError("There are %(people)s people, but only %(places)s places.", people=people, places=places)
    order = generator.permutation(places)
    row, column = scipy.optimize.linear_sum_assignment(np.repeat(costs, seats, axis=1)[:, order])
    place = order[column]
    if costs[row, place // seats].max(initial=0) >= SELF:
        raise PlanningError("An annotator would have to validate their own selections. More people are needed.")
    seated = np.full(places, -1, dtype=np.int64)
    seated[place] = row
    return seated.reshape(annotators, seats)


def draw_calibration(
    values: NDArray[np.float64], expected: Sequence[float], generator: np.random.Generator
) -> list[int]:
    """Draw pairs whose value is exactly the expected one, in that order (Czech News 4.2.2, R3_C: 0, 3, 6, 0, 3, 6).

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
                "There are not enough pairs for calibration. Pairs rated exactly %(value)s and not used "
                "elsewhere that are needed: %(number)s. Choose the calibration pairs yourself.",
                number=list(expected).count(value),
                value=f"{value:g}",
            )
        drawn.append(int(generator.choice(candidates)))
    return drawn


def draw_repeats(main: Ids, size: int, generator: np.random.Generator) -> Ids:
    """Draw pairs of a person's main block, to be rated again right after it.

    They are drawn from the first half of the block, so that the second half lies between the two ratings of a pair;
    from the first `size` pairs if half are fewer.

    Returns: at most `size` ids of `main`, in random order; fewer if the block has fewer.
    """
    first = max(ceil(len(main) / 2), size)
    return generator.permutation(main[:first])[:size]


def draw_intra(rated: Ids, size: int, generator: np.random.Generator) -> Ids:
    """Draw pairs that a person has rated before, to be rated again (Czech News, Fig. 7).

    Returns: at most `size` ids of `rated`, in random order; fewer if the person rated fewer.
    """
    return generator.permutation(rated)[:size]
