"""Ratings as ordered categories: the cumulative logit model with random items and people of different stretch."""

from dataclasses import dataclass
from math import log, pi
from typing import Any

import numpy as np
import scipy

from scoring.stats.choices import Floats
from scoring.stats.models import minimise
from scoring.stats.raters.mixed import fit_mixed
from scoring.stats.raters.rated import Rated
from scoring.stats.raters.resampling import errors_by_resampling
from scoring.stats.raters.typical import STRETCH_SPREAD, typical_stretch

MOST_CATEGORIES = 12
TOO_MANY = f"the ratings have more than {MOST_CATEGORIES} different values"
LOGISTIC = pi / 3**0.5  # standard deviation of the logistic distribution
NODES = 61  # of the integral over theta, from -5 to 5 standard deviations
EDGE = 5.0
LIMIT = 20.0  # of logarithms of steps and of the spread
SPREAD = 2.0  # of theta, around which its logarithm is normal with standard deviation 1: of people who agree exactly
REPLICATE_SLOPE = 0.1


@dataclass(frozen=True, eq=False)
class Ordinal:
    """The fitted model logit P(y <= c_k) = threshold_k - shift_r - stretch_r theta_i.

    categories: the different values, ascending, shape (categories,). scores, errors: shape (items,), the rating
    expected of a person without shift and of typical stretch, on the scale of the values; NaN without ratings.
    thresholds: shape (categories - 1,), in logits. shifts, stretches: shape (raters,), NaN without ratings.
    spread: the standard deviation of theta, in logits. log_likelihood: without the priors.
    """

    categories: Floats
    scores: Floats
    errors: Floats
    thresholds: Floats
    shifts: Floats
    stretches: Floats
    spread: float
    log_likelihood: float
    converged: bool


def fit_ordinal(
    rated: Rated,
    generator: np.random.Generator | None = None,
    *,
    replicates: int = 0,
    shift_spread: float | None = None,
    stretch_spread: float = STRETCH_SPREAD,
    slope: float = 1e-4,
) -> Ordinal:
    """Fit the cumulative logit model (McCullagh 1980, JRSS B 42, 109-142) with normal theta, integrated out on a grid.

    Shifts are normal around 0 and stretches around 1. Covariates are not used.

    Parameters: replicates, as of `fit_weighed`. shift_spread, in logits; by default that of raters in `fit_mixed` as a
        share of its residual. For both spreads, infinite is no prior, and 0 makes people equal.

    Raises:
        ValueError: as `fit_mixed`, or there are fewer than two or more than `MOST_CATEGORIES` different values.
    """
    categories = np.unique(rated.values + 0.0)  # without -0
    if not 2 <= len(categories) <= MOST_CATEGORIES:
        raise ValueError(f"The ratings must have 2 to {MOST_CATEGORIES} different values.")
    if shift_spread is None:
        mixed = fit_mixed(rated)
        share = max(mixed.rater_variance / mixed.residual_variance, 1e-4)
        shift_spread = LOGISTIC * share**0.5
    model = _Model(rated, categories, shift_spread, stretch_spread)
    found, converged = model.maximise(model.start(), slope=slope)

    def replicate(items: Floats, raters: Floats) -> tuple[Floats, Floats]:
        return model.scores(model.reweighed(items, raters).maximise(found, slope=REPLICATE_SLOPE)[0])

    scores, errors = errors_by_resampling(
        model.scores(found), replicate, (model.items, model.raters), generator, replicates
    )
    return model.fitted(found, scores, errors, converged)


class _Model:
    """Minus the log-posterior of people's parameters; the likelihood has weights of items, the priors weights of raters
    (1 for the data).

    The answers of a person only depend on theta, so their probabilities are tables by node; the likelihood of an item
    at each node is a sparse product of its ratings and this table.
    """

    def __init__(self, rated: Rated, categories: Floats, shift_spread: float, stretch_spread: float) -> None:
        self.rated, self.categories = rated, categories
        self.item_keys, item = np.unique(rated.items, return_inverse=True)
        self.rater_keys, rater = np.unique(rated.raters, return_inverse=True)
        self.items, self.raters, self.number = len(self.item_keys), len(self.rater_keys), len(categories)
        answers = rater * self.number + np.searchsorted(categories, rated.values)
        shape = self.items, self.raters * self.number
        self.answers = scipy.sparse.coo_array((np.ones(len(item)), (item, answers)), shape).tocsr()
        self.of_answers = self.answers.T.tocsr()
        self.shares = np.bincount(answers % self.number, minlength=self.number) / len(item)
        self.ridges = [spread**-2 if spread else 0.0 for spread in (shift_spread, stretch_spread)]
        self.free = [spread > 0 for spread in (shift_spread, stretch_spread)]
        self.item_weights, self.rater_weights = np.ones(self.items), np.ones(self.raters)
        self.nodes = np.linspace(-EDGE, EDGE, NODES)
        density = np.exp(-(self.nodes**2) / 2)
        self.log_density = np.log(density / density.sum())
        many = np.sqrt(np.bincount(rater, minlength=self.raters))
        common = np.sqrt([*np.full(self.number - 1, len(item)), self.items])
        self.units = 1 / np.concatenate([many, many, common])

    def reweighed(self, items: Floats, raters: Floats) -> "_Model":
        """Return the model with an item and a rater counted as often as their weights say."""
        model = object.__new__(_Model)
        model.__dict__.update(self.__dict__)
        model.item_weights, model.rater_weights = items, raters
        return model

    def start(self) -> Floats:
        below = np.clip(np.cumsum(self.shares)[:-1], 1e-3, 1 - 1e-3)
        thresholds = np.log(below / (1 - below)) * 1.5
        steps = np.log(np.maximum(np.diff(thresholds), 0.1))
        return np.concatenate([np.zeros(self.raters), np.ones(self.raters), thresholds[:1], steps, [0.5]])

    def maximise(self, start: Floats, *, slope: float) -> tuple[Floats, bool]:
        """Return the parameters of the greatest posterior, and whether the search converged."""

        def scaled(at: Floats) -> tuple[float, Floats]:
            loss, slopes = self.loss(at * self.units)
            return loss, slopes * self.units

        found, converged = minimise(scaled, start / self.units, slope=slope)
        return found * self.units, converged

    def split(self, at: Floats) -> tuple[Floats, Floats, Floats, float]:
        """Return shifts, stretches, thresholds and the spread; parameters are the first threshold and log steps."""
        shifts, stretches, rest = np.split(at, [self.raters, 2 * self.raters])
        limited = np.clip(rest, -LIMIT, LIMIT)
        thresholds = np.cumsum([rest[0], *np.exp(limited[1:-1])])
        return shifts, stretches, thresholds, float(np.exp(limited[-1]))

    def loss(self, at: Floats) -> tuple[float, Floats]:
        """Return minus the log-posterior and its slopes, by Fisher's identity from the expected number of answers."""
        shifts, stretches, thresholds, spread = self.split(at)
        strengths = shifts[:, None] + stretches[:, None] * spread * self.nodes
        logs, upper, lower = _answers(thresholds, strengths)
        likelihood, posterior = self._posterior(logs)
        value = -float(self.item_weights @ likelihood)
        expected = (self.of_answers @ (posterior * self.item_weights[:, None])).reshape(logs.shape)
        pull = (expected * (upper + lower)).sum(axis=1)  # of a threshold's rise, which is that of a falling strength
        of_thresholds = np.array(
            [
                (expected[:, k] * upper[:, k] + expected[:, k + 1] * lower[:, k + 1]).sum()
                for k in range(self.number - 1)
            ]
        )
        behind = np.cumsum(of_thresholds[::-1])[::-1]
        steps = np.diff(thresholds)
        of_stretches = pull @ self.nodes * spread
        slopes = [pull.sum(axis=1), of_stretches, -behind[:1], -behind[1:] * steps, [float(of_stretches @ stretches)]]
        return self._with_priors(value, slopes, at)

    def _with_priors(self, value: float, slopes: list[Any], at: Floats) -> tuple[float, Floats]:
        shifts, stretches, _ = np.split(at, [self.raters, 2 * self.raters])
        for place, deviations in enumerate((shifts, stretches - 1)):
            pull = self.ridges[place] * self.rater_weights * deviations
            value += 0.5 * float(pull @ deviations)
            slopes[place] = (slopes[place] + pull) * self.free[place]
        if self.free[1]:
            deviation = float(at[-1]) - log(SPREAD)
            value += 0.5 * deviation**2
            slopes[-1] = [slopes[-1][0] + deviation]
        return value, np.concatenate(slopes)

    def _posterior(self, logs: Floats) -> tuple[Floats, Floats]:
        """Return the log-likelihood of each item, and the distribution of its theta over the nodes."""
        table = logs.reshape(self.raters * self.number, NODES)
        joint = self.answers @ table + self.log_density
        greatest = joint.max(axis=1, keepdims=True)
        posterior = np.exp(joint - greatest)
        sums = posterior.sum(axis=1, keepdims=True)
        return np.asarray((greatest + np.log(sums))[:, 0]), posterior / sums

    def scores(self, at: Floats) -> tuple[Floats, Floats]:
        """Return mean and variance of every item's score given its ratings and these parameters, shapes (items,)."""
        shifts, stretches, thresholds, spread = self.split(at)
        logs = _answers(thresholds, shifts[:, None] + stretches[:, None] * spread * self.nodes)[0]
        posterior = self._posterior(logs)[1]
        unit = spread * typical_stretch(stretches, stretches**2)
        typical = self.categories @ np.exp(_answers(thresholds, unit * self.nodes[None])[0][0])
        means = posterior @ typical
        return means, np.maximum(posterior @ typical**2 - means**2, 0)

    def fitted(self, at: Floats, scores: Floats, errors: Floats, converged: bool) -> Ordinal:
        shifts, stretches, thresholds, spread = self.split(at)
        logs = _answers(thresholds, shifts[:, None] + stretches[:, None] * spread * self.nodes)[0]
        own, people = np.full((2, self.rated.item_number), np.nan), np.full((2, self.rated.rater_number), np.nan)
        own[:, self.item_keys] = scores, errors
        people[:, self.rater_keys] = shifts, stretches
        return Ordinal(
            categories=self.categories,
            scores=own[0],
            errors=own[1],
            thresholds=thresholds,
            shifts=people[0],
            stretches=people[1],
            spread=spread,
            log_likelihood=float(self._posterior(logs)[0].sum()),
            converged=converged,
        )


def _answers(thresholds: Floats, strengths: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the log-probability of each category, and its slopes by the thresholds above and below it.

    Parameters: strengths, shape (raters, nodes). Returns: shapes (raters, categories, nodes).
    """
    edges = np.concatenate([[-np.inf], thresholds, [np.inf]])
    above, below = (ends[None, :, None] - strengths[:, None, :] for ends in (edges[1:], edges[:-1]))
    gaps = np.diff(edges)[None, :, None]
    # P = expit(above) expit(-below) (1 - exp(below - above)), which keeps its digits in both tails.
    logs = np.log(-np.expm1(-gaps)) - np.logaddexp(0, -above) - np.logaddexp(0, below)
    inner = 1 / np.expm1(np.minimum(gaps, 700.0)) * np.isfinite(gaps)
    return logs, scipy.special.expit(-above) + inner, -scipy.special.expit(below) - inner
