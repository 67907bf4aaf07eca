"""The linear mixed model of ratings, with random levels of items and of raters."""

from dataclasses import dataclass
from math import log, pi
from typing import Any

import numpy as np
import scipy

from scoring.stats.choices import Floats
from scoring.stats.raters.rated import Rated

LARGEST = 4000  # levels of the smaller factor, whose equations are dense
BOUNDS = (-18.0, 18.0)  # of the logarithm of a variance as a share of the residual's; below it counts as 0
START = 0.0
ROWS_AT_ONCE = 20_000
TOO_MANY = f"more than {LARGEST:,} items and as many annotators"


@dataclass(frozen=True, eq=False)
class Mixed:
    """The fitted model y = b0 + x b + item + rater + e.

    scores, errors: shape (items,), b0 plus the predicted level of an item at the mean of the covariates, and the root
    of its prediction variance; NaN without ratings. shifts: shape (raters,), predicted levels; NaN without ratings.
    effects, effect_errors: of the covariates. intercept, intercept_error: at the mean of the covariates.
    item_variance, rater_variance, residual_variance: by restricted maximum likelihood. criterion: minus twice the
    restricted log-likelihood. converged: whether the search ended at a maximum.
    """

    scores: Floats
    errors: Floats
    shifts: Floats
    intercept: float
    intercept_error: float
    effects: Floats
    effect_errors: Floats
    item_variance: float
    rater_variance: float
    residual_variance: float
    criterion: float
    converged: bool


def fit_mixed(rated: Rated) -> Mixed:
    """Fit the model with crossed random levels of items and raters by restricted maximum likelihood (REML).

    Henderson's equations (1975, Biometrics 31), profiled over the residual variance as in Bates et al. (2015, Journal
    of Statistical Software 67(1), eq. 38 and 41). The factor with more levels is eliminated, so that the equations have
    one row for each level of the other one and for each fixed effect.

    Raises:
        ValueError: there are too many items and raters, too few ratings, or covariates that are equal everywhere or
            determined by the others.
    """
    equations = _Equations(rated)
    start = np.full(2, START)
    options = {"ftol": 1e-15, "gtol": 1e-7, "maxiter": 500}
    found = scipy.optimize.minimize(
        equations.criterion, start, jac=True, method="L-BFGS-B", bounds=[BOUNDS] * 2, options=options
    )
    return equations.solved(found.x, converged=bool(found.success))


class _Equations:
    """Henderson's equations, divided by the residual variance; the small block has the fixed effects last."""

    def __init__(self, rated: Rated) -> None:
        self.rated = rated
        self.items, self.item_codes = np.unique(rated.items, return_inverse=True)
        self.raters, self.rater_codes = np.unique(rated.raters, return_inverse=True)
        self.items_first = len(self.items) >= len(self.raters)
        large, small = (self.item_codes, self.rater_codes)[:: 1 if self.items_first else -1]
        self.large, self.small = int(large.max()) + 1, int(small.max()) + 1
        if self.small > LARGEST:
            raise ValueError(f"The model cannot be fitted: {TOO_MANY}.")
        fixed = np.column_stack([np.ones(len(rated.values)), rated.covariates - rated.covariates.mean(axis=0)])
        self.fixed, self.degrees = fixed.shape[1], len(rated.values) - fixed.shape[1]
        if self.degrees < 1 or np.linalg.matrix_rank(fixed) < self.fixed:
            raise ValueError("The model cannot be fitted: too few ratings, or effects that cannot be told apart.")
        rows: Any = np.arange(len(rated.values))
        ones = np.ones(len(rows))
        of_large = scipy.sparse.csr_array((ones, (rows, large)), (len(rows), self.large))
        of_small = scipy.sparse.csr_array((ones, (rows, small)), (len(rows), self.small))
        rest = scipy.sparse.hstack([of_small, scipy.sparse.csr_array(fixed)]).tocsr()
        self.counts = np.bincount(large, minlength=self.large).astype(np.float64)
        self.crossed = (of_large.T @ rest).tocsr()
        self.own = (rest.T @ rest).toarray()
        centred = rated.values - rated.values.mean()
        self.right = of_large.T @ centred, rest.T @ centred
        self.total = float(centred @ centred)

    def criterion(self, logs: Floats) -> tuple[float, Floats]:
        """Return minus twice the restricted log-likelihood, and its slopes by the logarithms of both shares."""
        state = _State(self, np.exp(logs))
        sizes = np.array([self.large, self.small])
        value = state.log_determinant + float(sizes @ logs) + self.degrees * (1 + log(2 * pi * state.residual_variance))
        explained = state.squares / state.residual_variance
        return value, sizes - (state.traces + explained) / state.shares

    def solved(self, logs: Floats, *, converged: bool) -> Mixed:
        state = _State(self, np.exp(logs))
        shares = np.where(logs <= BOUNDS[0], 0.0, state.shares) * state.residual_variance
        levels = state.large, state.small[: self.small]
        order = 1 if self.items_first else -1
        (item_levels, rater_levels), (item, rater) = levels[::order], shares[::order]
        effects = state.small[self.small :]
        covariance = state.inverse[self.small :, self.small :] * state.residual_variance
        intercept = float(effects[0] + self.rated.values.mean())
        scores, errors = np.full((2, self.rated.item_number), np.nan)
        scores[self.items] = intercept + item_levels
        errors[self.items] = np.sqrt(state.item_variances() * state.residual_variance)
        shifts = np.full(self.rated.rater_number, np.nan)
        shifts[self.raters] = rater_levels
        fixed_errors = np.sqrt(np.diag(covariance))
        figures = float(item), float(rater), state.residual_variance, self.criterion(logs)[0]
        return Mixed(
            *(scores, errors, shifts, intercept, float(fixed_errors[0]), effects[1:], fixed_errors[1:]),
            *(*figures, converged),
        )


class _State:
    """The solution of the equations for variances as shares of the residual's, of the large and the small factor."""

    def __init__(self, equations: _Equations, shares: Floats) -> None:
        self.equations, self.shares = equations, shares
        self.diagonal = equations.counts + 1 / shares[0]
        scaled = scipy.sparse.diags_array(1 / self.diagonal) @ equations.crossed
        own = equations.own.copy()
        own[np.arange(equations.small), np.arange(equations.small)] += 1 / shares[1]
        reduced = own - (equations.crossed.T @ scaled).toarray()
        factor = scipy.linalg.cho_factor(reduced, lower=True)
        self.inverse = scipy.linalg.cho_solve(factor, np.eye(len(reduced)))
        self.log_determinant = float(np.log(self.diagonal).sum() + 2 * np.log(np.diag(factor[0])).sum())
        right_large, right_small = equations.right
        self.small = scipy.linalg.cho_solve(factor, right_small - scaled.T @ right_large)
        self.large = right_large / self.diagonal - scaled @ self.small
        left = equations.total - float(right_large @ self.large) - float(right_small @ self.small)
        self.residual_variance = left / equations.degrees
        self.scaled = scaled

    @property
    def squares(self) -> Floats:
        """Return the sums of squared levels of both factors."""
        small = self.small[: self.equations.small]
        return np.array([self.large @ self.large, small @ small])

    @property
    def traces(self) -> Floats:
        """Return the traces of both factors' blocks of the inverse."""
        squared = (self.scaled.T @ self.scaled).tocoo()
        large = float((1 / self.diagonal).sum() + squared.data @ self.inverse[squared.row, squared.col])
        return np.array([large, np.trace(self.inverse[: self.equations.small, : self.equations.small])])

    def item_variances(self) -> Floats:
        """Return the variance of intercept plus level of each item, as a share of the residual's."""
        equations, intercept = self.equations, self.equations.small
        if not equations.items_first:
            own = np.diag(self.inverse)[:intercept]
            return np.asarray(own + 2 * self.inverse[:intercept, intercept] + self.inverse[intercept, intercept])
        variances = 1 / self.diagonal + self.inverse[intercept, intercept]
        for start in range(0, equations.large, ROWS_AT_ONCE):
            rows = slice(start, start + ROWS_AT_ONCE)
            part = self.scaled[rows]
            solved = part @ self.inverse
            variances[rows] += np.asarray(part.multiply(solved).sum(axis=1)) - 2 * solved[:, intercept]
        return np.asarray(variances)
