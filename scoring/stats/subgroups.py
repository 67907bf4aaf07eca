"""How far a group of people agrees within itself, and with everybody else."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.stats.alpha import choices_alpha, krippendorff_alpha
from scoring.stats.bws import best_worst_scores, count_choices
from scoring.stats.choices import Choices
from scoring.stats.correlation import pearson
from scoring.stats.missing import complete

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]


@dataclass(frozen=True)
class RatingSubgroup:
    """A group of people who rated. units: rated by at least two of them, for `alpha` (Krippendorff, interval).

    shared: units that both the group and others rated. pearson: of the group's means with those of the others, and
    shift: their mean difference, in points of the scale, above 0 if the group rates higher; both over these units.
    """

    units: int
    alpha: float
    shared: int
    pearson: float
    shift: float


@dataclass(frozen=True)
class ChoiceSubgroup:
    """A group of people who chose. tuples: judged by at least two of them, for nominal alpha of the item chosen.

    shared: items that both the group and others chose among. pearson: of the group's counting scores of these with
    those of the others.
    """

    tuples: int
    alpha_best: float
    alpha_worst: float
    shared: int
    pearson: float


def subgroup_of_ratings(units: Integers, values: Floats, members: Booleans) -> RatingSubgroup:
    """Return the agreement of some people's ratings with each other and with the other ratings.

    Parameters: units, from 0, such as items; values, without NaN; members, whether the group rated; shape (ratings,).
    Returns: NaN for what is not defined: alpha without a unit rated twice or without variance, r for fewer than two
    shared units or without variance, and the shift without shared units.
    """
    number = int(units.max(initial=-1)) + 1
    own, others = (_means(units[rows], values[rows], number) for rows in (members, ~members))
    own, others = complete(own, others)
    return RatingSubgroup(
        units=int((np.bincount(units[members], minlength=number) > 1).sum()),
        alpha=krippendorff_alpha(units[members], values[members], "interval"),
        shared=len(own),
        pearson=pearson(own, others),
        shift=float(np.mean(own - others)) if len(own) else float("nan"),
    )


def subgroup_of_choices(choices: Choices, members: Booleans) -> ChoiceSubgroup:
    """Return the agreement of some people's choices with each other and with the other choices.

    Parameters: members, whether the group chose, shape (judgments,).
    Returns: NaN for what is not defined, as `subgroup_of_ratings`.
    """
    group = choices.keep(members)
    alpha = choices_alpha(group)
    scores = (best_worst_scores(count_choices(part)) for part in (group, choices.keep(~members)))
    own, others = complete(*scores)
    judged = np.bincount(group.tuples) if group.judgments else np.empty(0, dtype=np.int64)
    return ChoiceSubgroup(int((judged > 1).sum()), alpha.best.item, alpha.worst.item, len(own), pearson(own, others))


def _means(units: Integers, values: Floats, number: int) -> Floats:
    """Return the mean of each unit, shape (number,); NaN for one without values."""
    counts = np.bincount(units, minlength=number)
    sums = np.bincount(units, weights=values, minlength=number)
    return np.asarray(np.divide(sums, counts, out=np.full(number, np.nan), where=counts > 0))
