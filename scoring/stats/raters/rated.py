"""Ratings as the input of models of raters, and what of them a model can be fitted to."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy

from scoring.stats.choices import Booleans, Floats, Integers

FEWEST_PEOPLE = 3  # two people's noise cannot be told apart
SINGLE = "no item has two ratings by annotators who share items with others"
FEW_PEOPLE = f"fewer than {FEWEST_PEOPLE} annotators share items with others"
CONSTANT = "all ratings are equal"


@dataclass(frozen=True, eq=False)
class Rated:
    """Ratings, a row each.

    items, raters: shape (ratings,), indexes from 0. values: shape (ratings,), points of a scale.
    covariates: shape (ratings, effects), such as the place of the screen; they are centred by the models.
    item_number, rater_number: how many there are, with those without ratings.

    Raises:
        ValueError: columns differ in length, an index is out of range, or a value is missing.
    """

    items: Integers
    raters: Integers
    values: Floats
    item_number: int
    rater_number: int
    covariates: Floats = field(default_factory=lambda: np.empty((0, 0)))

    def __post_init__(self) -> None:
        if not self.covariates.size:  # of any shape
            object.__setattr__(self, "covariates", np.empty((len(self.values), 0)))
        lengths = {len(self.items), len(self.raters), len(self.values), len(self.covariates)}
        if len(lengths) > 1:
            raise ValueError("Items, raters, values and covariates must have a row for each rating.")
        for indexes, number in ((self.items, self.item_number), (self.raters, self.rater_number)):
            if len(indexes) and (indexes.min() < 0 or indexes.max() >= number):
                raise ValueError(f"Items and raters must be numbered from 0 to {number - 1}.")
        if not (np.isfinite(self.values).all() and np.isfinite(self.covariates).all()):
            raise ValueError("Values and covariates must be finite numbers.")

    def keep(self, rows: Booleans) -> "Rated":
        """Return only these ratings; items and raters keep their indexes."""
        columns = self.items[rows], self.raters[rows], self.values[rows]
        return Rated(*columns, self.item_number, self.rater_number, self.covariates[rows])

    @cached_property
    def ratings_of_items(self) -> Integers:
        """Return the number of ratings of each item, shape (items,)."""
        return np.bincount(self.items, minlength=self.item_number).astype(np.int64)

    @cached_property
    def ratings_of_raters(self) -> Integers:
        """Return the number of ratings by each rater, shape (raters,)."""
        return np.bincount(self.raters, minlength=self.rater_number).astype(np.int64)

    @cached_property
    def groups(self) -> Integers:
        """Return the group of each rating, shape (ratings,): raters are connected by items that they share."""
        number = self.item_number + self.rater_number
        ends = self.items, self.item_number + self.raters
        graph = scipy.sparse.csr_array((np.ones(len(self.items), np.int8), ends), (number, number))
        labels = scipy.sparse.csgraph.connected_components(graph, directed=False)[1]
        return np.asarray(labels[self.items], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Comparable:
    """rated: the ratings that can be compared. groups: the number of groups of raters that share no item.
    reason: why there is nothing to compare; empty if there is."""

    rated: Rated
    groups: int
    reason: str


def comparable(rated: Rated) -> Comparable:
    """Return the ratings without those of raters who share no item with anybody.

    Nothing shows how such a rater uses the scale. Groups of several raters that share no item with each other remain:
    their levels are compared as plain means are, by assuming that people were assigned to them at random.
    """
    pairs = np.unique(np.column_stack([rated.groups, rated.raters]), axis=0)
    raters_of_group = np.bincount(pairs[:, 0], minlength=1) if len(pairs) else np.zeros(1, np.int64)
    own = rated.keep(raters_of_group[rated.groups] > 1) if len(rated.values) else rated
    return Comparable(own, int((raters_of_group > 1).sum()), _why_not(own))


def _why_not(rated: Rated) -> str:
    if not len(rated.values) or rated.ratings_of_items.max() < 2:
        return SINGLE
    if (rated.ratings_of_raters > 0).sum() < FEWEST_PEOPLE:
        return FEW_PEOPLE
    return CONSTANT if np.ptp(rated.values) == 0 else ""
