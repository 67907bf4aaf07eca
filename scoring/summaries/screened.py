"""What excluding people by screening changes in scores, compared with weighing them."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from scoring.stats.correlation import spearman
from scoring.stats.reasons import why_no_correlation
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import Stacks
from scoring.summaries.tables import Floats, Ratings
from scoring.summaries.undefined import Result, column, told

MOST_NAMED = 10
FEW = "fewer than two items have both scores"
NO_SCORE = "the item has no such score"


def compared_with_screening(
    snapshot: Snapshot, stacks: Stacks, everyone: Ratings, weighed: Floats, weighed_everyone: Floats, people: Result
) -> Result:
    """Return how four scores of the same items differ: plain means with and without excluded people, and both weighed.

    Parameters: everyone, the ratings with those of excluded people; weighed, weighed_everyone, shape (items,).
    """
    number = len(snapshot.items.keys)
    scores = {
        "everyone": _means(everyone, number),
        "screened": _means(stacks.ratings, number),
        "weighed": weighed,
        "weighed_everyone": weighed_everyone,
    }
    return {
        "excluded": sum(people["excluded"]),
        "compared": compared(scores),
        "changed": _most_changed(snapshot.items.keys, scores),
        "lowest": _lowest(people),
    }


def _means(own: Ratings, number: int) -> Floats:
    sums, counts = np.bincount(own.items, own.values, number), np.bincount(own.items, minlength=number)
    return np.asarray(np.divide(sums, counts, out=np.full(number, np.nan), where=counts > 0))


def compared(scores: Mapping[str, Floats]) -> list[Result]:
    """Return the correlation and differences of every two scores, of items that have both."""
    return [_pair(one, other, scores[one], scores[other]) for one, other in combinations(scores, 2)]


def _pair(one: str, other: str, first: Floats, second: Floats) -> Result:
    both = ~np.isnan(first) & ~np.isnan(second)
    first, second = first[both], second[both]
    varies = len(first) > 1 and np.ptp(first) > 0 and np.ptp(second) > 0
    figures = {"pearson": float(np.corrcoef(first, second)[0, 1]) if varies else np.nan}
    figures |= {"spearman": spearman(first, second)}
    differences = np.abs(first - second)
    figures |= {"mean_change": float(differences.mean()) if len(differences) else np.nan}
    figures |= {"largest_change": float(differences.max(initial=0.0)) if len(differences) else np.nan}
    reason = why_no_correlation(first, second, FEW, "all scores are equal")
    return {"one": one, "other": other, "items": len(first), **told(figures, reason)}


def _most_changed(keys: tuple[str, ...], scores: Mapping[str, Floats]) -> Result:
    """Return the items whose score after screening differs most from the weighed one of everyone."""
    changes = np.nan_to_num(np.abs(scores["screened"] - scores["weighed_everyone"]))
    order = np.argsort(-changes, kind="stable")[:MOST_NAMED]
    most = order[changes[order] > 0]
    result: Result = {"item": [keys[item] for item in most.tolist()]}
    for name, values in scores.items():
        result |= column(name, values[most], NO_SCORE)
    return result


def _lowest(people: Result) -> list[dict[str, Any]]:
    """Return the people with the lowest weight, the lowest first."""
    order = np.argsort(np.array(people["weight"], dtype=np.float64), kind="stable")[:MOST_NAMED].tolist()
    return [
        {name: people[name][place] for name in ("annotator", "weight", "shift", "stretch", "noise", "excluded")}
        for place in order
    ]
