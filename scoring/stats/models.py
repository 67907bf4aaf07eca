"""Scores of items as the utilities of a model of choice, by maximum likelihood."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import scipy

from scoring.stats.choices import Choices, Floats, Integers
from scoring.stats.information import CentredVariances, centred_variances
from scoring.stats.newton import Convex, Curvature, minimise_convex
from scoring.stats.pairs import Pairs, implied_pairs
from scoring.stats.sandwich import leave_one_out_variances

RIDGE = 0.01
MAXIMUM_STEPS = 1000
# Larger exponents overflow; only a search that diverges gets there.
LARGEST_UTILITY = 350.0


@dataclass(frozen=True, eq=False)
class Utilities:
    """values: shape (items,), in logits, with mean 0; NaN for an item that was never compared.
    log_likelihood: without the ridge. converged: whether the search ended at a maximum."""

    values: Floats
    log_likelihood: float
    converged: bool


class _Model(Convex, Protocol):
    """Minus the log-likelihood of comparisons of items, of which `compared` occur in any."""

    number: int
    compared: Integers

    def weights(self, utilities: Floats) -> Any:
        """Return minus its second derivatives off the diagonal: sparse, shape (items, items)."""


class BradleyTerry:
    """The Bradley-Terry model: P(i is preferred to j) = 1 / (1 + exp(u_j - u_i)) (Bradley and Terry 1952)."""

    def __init__(self, pairs: Pairs) -> None:
        self.pairs, self.number = pairs, pairs.number
        self.compared = np.union1d(pairs.first, pairs.second)
        self.comparisons = pairs.first_wins + pairs.second_wins
        # Pairs are sorted, so that those of one first item are adjacent.
        self.starts = np.searchsorted(pairs.first, np.arange(pairs.number + 1))

    def loss(self, utilities: Floats) -> tuple[float, Floats]:
        pairs = self.pairs
        margin = utilities[pairs.first] - utilities[pairs.second]
        near = np.exp(-np.abs(margin))
        # -log P = log(1 + exp(-margin)) for a win of the first, and margin more for a win of the second.
        losses = self.comparisons * (np.log1p(near) + np.maximum(-margin, 0)) + pairs.second_wins * margin
        likely = np.where(margin >= 0, 1.0, near) / (1 + near)
        slope = self.comparisons * likely - pairs.first_wins
        upward, downward = (np.bincount(items, slope, self.number) for items in (pairs.first, pairs.second))
        return float(losses.sum()), (upward - downward).astype(np.float64, copy=False)

    def weights(self, utilities: Floats) -> Any:
        edges = self._edges(utilities)
        return edges + edges.T

    def curvature(self, utilities: Floats) -> Curvature:
        edges = self._edges(utilities)
        transposed, degrees = edges.T, np.asarray(edges.sum(axis=0) + edges.sum(axis=1))
        return Curvature(degrees, lambda vector: degrees * vector - edges @ vector - transposed @ vector)

    def _edges(self, utilities: Floats) -> Any:
        """Return n p (1 - p) of every pair, sparse, above the diagonal, shape (items, items)."""
        pairs = self.pairs
        near = np.exp(-np.abs(utilities[pairs.first] - utilities[pairs.second]))
        information = self.comparisons * near / (1 + near) ** 2
        return scipy.sparse.csr_array((information, pairs.second, self.starts), (self.number, self.number))


class BestWorst:
    """P(b best, w worst) = exp(u_b) / sum over shown exp(u_j) * exp(-u_w) / sum over shown but b exp(-u_j).

    This is the sequential best-worst model (Marley and Louviere 2005; Orme 2009 estimates the same as two logits, one
    with its signs reversed).
    """

    def __init__(self, choices: Choices) -> None:
        if not choices.valid.all():
            raise ValueError(
                "A judgment with a repeated item, or with the same item as best and worst, has no likelihood."
            )
        self.number = choices.number
        rows, shown = choices.shown()
        self.compared = np.unique(shown)
        # Judgments that chose from the same set share a sum: a tuple's for the best, its rest for the worst.
        sets = choices.tuples if choices.same_items else np.arange(choices.judgments)
        after_best = np.unique(sets.astype(np.int64) * self.number + choices.best, return_inverse=True)[1]
        remaining = shown != choices.best[rows]
        self.stages = [
            _Stage(sets, rows, shown, choices.best, self.number, sign=1.0),
            _Stage(after_best, rows[remaining], shown[remaining], choices.worst, self.number, sign=-1.0),
        ]

    def loss(self, utilities: Floats) -> tuple[float, Floats]:
        losses, gradients = zip(*(stage.loss(utilities) for stage in self.stages), strict=True)
        return sum(losses), gradients[0] + gradients[1]

    def weights(self, utilities: Floats) -> Any:
        return self.stages[0].weights(utilities) + self.stages[1].weights(utilities)

    def curvature(self, utilities: Floats) -> Curvature:
        best, worst = (stage.curvature(utilities) for stage in self.stages)
        return Curvature(best.diagonal + worst.diagonal, lambda vector: best.times(vector) + worst.times(vector))


class _Stage:
    """Choices from sets: exp(sign u) of the chosen over the sum of the set.

    sets, chosen: shape (judgments,). rows, shown: shape (shown,), judgment and item of everything to choose from.
    """

    def __init__(
        self, sets: Integers, rows: Integers, shown: Integers, chosen: Integers, number: int, *, sign: float
    ) -> None:
        self.sign = sign
        self.chosen = np.bincount(chosen, minlength=number).astype(np.float64)
        _, first, codes = np.unique(sets, return_index=True, return_inverse=True)
        self.sizes = np.bincount(codes).astype(np.float64)
        # All judgments of a set show the same items, so the first one is enough.
        representative = np.zeros(len(sets), np.bool_)
        representative[first] = True
        entries = representative[rows]
        members = codes[rows[entries]], shown[entries]
        self.members = scipy.sparse.csr_array((np.ones(len(members[0])), members), (len(first), number))
        self.sets_of = self.members.T

    def _strengths(self, utilities: Floats) -> Floats:
        return np.exp(np.clip(self.sign * utilities, -LARGEST_UTILITY, LARGEST_UTILITY))

    def loss(self, utilities: Floats) -> tuple[float, Floats]:
        strengths = self._strengths(utilities)
        sums = self.members @ strengths
        expected = strengths * (self.sets_of @ (self.sizes / sums))
        loss = float(self.sizes @ np.log(sums)) - self.sign * float(self.chosen @ utilities)
        return loss, self.sign * (expected - self.chosen)

    def curvature(self, utilities: Floats) -> Curvature:
        """Return sums over sets of n (diag(p) - p p'), where p are the shares of the set."""
        strengths = self._strengths(utilities)
        sums = self.members @ strengths
        expected = strengths * (self.sets_of @ (self.sizes / sums))
        squares = self.sizes / sums**2
        return Curvature(
            expected - strengths * (strengths * (self.sets_of @ squares)),
            lambda vector: (
                expected * vector - strengths * (self.sets_of @ (squares * (self.members @ (strengths * vector))))
            ),
        )

    def weights(self, utilities: Floats) -> Any:
        """Return sums of n p_i p_j over sets, shape (items, items): minus the information off the diagonal."""
        strengths = self._strengths(utilities)
        shares = self.members * strengths * (np.sqrt(self.sizes) / (self.members @ strengths))[:, None]
        products = (shares.T @ shares).tocsr()
        products.setdiag(0)
        return products


def fit_bradley_terry(pairs: Pairs, *, ridge: float = RIDGE) -> Utilities:
    """Return utilities of the Bradley-Terry model by maximum likelihood.

    The ridge adds ridge / 2 times the sum of squared utilities, a normal prior of variance 1 / ridge: it keeps an item
    that always won finite, sets the mean to 0, in each of several parts that were never compared too, and moves an
    item of twenty informative comparisons by a few thousandths of its utility.

    Raises:
        ValueError: there are no comparisons, or the ridge is not positive.
    """
    return _fit(BradleyTerry(pairs), ridge)


def fit_best_worst(choices: Choices, *, ridge: float = RIDGE) -> Utilities:
    """Return utilities of the best-worst model (`BestWorst`) by maximum likelihood; ridge as in `fit_bradley_terry`.

    Raises:
        ValueError: there are no judgments, some are not valid, or the ridge is not positive.
    """
    return _fit(BestWorst(choices), ridge)


def bradley_terry_errors(
    choices: Choices, fitted: Utilities, generator: np.random.Generator, *, ridge: float = RIDGE
) -> CentredVariances:
    """Return variances of the utilities of the pairs implied by choices; a standard error is the root.

    Judgments are independent, the five pairs implied by one are not: the information of the model would give errors a
    fifth too small, so that intervals of 95 % had 87 to 89 %. They are by leaving each judgment out (`sandwich`).

    Raises:
        ValueError: some judgments are not valid.
    """
    utilities = np.nan_to_num(fitted.values)
    weights = BradleyTerry(implied_pairs(choices)).weights(utilities)
    return leave_one_out_variances(choices, utilities, weights, ridge, generator)


def best_worst_errors(
    choices: Choices, fitted: Utilities, generator: np.random.Generator, *, ridge: float = RIDGE
) -> CentredVariances:
    """Return variances of the utilities, from the observed information; a standard error is the root."""
    return centred_variances(BestWorst(choices).weights(np.nan_to_num(fitted.values)), ridge, generator)


def _fit(model: _Model, ridge: float) -> Utilities:
    if not ridge > 0:
        raise ValueError("The ridge must be positive: without it, an item that always wins has no finite utility.")
    if not len(model.compared):
        raise ValueError("Utilities need at least one comparison.")
    solution, converged = minimise_convex(model, ridge, model.number)
    values = np.full(model.number, np.nan)
    values[model.compared] = solution[model.compared]
    return Utilities(values, -model.loss(solution)[0], converged)


def minimise(
    loss: Callable[[Floats], tuple[float, Floats]], start: Floats, *, slope: float = 1e-4
) -> tuple[Floats, bool]:
    """Minimise by L-BFGS from a start until the largest slope is below a limit, or values no longer change."""
    options = {"maxiter": MAXIMUM_STEPS, "maxfun": 2 * MAXIMUM_STEPS, "ftol": 1e-14, "gtol": slope}
    result = scipy.optimize.minimize(loss, start, jac=True, method="L-BFGS-B", options=options)
    return np.asarray(result.x), bool(result.success)
