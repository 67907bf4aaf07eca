"""How closely each rater follows the others, which of them is typical, and whether this differs between pools
(STSS-131, appendix B)."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from itertools import combinations
from math import nan
from typing import Any

import numpy as np

from scoring.stats.comparing import compare_means
from scoring.stats.means import MeanComparison
from scoring.stats.people import FEWEST_SHARED, beside_others
from scoring.stats.reasons import is_certain, reasons_of_some
from scoring.stats.significance import significance
from scoring.summaries.intervals import average_bounds
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import Stacks, by_round_and_context
from scoring.summaries.tables import NONE, Floats, Integers, Ratings
from scoring.summaries.undefined import Result, column, distribution, told

FEW_PAIRS = "fewer than three pairs in common with other annotators"
NO_VARIANCE = "no variance among the ratings"
NO_RATERS = "no annotator in this pool has a defined correlation"
NOBODY = "no annotator has a defined correlation"
FEW_RATERS = "fewer than two annotators in a pool have a defined correlation"
SAME_RATERS = "all correlations in each pool are the same"
TESTS = {"student": True, "welch": False}
NOT_COMPARED = {one.name: nan for one in fields(MeanComparison)}


def raters(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return Pearson's r of everybody whose ratings count with the mean of the others, with its p-value, in each round
    and context; the typical rater; and r by pool, with the pools compared by t-tests."""
    return by_round_and_context(snapshot, lambda stacks: _of_stacks(snapshot, stacks))


def _of_stacks(snapshot: Snapshot, stacks: Stacks) -> Result:
    own = stacks.ratings
    found = beside_others(own.items, own.raters, own.values, own.counted, len(snapshot.raters.pseudonyms))
    people, pearson, pairs = found.people, found.correlation[found.people], found.shared[found.people].tolist()
    names = [snapshot.raters.pseudonyms[rater] for rater in people.tolist()]
    tests = [significance(r, number) for r, number in zip(pearson.tolist(), pairs, strict=True)]
    pools = _pools(snapshot, stacks.round)
    placed = [pools.get(rater, "") for rater in people.tolist()]
    undefined, few = np.isnan(pearson), np.array(pairs) < FEWEST_SHARED
    reason = reasons_of_some(((undefined & few).any(), FEW_PAIRS), ((undefined & ~few).any(), NO_VARIANCE))
    certain = (any(is_certain(r) for r in pearson.tolist()), "the correlation is 1 or -1")
    no_test = reasons_of_some((undefined.any(), "the correlation is not defined"), certain)
    by_pool = {pool: pearson[[one == pool for one in placed] & ~np.isnan(pearson)] for pool in sorted(set(placed))}
    return {
        "annotator": names,
        "pool": placed,
        "pairs": pairs,
        **column("pearson", pearson, reason),
        **column("pearson_p", [test.p for test in tests], no_test),
        **column("pearson_degrees", [test.degrees for test in tests], no_test),
        "typical": _typical(names, pearson) | average_bounds("mean", own, _one_pool(people, len(found.correlation)), 0),
        "pools": _pools_told(own, by_pool, dict(zip(people.tolist(), placed, strict=True)), len(found.correlation)),
        "compared": _compared(by_pool),
    }


def _typical(names: list[str], pearson: Floats) -> Result:
    """Return the mean, the greatest and the least correlation of single raters with the others, and the rater whose
    correlation is the closest to the mean: "average human" in STSS-131, appendix B. In a tie, it is the first one."""
    known = np.flatnonzero(~np.isnan(pearson))
    each = pearson[known]
    result: Result = {"raters": len(known)}
    if not len(known):
        undefined = ("mean", "best", "worst", "closest", "best_annotator", "worst_annotator", "closest_annotator")
        return result | told(dict.fromkeys(undefined), NOBODY)
    mean = float(each.mean())
    places = {"best": each.argmax(), "worst": each.argmin(), "closest": np.abs(each - mean).argmin()}
    named = {f"{name}_annotator": names[known[place]] for name, place in places.items()}
    return result | {"mean": mean, **{name: float(each[place]) for name, place in places.items()}, **named}


def _one_pool(people: Integers, number: int) -> Integers:
    """Return the pool of each person where all who rated are in one."""
    pools = np.full(number, NONE)
    pools[people] = 0
    return pools


def _pools(snapshot: Snapshot, round_: str) -> dict[int, str]:
    """Return the pool of each rater of a round."""
    people = snapshot.participations
    own = np.flatnonzero(people.rounds == snapshot.facts.rounds.index(round_)).tolist()
    return {int(people.raters[place]): people.pools[place] for place in own}


def _pools_told(
    own: Ratings, by_pool: Mapping[str, Floats], placed: Mapping[int, str], number: int
) -> list[dict[str, Any]]:
    """Return the distribution of each pool's correlations, with the interval of their mean."""
    codes, pools = {pool: code for code, pool in enumerate(by_pool)}, np.full(number, NONE)
    pools[list(placed)] = [codes[pool] for pool in placed.values()]
    return [
        {"pool": pool, **distribution(each, NO_RATERS), **average_bounds("mean", own, pools, codes[pool])}
        for pool, each in by_pool.items()
    ]


def _compared(by_pool: Mapping[str, Floats]) -> list[dict[str, Any]]:
    """Return the comparison of every two pools: above 0 if the first one's raters follow the others better."""
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
        return told(NOT_COMPARED, FEW_RATERS)
    found = compare_means(one.tolist(), other.tolist(), equal_variances=equal_variances)
    return told(asdict(found), SAME_RATERS)
