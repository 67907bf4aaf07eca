"""Ratings by round and context: the stacks of raters of the same items."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotation.protocols.terms import Context
from scoring.stats.ratings import MeanAndDeviation, mean_and_deviation
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.tables import CONTEXTS, Booleans, Floats, Ratings
from scoring.summaries.undefined import Result

FREE, DEPENDENT = (CONTEXTS.index(context.value) for context in (Context.FREE, Context.DEPENDENT))


@dataclass(frozen=True, eq=False)
class Stacks:
    """The ratings that scores are made of, of one round and context, by person and screen; there may be none."""

    round: str
    context: str
    ratings: Ratings

    def scores(self) -> dict[int, MeanAndDeviation]:
        """Return mean and standard deviation of each rated item, by ascending item."""
        order = np.argsort(self.ratings.items, kind="stable")
        items, starts = np.unique(self.ratings.items[order], return_index=True)
        values = np.split(self.ratings.values[order], starts[1:])
        return {
            item: mean_and_deviation(own.tolist())
            for item, own in zip(items.tolist(), values, strict=False)
            if len(own)
        }

    def means(self, number: int) -> Floats:
        """Return the mean of every item, shape (number,); NaN if nobody rated it."""
        found = np.full(number, np.nan)
        for item, score in self.scores().items():
            found[item] = float(score.mean)
        return found


def stacks_of(snapshot: Snapshot, round_: int, context: int) -> Stacks:
    rated = snapshot.rated
    own = rated.keep((rated.rounds == round_) & (rated.contexts == context))
    return Stacks(snapshot.facts.rounds[round_], CONTEXTS[context], own)


def all_stacks(snapshot: Snapshot) -> Iterator[Stacks]:
    """Yield the stacks of every round and of each context that its sessions have."""
    for place, contexts in enumerate(snapshot.facts.contexts):
        for context in dict.fromkeys(contexts):
            yield stacks_of(snapshot, place, CONTEXTS.index(context))


def by_round_and_context(snapshot: Snapshot, compute: Callable[[Stacks], Result]) -> Result:
    """Return {round: {context: result}}."""
    result: dict[str, dict[str, Any]] = {}
    for stacks in all_stacks(snapshot):
        result.setdefault(stacks.round, {})[stacks.context] = compute(stacks)
    return result


def rounds_with_both(snapshot: Snapshot) -> dict[str, int]:
    """Return the rounds that are rated without and with context: name and place."""
    both = {CONTEXTS[FREE], CONTEXTS[DEPENDENT]}
    named = zip(snapshot.facts.rounds, snapshot.facts.contexts, strict=True)
    return {name: place for place, (name, contexts) in enumerate(named) if both <= set(contexts)}


def with_earlier_values(snapshot: Snapshot) -> Booleans:
    """Return the pairs with a value from before, shape (items,), without calibration pairs.

    This is the value of their selection or, in a project that selects nothing, the earlier value of their file.
    """
    if snapshot.facts.roles:
        return selected(snapshot)
    return np.asarray(~np.isnan(snapshot.items.selected) & ~snapshot.items.calibration)


def selected(snapshot: Snapshot) -> Booleans:
    """Return the selected pairs with their value and role, shape (items,); calibration pairs are left out."""
    items = snapshot.items
    return np.asarray(~np.isnan(items.selected) & (items.roles >= 0) & ~items.calibration)
