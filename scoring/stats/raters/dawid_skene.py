"""The true category of each item and everybody's table of errors.

Dawid and Skene (1979), Maximum likelihood estimation of observer error-rates, Applied Statistics 28, 20-28.
"""

from dataclasses import dataclass

import numpy as np

from scoring.stats.choices import Floats
from scoring.stats.raters.categories import Answers

MAXIMUM_STEPS = 2000
TOLERANCE = 1e-9  # relative change of the log-likelihood
SMOOTHING = 0.1  # answers added to each cell of a person's table, for people with few answers


@dataclass(frozen=True, eq=False)
class DawidSkene:
    """probabilities: of each true category, shape (items, categories). prior: shape (categories,).
    errors: P(answer | true), shape (raters, true, answer). accuracies: P(answer = true) over the prior, shape
    (raters,), NaN for raters without answers. converged: whether the algorithm ended before its last step."""

    probabilities: Floats
    prior: Floats
    errors: Floats
    accuracies: Floats
    log_likelihood: float
    converged: bool


def fit_dawid_skene(answers: Answers, *, smoothing: float = SMOOTHING) -> DawidSkene:
    """Fit the model by expectation and maximisation, from the shares of the answers of each item.

    Parameters: smoothing, answers added to each cell; 0 for the paper's maximum likelihood.

    Raises:
        ValueError: there are no answers.
    """
    if not len(answers.items):
        raise ValueError("The model needs at least one answer.")
    probabilities, before, converged = answers.votes(), -np.inf, False
    for _ in range(MAXIMUM_STEPS):
        errors = _errors(answers, probabilities, smoothing)
        prior = probabilities[answers.answered].mean(axis=0)
        with np.errstate(divide="ignore"):
            log_prior, log_errors = np.log(prior), np.log(errors)
        # A product of 0 and -inf would be NaN; no probability is as small as e^-500.
        probabilities, likelihood = answers.posterior(np.maximum(log_prior, -500), np.maximum(log_errors, -500))
        if likelihood - before <= TOLERANCE * abs(likelihood):
            converged = True
            break
        before = likelihood
    tables = errors.reshape(answers.rater_number, answers.category_number, -1).transpose(0, 2, 1)
    accuracies = np.einsum("rkk,k->r", tables, prior)
    accuracies[np.bincount(answers.raters, minlength=answers.rater_number) == 0] = np.nan
    return DawidSkene(probabilities, prior, tables, accuracies, likelihood, converged)


def _errors(answers: Answers, probabilities: Floats, smoothing: float) -> Floats:
    """Return P(answer | true) of each rater, shape (raters * categories, categories): eq. 2.3 of the paper."""
    counts = (answers.by_answer @ probabilities).reshape(answers.rater_number, answers.category_number, -1) + smoothing
    sums = counts.sum(axis=1, keepdims=True)
    tables = np.divide(counts, sums, out=np.zeros_like(counts), where=sums > 0)
    return np.asarray(tables.reshape(-1, answers.category_number))
