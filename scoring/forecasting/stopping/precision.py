"""How precise the scores of items are, after any number of judgments of each."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from scoring.stats.choices import Booleans, Choices, Floats, Integers

LARGEST_WEIGHT = 1000.0
"""Of what all items have in common, in judgments: more is the same as equal variances."""


@dataclass(frozen=True, eq=False)
class Judged:
    """What counts towards scores, a row each: values of items, in the order in which they were given.

    items: indexes, shape (values,). cells: what was judged, shape (values,): the item again, or the item in a tuple.
    Values of the same cell differ only by their people. number: of items, with those that have no value yet. step: the
    least difference of two values.
    """

    items: Integers
    cells: Integers
    values: Floats
    number: int
    step: float

    @cached_property
    def ranks(self) -> Integers:
        """Return how many values of its cell came before each; shape (values,)."""
        order = np.argsort(self.cells, kind="stable")
        ordered = self.cells[order]
        starts = np.flatnonzero(np.diff(ordered, prepend=-1))
        ranks = np.empty(len(order), np.int64)
        ranks[order] = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))
        return ranks

    def first(self, number: int) -> "Judged":
        """Return the first values of each cell: whatever was decided later, all cells have as many of them."""
        early = self.ranks < number
        return Judged(self.items[early], self.cells[early], self.values[early], self.number, self.step)

    @cached_property
    def squares(self) -> tuple[Floats, Integers]:
        """Return squared deviations from the mean of the cell, summed, and degrees of freedom; shapes (items,)."""
        _, places = np.unique(self.cells, return_inverse=True)
        counts = np.bincount(places)
        means = np.bincount(places, self.values) / counts if len(counts) else np.zeros(0)
        deviations = np.bincount(self.items, (self.values - means[places]) ** 2, self.number)
        cells = np.bincount(self.items, 1 / counts[places], self.number)
        counted = np.bincount(self.items, minlength=self.number)
        return np.asarray(deviations, np.float64), np.rint(counted - cells).astype(np.int64)


def judged_ratings(items: Integers, values: Floats, number: int, step: float) -> Judged:
    """Return ratings, shapes (ratings,), in the order in which they were given."""
    return Judged(items, items, values, number, step)


def judged_choices(choices: Choices) -> Judged:
    """Return best-worst choices by counting: 1 for the best item, -1 for the worst, 0 for the others of the tuple."""
    shown = choices.items >= 0
    values = (choices.items == choices.best[:, np.newaxis]).astype(np.float64)
    values -= choices.items == choices.worst[:, np.newaxis]
    items = choices.items[shown]
    tuples = np.broadcast_to(choices.tuples[:, np.newaxis], shown.shape)[shown]
    return Judged(items, tuples.astype(np.int64) * choices.number + items, values[shown], choices.number, 1.0)


@dataclass(frozen=True)
class Prior:
    """What items have in common: the mean variance of a judgment, with its standard error, and how many judgments of an
    item it weighs as much as."""

    variance: float
    error: float
    weight: float


def prior_of(first: Judged) -> Prior:
    """Return the prior by the method of moments, from values that no decision has selected.

    With normal errors a variance s² of d degrees of freedom varies by 2 sigma⁴ / d around sigma². What the variances of
    items vary by beyond this is T, the variance of sigma². The best linear estimate of sigma² gives the mean the weight
    2 E[sigma⁴] / T against d (Bühlmann's credibility), which is exact for an inverse gamma distribution.
    """
    squares, degrees = first.squares
    known = degrees > 0
    if not known.any():
        return Prior(first.step**2 / 12, first.step**2 / 12, LARGEST_WEIGHT)
    variances, inverse = squares[known] / degrees[known], float(np.mean(1 / degrees[known]))
    mean, spread = float(variances.mean()), float(variances.var(ddof=1)) if known.sum() > 1 else 0.0
    mean = mean or first.step**2 / 12  # where nobody ever differed, within what the scale can show
    between = (spread - 2 * mean**2 * inverse) / (1 + 2 * inverse)
    weight = 2 * (mean**2 + between) / between if between > 0 else LARGEST_WEIGHT
    return Prior(mean, float(np.sqrt(spread / known.sum())), min(weight, LARGEST_WEIGHT))


@dataclass(frozen=True, eq=False)
class Precision:
    """What is known of the scores of items; shapes (items,). counts: judgments. scores: their mean, NaN without one.
    variances: of one judgment, degrees: how well this is known (of freedom, those of the prior not included)."""

    counts: Integers
    scores: Floats
    variances: Floats
    degrees: Integers
    prior: Prior

    @property
    def errors(self) -> Floats:
        """Return the error variance of each score; infinite without a judgment."""
        with np.errstate(divide="ignore"):
            return np.asarray(self.variances / self.counts)

    @property
    def quantiles(self) -> Floats:
        """Return by how many standard errors each 95 % interval reaches to both sides.

        The score has a t distribution with the degrees of freedom of its variance's distribution, k + 2 + d; its scale
        is that of the mean variance times (nu - 2) / nu (Gelman et al. 2013, 3.2-3.3).
        """
        degrees = self.prior.weight + 2 + self.degrees
        return np.asarray(scipy.special.stdtrit(degrees, 0.975) * np.sqrt((degrees - 2) / degrees))

    @property
    def widths(self) -> Floats:
        """Return the whole width of each score's 95 % interval; infinite without a judgment."""
        return np.asarray(2 * self.quantiles * np.sqrt(self.errors))

    @property
    def scored(self) -> Booleans:
        return self.counts > 0


def precision_of(judged: Judged, first: int) -> Precision:
    """Return the precision of scores, with each item's variance shrunk towards that of all.

    An item is often closed because its few judgments happened to agree, so that its own variance would be too small.
    A posterior mean does not depend on why the judgments ended, if its prior comes from values that were not selected:
    the first ones (`benchmarks.stopping`).

    Parameters: first, how many values every cell had before the first decision.
    """
    prior = prior_of(judged.first(first))
    squares, degrees = judged.squares
    counts = np.bincount(judged.items, minlength=judged.number)
    with np.errstate(invalid="ignore"):
        scores = np.bincount(judged.items, judged.values, judged.number) / counts
    variances = (prior.weight * prior.variance + squares) / (prior.weight + degrees)
    return Precision(counts, scores, variances, degrees, prior)
