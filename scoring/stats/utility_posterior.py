"""What is known of the utilities of items before a round ends: the best-worst model with a prior from all items."""

from dataclasses import dataclass

import numpy as np

from scoring.stats.choices import Choices, Floats
from scoring.stats.models import BestWorst
from scoring.stats.newton import minimise_convex

STEPS = 20
TOLERANCE = 0.02
"""The relative change of the prior's precision at which its estimation ends; the order of the items then stays."""
FIRST_PRECISION = 0.5


@dataclass(frozen=True, eq=False)
class UtilityPosterior:
    """Utilities with mean 0 in logits, and their standard errors; shapes (items,). precision: 1 / variance of the
    normal distribution that utilities of all items have."""

    values: Floats
    errors: Floats
    precision: float

    @property
    def reliability(self) -> float:
        """Return the squared correlation of the utilities with the true ones that is expected: 1 - E / V, with the mean
        error variance E and the variance V of all true utilities. 0 if nothing is known."""
        return max(0.0, 1 - float(np.mean(self.errors**2)) * self.precision)

    @property
    def rank_shares(self) -> Floats:
        """Return how large a share of all appearances items should have for their ranks, shape (items,).

        An error of u moves an item by as many ranks as its density at u says. The sum of squared errors of ranks is
        smallest if appearances are proportional to the density f (Neyman 1934). They are to its square root, so that
        extreme items, whose ranks are known soon, do not end with far fewer judgments than others.
        """
        roots = np.exp(-self.precision * self.values**2 / 4)
        return np.asarray(roots / roots.sum())


def fit_posterior(choices: Choices) -> UtilityPosterior:
    """Return the mode of the utilities and errors from the curvature there, by empirical Bayes.

    The variance of the utilities is estimated by the EM algorithm: the mean of u² + error² (Laird 1978, for binary
    responses). An item without a judgment has the utility 0 and the error of the prior. Errors take the utilities of
    the other items to be known: with thousands of items, the inverse of all information would cost more than the plan.

    Raises:
        ValueError: a judgment is not valid.
    """
    model, precision = BestWorst(choices), FIRST_PRECISION
    values = np.zeros(choices.number)
    for _ in range(STEPS):
        values, _converged = minimise_convex(model, precision, choices.number, values)
        variances = 1 / (np.maximum(model.curvature(values).diagonal, 0) + precision)
        before, precision = precision, float(1 / np.mean(values**2 + variances))
        if abs(precision - before) <= TOLERANCE * before:
            break
    return UtilityPosterior(values, np.sqrt(variances), precision)
