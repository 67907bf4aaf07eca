"""The true category of each item, and how often everybody knows it rather than guesses by a habit: MACE.

Hovy, Berg-Kirkpatrick, Vaswani and Hovy (2013), Learning whom to trust with MACE, NAACL-HLT, 1120-1130.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.choices import Floats
from scoring.stats.raters.categories import Answers

RESTARTS = 10
MAXIMUM_STEPS = 1000
TOLERANCE = 1e-7  # change of a probability
KNOWING_PRIOR = 0.5  # of the beta distribution of a person's competence, as in the paper
HABIT_PRIOR = 10.0  # of the Dirichlet distribution of a person's guesses, as in the paper
NOISE = 0.5  # of random starts


@dataclass(frozen=True, eq=False)
class Mace:
    """probabilities: of each true category, shape (items, categories). competences: the probability that a person
    knows the category, shape (raters,), NaN for raters without answers. habits: of a person's guesses, shape (raters,
    categories). evidence: the log-likelihood by which the best start was chosen. converged: whether that one did."""

    probabilities: Floats
    competences: Floats
    habits: Floats
    evidence: float
    converged: bool


def fit_mace(answers: Answers, generator: np.random.Generator, *, restarts: int = RESTARTS) -> Mace:
    """Fit the model by variational Bayes from random starts, and return the best one.

    Raises:
        ValueError: there are no answers.
    """
    if not len(answers.items):
        raise ValueError("The model needs at least one answer.")
    return max((_fit(answers, generator) for _ in range(restarts)), key=lambda found: found.evidence)


def _fit(answers: Answers, generator: np.random.Generator) -> Mace:
    raters, categories = answers.rater_number, answers.category_number
    knowing = generator.uniform(1, 1 + NOISE, (raters, 2))
    knowing /= knowing.sum(axis=1, keepdims=True)
    habits = generator.uniform(1, 1 + NOISE, (raters, categories))
    habits /= habits.sum(axis=1, keepdims=True)
    before, converged = np.zeros((answers.item_number, categories)), False
    uniform = np.full(categories, -np.log(categories))
    for _ in range(MAXIMUM_STEPS):
        chances = _chances(knowing, habits)
        probabilities, evidence = answers.posterior(uniform, np.log(chances.reshape(-1, categories)))
        expected = (answers.by_answer @ probabilities).reshape(raters, categories, categories)
        guessed = (expected * knowing[:, :1, None] * habits[:, :, None] / chances).sum(axis=2)
        known = expected.sum(axis=2) - guessed
        counts = np.column_stack([guessed.sum(axis=1), known.sum(axis=1)]) + KNOWING_PRIOR
        if np.abs(probabilities - before).max() <= TOLERANCE:
            converged = True
            break
        before = probabilities
        knowing, habits = _shares(counts), _shares(guessed + HABIT_PRIOR)
    competences = counts[:, 1] / counts.sum(axis=1)
    competences[np.bincount(answers.raters, minlength=raters) == 0] = np.nan
    means = guessed + HABIT_PRIOR
    return Mace(probabilities, competences, means / means.sum(axis=1, keepdims=True), evidence, converged)


def _chances(knowing: Floats, habits: Floats) -> Floats:
    """Return P(answer | true), shape (raters, answer, true): guessed by habit, or known."""
    guessed = knowing[:, :1] * habits
    return np.asarray(guessed[:, :, None] + knowing[:, 1:, None] * np.eye(habits.shape[1]))


def _shares(counts: Floats) -> Floats:
    """Return exp of the expected logarithms of Dirichlet shares; they sum to less than 1."""
    return np.asarray(np.exp(scipy.special.digamma(counts) - scipy.special.digamma(counts.sum(axis=1, keepdims=True))))
