"""How each rater follows the others, and whether the raters of two pools do so alike (STSS-131, appendix B)."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from itertools import combinations
from math import nan
from typing import Any

import numpy as np

from scoring.stats.comparing import means_compared
from scoring.stats.means import MeanComparison
from scoring.stats.raters import rater_correlations
from scoring.summaries.intervals import mean_bounds
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import Stacks, by_round_and_context
from scoring.summaries.tables import Floats
from scoring.summaries.undefined import Result, column, distribution, told

NO_CORRELATION = "fewer than two pairs that others rated too, or no variance among the ratings"
NO_RATERS = "no rater of this pool has a correlation that is defined"
NO_TEST = "fewer than two raters of a pool have a correlation that is defined, or all have the same"
TESTS = {"student": True, "welch": False}
NOT_COMPARED = {one.name: nan for one in fields(MeanComparison)}


def raters(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Pearson's r of everybody whose ratings count with the mean of the others, in each round and context; by pool,
    and pools held against each other by t-tests."""
    return by_round_and_context(snapshot, lambda stacks: _of_stacks(snapshot, stacks))


def _of_stacks(snapshot: Snapshot, stacks: Stacks) -> Result:
    own = stacks.ratings
    found = rater_correlations(own.items, own.raters, own.values)
    pools = _pools(snapshot, stacks.round)
    placed = [pools.get(rater, "") for rater in found.raters.tolist()]
    by_pool = {
        pool: found.pearson[[one == pool for one in placed] & ~np.isnan(found.pearson)] for pool in sorted(set(placed))
    }
    return {
        "annotator": [snapshot.raters.pseudonyms[rater] for rater in found.raters.tolist()],
        "pool": placed,
        "pairs": found.pairs.tolist(),
        **column("pearson", found.pearson, NO_CORRELATION),
        "pools": [{"pool": pool, **_pool(each)} for pool, each in by_pool.items()],
        "compared": _compared(by_pool),
    }


def _pools(snapshot: Snapshot, round_: str) -> dict[int, str]:
    """The pool of each rater of a round."""
    people = snapshot.participations
    own = np.flatnonzero(people.rounds == snapshot.facts.rounds.index(round_)).tolist()
    return {int(people.raters[place]): people.pools[place] for place in own}


def _pool(each: Floats) -> Result:
    return distribution(each, NO_RATERS) | mean_bounds("mean", each)


def _compared(by_pool: Mapping[str, Floats]) -> list[dict[str, Any]]:
    """Every two pools: above 0 where the first one's raters follow the others better."""
    return [
        {
            "one": one,
            "other": other,
            **{name: _test(by_pool[one], by_pool[other], equal) for name, equal in TESTS.items()},
        }
        for one, other in combinations(by_pool, 2)
    ]


def _test(one: Floats, other: Floats, equal_variances: bool) -> Result:
    if min(len(one), len(other)) < 2:
        return told(NOT_COMPARED, NO_TEST)
    found = means_compared(one.tolist(), other.tolist(), equal_variances=equal_variances)
    return told(asdict(found), NO_TEST)
