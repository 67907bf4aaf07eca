"""The best-worst model with annotators of different reliability."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.stats.choices import NO_ITEM, Choices, Floats, Integers
from scoring.stats.models import RIDGE, Utilities, fit_best_worst, minimise

# A normal prior of standard deviation 1/2: someone with few judgments is taken to be like the others.
RELIABILITY_RIDGE = 4.0


@dataclass(frozen=True, eq=False)
class AnnotatorUtilities:
    """utilities: of the items, for somebody of mean reliability. reliabilities: shape (annotators,), with mean 1 over
    those who judged, NaN for those who did not; 0 answers at random, a negative one turns the scale round."""

    utilities: Utilities
    reliabilities: Floats


def fit_best_worst_annotators(
    choices: Choices, *, ridge: float = RIDGE, reliability_ridge: float = RELIABILITY_RIDGE
) -> AnnotatorUtilities:
    """Utilities and reliabilities estimated jointly: annotator a chooses by the utilities r_a u.

    The best-worst model of `fit_best_worst` with a scale for each person (the scale heterogeneity of Fiebig et al.
    2010). Only products r_a u are known, so reliabilities have a ridge around 1, reliability_ridge / 2 times the sum of
    (r_a - 1)^2, and the mean reliability is made 1 at the end.

    Raises:
        ValueError: no annotators, no judgments, judgments that are not valid, a ridge that is not positive, or
            reliabilities that sum to nothing, as where half of the people turn the scale round.
    """
    if choices.annotators is None:
        raise ValueError("Reliabilities of annotators need to know who judged.")
    if not reliability_ridge > 0:
        raise ValueError("The ridge of the reliabilities must be positive: few judgments do not tell a scale.")
    start = fit_best_worst(choices, ridge=ridge)
    people, annotators = np.unique(choices.annotators, return_inverse=True)
    rows = _Rows(choices, annotators, len(people))
    utilities, reliabilities, converged = _maximise(rows, start.values, ridge, reliability_ridge)
    mean = float(reliabilities.mean())
    if mean < 1e-6:
        raise ValueError("The annotators contradict each other so far that their reliabilities sum to nothing.")
    everyone = np.full(int(people[-1]) + 1, np.nan)
    everyone[people] = reliabilities / mean
    values = np.where(np.isnan(start.values), np.nan, utilities * mean)
    return AnnotatorUtilities(Utilities(values, -rows.loss(utilities, reliabilities)[0], converged), everyone)


def _maximise(rows: "_Rows", start: Floats, ridge: float, reliability_ridge: float) -> tuple[Floats, Floats, bool]:
    """Utilities and reliabilities of the greatest penalised likelihood, and whether the search ended there.

    start: shape (items,), utilities to begin with, where everyone's reliability is 1; NaN is begun with at 0.
    """
    # Someone's reliability weighs on all their judgments, a utility on a few: in these units they weigh alike.
    units = np.concatenate([np.ones(rows.number), 1 / np.sqrt(np.bincount(rows.annotators))])

    def penalised(parameters: Floats) -> tuple[float, Floats]:
        loss, slopes = rows.penalised_loss(parameters * units, ridge, reliability_ridge)
        return loss, slopes * units

    begin = np.concatenate([np.nan_to_num(start), np.ones(rows.people)])
    found, converged = minimise(penalised, begin / units)
    utilities, reliabilities = np.split(found * units, [rows.number])
    return utilities, reliabilities, converged


class _Rows:
    """The likelihood of every judgment by its own annotator's utilities; tables have shape (size, judgments)."""

    def __init__(self, choices: Choices, annotators: Integers, people: int) -> None:
        self.number, self.people, self.annotators = choices.number, people, annotators
        # Positions first: sums over the few items of each judgment are then sums of long rows.
        items = np.ascontiguousarray(choices.items.T)
        self.items = np.where(items == NO_ITEM, 0, items)
        rows = np.arange(choices.judgments)
        self.best, self.worst = (choices.best_position, rows), (choices.worst_position, rows)
        self.absent = np.where(items == NO_ITEM, -np.inf, 0.0)
        self.taken = self.absent.copy()
        self.taken[self.best] = -np.inf

    def penalised_loss(self, parameters: Floats, ridge: float, reliability_ridge: float) -> tuple[float, Floats]:
        """Both ridges added; parameters: shape (items + people,), utilities and then reliabilities."""
        utilities, reliabilities = np.split(parameters, [self.number])
        loss, for_utilities, for_reliabilities = self.loss(utilities, reliabilities)
        away = reliabilities - 1
        loss += ridge / 2 * float(utilities @ utilities) + reliability_ridge / 2 * float(away @ away)
        slopes = for_utilities + ridge * utilities, for_reliabilities + reliability_ridge * away
        return loss, np.concatenate(slopes)

    def loss(self, utilities: Floats, reliabilities: Floats) -> tuple[float, Floats, Floats]:
        plain = utilities[self.items]
        scale = reliabilities[self.annotators]
        best_loss, slopes = _choose(scale * plain + self.absent, self.best)
        worst_loss, worst_slopes = _choose(self.taken - scale * plain, self.worst)
        slopes -= worst_slopes
        for_utilities: Any = np.bincount(self.items.ravel(), (slopes * scale).ravel(), self.number)
        for_reliabilities: Any = np.bincount(self.annotators, (slopes * plain).sum(axis=0), self.people)
        return best_loss + worst_loss, for_utilities, for_reliabilities


def _choose(strengths: Floats, chosen: tuple[Integers, Integers]) -> tuple[float, Floats]:
    """Minus the log-likelihood of logit choices, and its slopes by the strengths, which are -inf where no choice."""
    greatest = strengths.max(axis=0)
    slopes = np.exp(strengths - greatest)
    sums = slopes.sum(axis=0)
    loss = float((np.log(sums) + greatest).sum() - strengths[chosen].sum())
    slopes /= sums
    slopes[chosen] -= 1
    return loss, slopes
