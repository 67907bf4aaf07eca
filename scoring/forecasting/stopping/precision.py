"""How precise the scores of items are, after any number of judgments of each."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy

from scoring.forecasting.population import Population
from scoring.stats.choices import Booleans, Choices, Floats, Integers

LEVELS = 40
"""Variances of one judgment between which those of items are told apart."""
SPAN = 1e-3
"""The least of them, as a share of the mean variance."""
NOISES, LEAST_NOISE = 12, 0.02
"""Errors of raters, from a share of the scale's length to all of it."""
SIMILARITIES, BEYOND = 81, 0.5
"""Similarities that items may have, from beyond one end of the scale to beyond the other, by a share of its length."""
RAREST = 1e-12  # chance of a rating, so that a logarithm exists
STEPS = 30
MOST_FITTED = 3000  # items from which the prior is estimated
BISECTIONS = 40
ROWS_AT_ONCE = 2000


@dataclass(frozen=True, eq=False)
class Judged:
    """What counts towards scores, a row each: values of items.

    items: indexes, shape (values,). cells: what was judged, shape (values,): the item again, or the item in a tuple.
    Values of the same cell differ only by their people. number: of items, with those that have no value yet. points: of
    the scale of ratings, equally spaced; None for what is no rating.
    """

    items: Integers
    cells: Integers
    values: Floats
    number: int
    points: Floats | None = None

    @cached_property
    def squares(self) -> tuple[Floats, Integers]:
        """Return squared deviations from the mean of the cell, summed, and degrees of freedom; shapes (items,)."""
        _, places = np.unique(self.cells, return_inverse=True)
        counts = np.bincount(places)
        means = np.bincount(places, self.values) / np.maximum(counts, 1)
        deviations = np.bincount(self.items, (self.values - means[places]) ** 2, self.number)
        cells = np.bincount(self.items, 1 / counts[places], self.number)
        counted = np.bincount(self.items, minlength=self.number)
        return np.asarray(deviations, np.float64), np.rint(counted - cells).astype(np.int64)


def judged_ratings(items: Integers, values: Floats, number: int, points: Floats) -> Judged:
    """Return ratings on a scale with these points; shapes of items and values (ratings,)."""
    return Judged(items, items, values, number, points)


def judged_choices(choices: Choices) -> Judged:
    """Return best-worst choices by counting: 1 for the best item, -1 for the worst, 0 for the others of the tuple."""
    shown = choices.items >= 0
    values = (choices.items == choices.best[:, np.newaxis]).astype(np.float64)
    values -= choices.items == choices.worst[:, np.newaxis]
    items = choices.items[shown]
    tuples = np.broadcast_to(choices.tuples[:, np.newaxis], shown.shape)[shown]
    return Judged(items, tuples.astype(np.int64) * choices.number + items, values[shown], choices.number)


@dataclass(frozen=True, eq=False)
class Precision:
    """What is known of the scores of items; shapes (items,).

    counts: judgments. scores: their mean, NaN without one. degrees: of freedom of the variance of one judgment. levels:
    the variances of one judgment that items may have, shape (levels,). chances: how likely each of them is of each
    item, shape (items, levels).
    """

    counts: Integers
    scores: Floats
    degrees: Integers
    levels: Floats
    chances: Floats

    @cached_property
    def variances(self) -> Floats:
        """Return the expected variance of one judgment of each item."""
        return np.asarray(self.chances @ self.levels, np.float64)

    @cached_property
    def errors(self) -> Floats:
        """Return the error variance of each score; infinite without a judgment."""
        with np.errstate(divide="ignore"):
            return np.asarray(self.variances / self.counts)

    @cached_property
    def widths(self) -> Floats:
        """Return the whole width of each score's 95 % interval; infinite without a judgment.

        The error of a score is a mixture of normal distributions, one for each variance that its item may have.
        """
        deviations, widths = np.sqrt(self.levels), np.empty(len(self.counts))
        for start in range(0, len(widths), ROWS_AT_ONCE):
            rows = slice(start, start + ROWS_AT_ONCE)
            widths[rows] = 2 * _half_widths(self.chances[rows], deviations)
        with np.errstate(divide="ignore"):
            return np.asarray(widths / np.sqrt(self.counts))

    @property
    def scored(self) -> Booleans:
        return self.counts > 0


def _half_widths(chances: Floats, deviations: Floats) -> Floats:
    """Return the distance from zero within which 95 % of each mixture lies, found by bisection."""
    low, high = np.zeros(len(chances)), np.full(len(chances), 2 * float(deviations.max()))
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        outside = (chances * scipy.special.ndtr(-middle[:, np.newaxis] / deviations)).sum(axis=1)
        low, high = np.where(outside > 0.025, middle, low), np.where(outside > 0.025, high, middle)
    return np.asarray((low + high) / 2)


def precision_of(judged: Judged) -> Precision:
    """Return the precision of scores by empirical Bayes.

    An item is often closed because its few judgments happened to agree, so that its own variance would be too small.
    What is known of a variance is therefore its posterior distribution, with the distribution among all items as the
    prior. The likelihood of judgments does not depend on why they ended, and so neither do the estimates
    (`benchmarks.stopping`).
    """
    _, degrees = judged.squares
    counts = np.bincount(judged.items, minlength=judged.number)
    with np.errstate(invalid="ignore"):
        scores = np.bincount(judged.items, judged.values, judged.number) / counts
    model = _choices(judged) if judged.points is None else _ratings(judged, judged.points)
    levels, chances = model.posterior()
    return Precision(counts, scores, degrees, levels, chances)


@dataclass(frozen=True, eq=False)
class _Model:
    """What judgments of items may come from: each combination of a kind and a place, with a variance of one judgment.

    seen: what each item's judgments are, shape (items, observed). logs: what a unit of each adds to the log-likelihood,
    shape (observed, kinds * places). variances: shape (kinds, places).
    """

    seen: Floats
    logs: Floats
    variances: Floats

    def likelihoods(self, rows: Any) -> Floats:
        """Return the likelihood of some items' judgments up to a factor; shape (items, kinds, places)."""
        logs = self.seen[rows] @ self.logs
        logs -= logs.max(axis=1, keepdims=True)
        return np.asarray(np.exp(logs, out=logs).reshape(-1, *self.variances.shape))

    def prior(self) -> Floats:
        """Return how likely combinations are among all items, shape (kinds, places): kind and place are independent,
        and all judgments the most likely (nonparametric maximum likelihood by the EM algorithm; Laird 1978)."""
        some = np.unique(np.linspace(0, len(self.seen) - 1, MOST_FITTED).astype(np.int64))
        likelihoods = self.likelihoods(some)
        kinds, places = (np.full(number, 1 / number) for number in self.variances.shape)
        for _ in range(STEPS):
            of_kinds = likelihoods @ places
            totals = of_kinds @ kinds
            of_places = np.einsum("iks,k,i->s", likelihoods, kinds, 1 / totals)
            kinds = kinds * (of_kinds.T @ (1 / totals)) / len(some)
            places = places * of_places / len(some)
        return np.asarray(np.outer(kinds, places), np.float64)

    def posterior(self) -> tuple[Floats, Floats]:
        """Return variances, shape (levels,), and how likely each is for each item, shape (items, levels)."""
        prior = self.prior().ravel()
        least, most = float(self.variances.min()), float(self.variances.max())
        levels = np.geomspace(max(least, SPAN * most / 10), most, LEVELS) if least < most else np.array([most])
        nearest = np.abs(np.log(levels) - np.log(np.maximum(self.variances.reshape(-1, 1), levels[0]))).argmin(axis=1)
        into = np.eye(len(levels))[nearest] * prior[:, np.newaxis]
        chances = np.empty((len(self.seen), len(levels)))
        for start in range(0, len(chances), ROWS_AT_ONCE):
            rows = slice(start, start + ROWS_AT_ONCE)
            chances[rows] = self.likelihoods(rows).reshape(-1, len(prior)) @ into
        chances /= chances.sum(axis=1, keepdims=True)
        return levels, chances


def _ratings(judged: Judged, points: Floats) -> _Model:
    """Return the model of ratings: raters perceive the similarity of an item with a normal error, and give the nearest
    point of the scale; beyond its ends, the end. Ratings near an end therefore vary less, and skewly."""
    length = float(points[-1] - points[0])
    similarities = np.linspace(points[0] - BEYOND * length, points[-1] + BEYOND * length, SIMILARITIES)
    even = np.full(SIMILARITIES, 1 / SIMILARITIES)
    noises = np.geomspace(LEAST_NOISE * length, length, NOISES).tolist()
    chances = np.stack([Population(similarities, even, noise, points).chances for noise in noises])
    codes = np.rint((judged.values - points[0]) / length * (len(points) - 1)).astype(np.int64)
    given = np.bincount(judged.items * len(points) + codes, minlength=judged.number * len(points))
    logs = np.log(np.maximum(chances, RAREST)).reshape(-1, len(points)).T
    variances = chances @ points**2 - (chances @ points) ** 2
    return _Model(given.reshape(judged.number, -1).astype(np.float64), logs, np.maximum(variances, 0))


def _choices(judged: Judged) -> _Model:
    """Return the model of choices: within tuples, s² is sigma² chi² / d."""
    squares, degrees = judged.squares
    mean, known = float(squares.sum() / max(degrees.sum(), 1)), degrees > 0
    greatest = float(np.max(squares[known] / degrees[known], initial=0.0))
    variances = np.geomspace(SPAN * mean, greatest, LEVELS) if mean > 0 else np.array([1 / 12])  # hidden by steps of 1
    seen = np.stack([degrees, squares], axis=1).astype(np.float64)
    return _Model(seen, np.stack([-np.log(variances) / 2, -1 / (2 * variances)]), variances[:, np.newaxis])
