"""Answers as categories, and where two models of raters start: labels by items, people and answers."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy

from scoring.stats.choices import Floats, Integers
from scoring.stats.raters.rated import Rated


@dataclass(frozen=True, eq=False)
class Answers:
    """Answers, a row each: items, raters, codes, shape (answers,), from 0; the numbers of each."""

    items: Integers
    raters: Integers
    codes: Integers
    item_number: int
    rater_number: int
    category_number: int

    @classmethod
    def of(cls, rated: Rated) -> tuple["Answers", Floats]:
        """Return ratings as answers, and the value of each category, ascending."""
        values, codes = np.unique(rated.values + 0.0, return_inverse=True)  # without -0
        numbers = rated.item_number, rated.rater_number, len(values)
        return cls(rated.items, rated.raters, codes.astype(np.int64), *numbers), values

    @cached_property
    def by_item(self) -> Any:
        """Return how often each rater gave each answer to an item: sparse, shape (items, raters * categories)."""
        columns = self.raters * self.category_number + self.codes
        shape = self.item_number, self.rater_number * self.category_number
        return scipy.sparse.coo_array((np.ones(len(columns)), (self.items, columns)), shape).tocsr()

    @cached_property
    def by_answer(self) -> Any:
        """Return the transpose of `by_item`."""
        return self.by_item.T.tocsr()

    @cached_property
    def answered(self) -> Integers:
        """Return the items with answers, ascending."""
        return np.unique(self.items)

    def votes(self) -> Floats:
        """Return the share of each category among an item's answers, shape (items, categories); 0 without answers."""
        counts = np.zeros((self.item_number, self.category_number))
        np.add.at(counts, (self.items, self.codes), 1.0)
        return np.asarray(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))

    def posterior(self, log_prior: Floats, log_answers: Floats) -> tuple[Floats, float]:
        """Return the probability of each true category, shape (items, categories), and the log-likelihood.

        Parameters: log_prior, shape (categories,); log_answers, of each answer given the true category, shape
            (raters * categories, categories).
        """
        joint = self.by_item @ log_answers + log_prior
        greatest = joint.max(axis=1, keepdims=True)
        posterior = np.exp(joint - greatest)
        sums = posterior.sum(axis=1, keepdims=True)
        logs = (greatest + np.log(sums))[self.answered, 0]
        return posterior / sums, float(logs.sum())


def expected_values(probabilities: Floats, values: Floats, answered: Integers) -> Floats:
    """Return the mean of the categories' values by their probabilities; NaN for items without answers."""
    scores = np.full(len(probabilities), np.nan)
    scores[answered] = probabilities[answered] @ values
    return scores
