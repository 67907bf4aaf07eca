"""Agreement within groups of people, and of each group with everybody else; never of fewer than five people.

Groups are those of the whole project, not of a round: rounds could be subtracted from each other.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial

import numpy as np

from scoring.stats.reasons import first_reason
from scoring.stats.subgroups import ChoiceSubgroup, RatingSubgroup, subgroup_of_choices, subgroup_of_ratings
from scoring.summaries.demographics import SMALLEST
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.tables import CONTEXTS, Booleans, Integers
from scoring.summaries.undefined import Result, told

TOO_FEW = f"fewer than {SMALLEST} annotators of this group have judgments that count"
TOO_FEW_OTHERS = f"fewer than {SMALLEST} annotators outside of this group have judgments that count"
NO_ALPHA = ("no item was judged by two annotators of this group", "the judgments of this group do not vary")
NOT_SHARED = ("the group and the other annotators share fewer than two items", "the scores do not vary")
WITHIN = {"ratings": ("ratings", "units", "alpha"), "choices": ("choices", "tuples", "alpha_best", "alpha_worst")}
WITH_OTHERS = {"ratings": ("shared", "pearson", "shift"), "choices": ("shared", "pearson")}
Groups = Mapping[str, Sequence[int]]
"""The members of each group by its label, as indexes of raters."""
Compute = Callable[[Booleans], RatingSubgroup | ChoiceSubgroup]


def by_pool(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return {"pool": agreement of each pool}, as `agreement_of_groups` does."""
    return {"pool": agreement_of_groups(snapshot, pools_of(snapshot))}


def has_pools(snapshot: Snapshot) -> bool:
    """Return whether people of several pools take part."""
    return len(pools_of(snapshot)) > 1


def pools_of(snapshot: Snapshot) -> dict[str, list[int]]:
    """Return the raters of each pool; somebody who was in several is in the first one."""
    found: dict[int, str] = {}
    people = snapshot.participations
    for rater, pool in zip(people.raters.tolist(), people.pools, strict=True):
        if pool:
            found.setdefault(rater, pool)
    return {pool: sorted(rater for rater in found if found[rater] == pool) for pool in sorted(set(found.values()))}


def agreement_of_groups(snapshot: Snapshot, groups: Groups) -> Result:
    """Return {kind: a list with the figures of each group}, of `ratings` and `choices` as far as there are any.

    The ratings are those that scores are made of; the same pair in another round or context is another unit. If fewer
    than five people of a group have judgments that count, nothing is said about it, not even how many they are.
    """
    found: Result = {}
    rated, choices = snapshot.rated, snapshot.counted_choices
    if len(rated.values):
        units = (rated.items * len(snapshot.facts.rounds) + rated.rounds) * len(CONTEXTS) + rated.contexts
        units = np.unique(units, return_inverse=True)[1]
        compute: Compute = partial(subgroup_of_ratings, units, rated.values)
        found["ratings"] = [_figures("ratings", rated.raters, label, groups[label], compute) for label in groups]
    if choices.judgments and choices.annotators is not None:
        compute = partial(subgroup_of_choices, choices)
        found["choices"] = [_figures("choices", choices.annotators, label, groups[label], compute) for label in groups]
    return found


def _figures(kind: str, raters: Integers, label: str, members: Sequence[int], compute: Compute) -> Result:
    rows = np.isin(raters, np.array(members, dtype=np.int64))
    people, others = (len(np.unique(raters[side])) for side in (rows, ~rows))
    figures: Result = {"group": label}
    if people < SMALLEST:
        return figures | told(dict.fromkeys(("people", *WITHIN[kind], *WITH_OTHERS[kind])), TOO_FEW)
    computed = asdict(compute(rows))
    numbers = {"people": people, kind: int(rows.sum())}
    within = {name: computed[name] for name in WITHIN[kind] if name != kind}
    if others < SMALLEST:
        compared = told(dict.fromkeys(WITH_OTHERS[kind]), TOO_FEW_OTHERS)
    else:
        reason = first_reason((computed["shared"] < 2, NOT_SHARED[0]), (True, NOT_SHARED[1]))
        compared = told({name: computed[name] for name in WITH_OTHERS[kind]}, reason)
    reason = first_reason((not computed[WITHIN[kind][1]], NO_ALPHA[0]), (True, NO_ALPHA[1]))
    return figures | numbers | told(within, reason) | compared
