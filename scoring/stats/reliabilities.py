"""The best-worst model with annotators of different reliability."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.stats.choices import NO_ITEM, Choices, Floats, Integers
from scoring.stats.models import RIDGE, Utilities, fit_best_worst, minimise

# A normal prior of standard deviation 1/2: someone with few judgments is taken to be like the others.
RELIABILITY_RIDGE = 4.0
ROWS_AT_ONCE = 8_192


@dataclass(frozen=True, eq=False)
class AnnotatorUtilities:
    """utilities: of the items, at mean reliability. reliabilities: shape (annotators,), with mean 1 over
    those who judged, NaN for those who did not; 0 answers at random, a negative one reverses the scale."""

    utilities: Utilities
    reliabilities: Floats


def fit_best_worst_annotators(
    choices: Choices, *, ridge: float = RIDGE, reliability_ridge: float = RELIABILITY_RIDGE
) -> AnnotatorUtilities:
    """Estimate utilities and reliabilities jointly: annotator a chooses by the utilities r_a u.

    This is the best-worst model of `fit_best_worst` with a scale for each person (the scale heterogeneity of Fiebig et
    al. 2010). Only products r_a u are known, so reliabilities have a ridge around 1, reliability_ridge / 2 times the
    sum of (r_a - 1)^2, and the mean reliability is made 1 at the end.

    Raises:
        ValueError: there are no annotators or no judgments, judgments are not valid, a ridge is not positive, or the
            reliabilities sum to zero, as if half of the people reverse the scale.
    """
    if choices.annotators is None:
        raise ValueError("Annotator reliabilities need the annotator of every judgment.")
    if not reliability_ridge > 0:
        raise ValueError("The ridge of the reliabilities must be positive: a few judgments do not determine the scale.")
    start = fit_best_worst(choices, ridge=ridge)
    people, annotators = np.unique(choices.annotators, return_inverse=True)
    rows = _Rows(choices, annotators, len(people))
    utilities, reliabilities, converged = _maximise(rows, start.values, ridge, reliability_ridge)
    mean = float(reliabilities.mean())
    if mean < 1e-6:
        raise ValueError("The annotators contradict each other so strongly that their reliabilities sum to zero.")
    everyone = np.full(int(people[-1]) + 1, np.nan)
    everyone[people] = reliabilities / mean
    values = np.where(np.isnan(start.values), np.nan, utilities * mean)
    return AnnotatorUtilities(Utilities(values, -rows.loss(utilities, reliabilities)[0], converged), everyone)


def _maximise(rows: "_Rows", start: Floats, ridge: float, reliability_ridge: float) -> tuple[Floats, Floats, bool]:
    """Return utilities and reliabilities of the greatest penalised likelihood, and whether the search converged.

    start: shape (items,), utilities to begin with, where everyone's reliability is 1; NaN is replaced by 0.
    """
    # A reliability affects all judgments of a person, a utility only a few: in these units they weigh alike.
    units = np.concatenate([np.ones(rows.number), 1 / np.sqrt(np.bincount(rows.annotators))])

    def penalised(parameters: Floats) -> tuple[float, Floats]:
        loss, slopes = rows.penalised_loss(parameters * units, ridge, reliability_ridge)
        return loss, slopes * units

    initial = np.concatenate([np.nan_to_num(start), np.ones(rows.people)])
    solution, converged = minimise(penalised, initial / units)
    utilities, reliabilities = np.split(solution * units, [rows.number])
    return utilities, reliabilities, converged


class _Rows:
    """The likelihood of every judgment by its own annotator's utilities; tables have shape (size, judgments).

    It is computed for `ROWS_AT_ONCE` judgments at a time, whose numbers stay in the processor's cache, with
    half the memory of whole tables of a million judgments. What is summed over all judgments is summed
    at the end, in their order, so that the block size changes no digit.
    """

    def __init__(self, choices: Choices, annotators: Integers, people: int) -> None:
        self.number, self.people, self.annotators = choices.number, people, annotators
        # Positions first: sums over the few items of each judgment are then sums of long rows.
        items = np.ascontiguousarray(choices.items.T)
        absent = items == NO_ITEM
        self.absent = absent if absent.any() else None
        self.items = np.where(absent, 0, items)
        self.best, self.worst = choices.best_position, choices.worst_position
        self.pulls, self.losses = np.empty(items.shape), np.empty((2, choices.judgments))
        self.chosen, self.stretches = np.empty((2, choices.judgments)), np.empty(choices.judgments)

    def penalised_loss(self, parameters: Floats, ridge: float, reliability_ridge: float) -> tuple[float, Floats]:
        """Return the loss with both ridges; parameters: shape (items + people,), utilities and then reliabilities."""
        utilities, reliabilities = np.split(parameters, [self.number])
        loss, for_utilities, for_reliabilities = self.loss(utilities, reliabilities)
        deviations = reliabilities - 1
        loss += ridge / 2 * float(utilities @ utilities) + reliability_ridge / 2 * float(deviations @ deviations)
        slopes = for_utilities + ridge * utilities, for_reliabilities + reliability_ridge * deviations
        return loss, np.concatenate(slopes)

    def loss(self, utilities: Floats, reliabilities: Floats) -> tuple[float, Floats, Floats]:
        for start in range(0, len(self.annotators), ROWS_AT_ONCE):
            self._fill(slice(start, start + ROWS_AT_ONCE), utilities, reliabilities)
        best_loss, worst_loss = (
            float(losses.sum() - chosen.sum()) for losses, chosen in zip(self.losses, self.chosen, strict=True)
        )
        for_utilities: Any = np.bincount(self.items.ravel(), self.pulls.ravel(), self.number)
        for_reliabilities: Any = np.bincount(self.annotators, self.stretches, self.people)
        return best_loss + worst_loss, for_utilities, for_reliabilities

    def _fill(self, rows: slice, utilities: Floats, reliabilities: Floats) -> None:
        """Compute the losses and slopes of some judgments."""
        plain = utilities[self.items[:, rows]]
        scale = reliabilities[self.annotators[rows]]
        stretched = scale * plain
        best = self.best[rows], np.arange(plain.shape[1])
        remaining = -stretched
        if self.absent is not None:
            stretched[self.absent[:, rows]] = remaining[self.absent[:, rows]] = -np.inf
        remaining[best] = -np.inf
        slopes = self._choose(0, rows, stretched, best)
        slopes -= self._choose(1, rows, remaining, (self.worst[rows], best[1]))
        np.multiply(slopes, scale, out=self.pulls[:, rows])
        slopes *= plain
        slopes.sum(axis=0, out=self.stretches[rows])

    def _choose(self, stage: int, rows: slice, strengths: Floats, chosen: tuple[Integers, Integers]) -> Floats:
        """Store minus the log-likelihood of logit choices, and return its slopes by the strengths, -inf for no choice.

        What is added to the loss and what is subtracted stand apart, as they are summed apart.
        """
        greatest = strengths.max(axis=0)
        self.chosen[stage, rows] = strengths[chosen]
        slopes: Floats = np.subtract(strengths, greatest, out=strengths)
        np.exp(slopes, out=slopes)
        sums = slopes.sum(axis=0)
        np.add(np.log(sums), greatest, out=self.losses[stage, rows])
        slopes /= sums
        slopes[chosen] -= 1
        return slopes
