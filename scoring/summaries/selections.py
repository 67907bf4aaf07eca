"""Selected pairs: what the diagonal filters keep; how ratings follow the values of the selection, or earlier ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from scoring.stats.correlation import correlations_of_random_subsets, partial, pearson
from scoring.stats.filtering import near_expected
from scoring.stats.reasons import why_no_correlation
from scoring.stats.significance import UNDEFINED
from scoring.summaries.intervals import bounds, told_test
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import DEPENDENT, FREE, rounds_with_both, selected, stacks_of, with_earlier_values
from scoring.summaries.tables import Booleans, Floats
from scoring.summaries.undefined import Result, told

DISTANCES = {"N2": 2.0, "N1": 1.0}
"""Czech News 5.2."""
FEW = "fewer than two pairs"
NO_PARTIAL = "one of the pairwise correlations is not defined, or the earlier value explains all variance"
NO_SUBSETS = "the filter keeps no pair, or the pairs of a random subset do not vary"
NOT_TESTED = "means over random subsets are not tested"
MIDDLE = (0.025, 0.975)
Pairwise = dict[str, tuple[Floats, Floats]]
"""Two columns each, by the name of their correlation."""


def has_selections(snapshot: Snapshot) -> bool:
    return bool(selected(snapshot).any())


def filters(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return how many selected pairs each filter keeps, of all, of those for training, and of each role (Czech News
    5.2); and how often each value was given to the pairs of a role (Fig. 9)."""
    items = snapshot.items
    own = selected(snapshot)
    return {
        "all": _kept(snapshot, own),
        "unvalidated": _kept(snapshot, own & items.unvalidated),
        "roles": {
            role: {
                "expected": expected,
                **_kept(snapshot, own & (items.roles == place)),
                "frequency": _frequency(items.selected[own & (items.roles == place)]),
            }
            for place, (role, expected) in enumerate(zip(snapshot.facts.roles, snapshot.facts.expected, strict=True))
        },
    }


def _kept(snapshot: Snapshot, rows: Booleans) -> Result:
    kept = {name: int((near_expected_value(snapshot, distance) & rows).sum()) for name, distance in DISTANCES.items()}
    return {"raw": int(rows.sum()), **kept}


def near_expected_value(snapshot: Snapshot, distance: float) -> Booleans:
    """Return which items are near their expected value, shape (items,); none without a value is."""
    if not snapshot.facts.expected:
        return np.zeros(len(snapshot.items.keys), np.bool_)
    expected = np.array(snapshot.facts.expected)[snapshot.items.roles]
    return near_expected(snapshot.items.selected, expected, distance)


def _frequency(values: Floats) -> Result:
    points, pairs = np.unique(values, return_counts=True)
    return {"values": points.tolist(), "pairs": pairs.tolist()}


def has_validations(snapshot: Snapshot) -> bool:
    """Return whether pairs with a value from before are rated in both contexts."""
    return bool(with_earlier_values(snapshot).any()) and bool(rounds_with_both(snapshot))


@dataclass(frozen=True, eq=False)
class _Means:
    """The value of the selection and the two means of the pairs rated in both contexts; shapes (pairs,).

    r1: the earlier value of the file where nothing was selected. rows: shape (pairs,), the item of each pair.
    """

    r1: Floats
    free: Floats
    dependent: Floats
    rows: np.ndarray

    def columns(self, rows: Booleans | slice = slice(None)) -> Pairwise:
        return {
            "r1_free": (self.r1[rows], self.free[rows]),
            "r1_dependent": (self.r1[rows], self.dependent[rows]),
            "free_dependent": (self.free[rows], self.dependent[rows]),
        }


def correlations(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return pairwise Pearson correlations of the selection's values with the means of both contexts, and the partial
    one of the contexts given the selection, for all pairs, for those that a filter keeps, and for random subsets as
    large (Czech News, table 3), all with intervals: {round: {"unfiltered", "N2", "N2_rand", "N1", "N1_rand"}}.

    Pairs with an earlier value of their file have no role to filter by: {round: {"unfiltered"}}."""
    seed = int(generator.integers(2**63))
    return {
        name: _correlations(snapshot, place, parameters.subsets, [seed, crc32(name.encode())])
        for name, place in rounds_with_both(snapshot).items()
    }


def _correlations(snapshot: Snapshot, round_: int, draws: int, seed: list[int]) -> Result:
    means = _means(snapshot, round_)
    result = {"unfiltered": _correlated(means.columns())}
    if not snapshot.facts.roles:
        return result
    for name, distance in DISTANCES.items():
        kept = near_expected_value(snapshot, distance)[means.rows]
        result[name] = _correlated(means.columns(kept))
        result[f"{name}_rand"] = _random(means.columns(), int(kept.sum()), draws, seed)
    return result


def _means(snapshot: Snapshot, round_: int) -> _Means:
    number = len(snapshot.items.keys)
    free, dependent = (stacks_of(snapshot, round_, context).means(number) for context in (FREE, DEPENDENT))
    rows = np.flatnonzero(with_earlier_values(snapshot) & ~np.isnan(free + dependent))
    return _Means(snapshot.items.selected[rows], free[rows], dependent[rows], rows)


def _correlated(columns: Pairwise) -> Result:
    rows = len(columns["r1_free"][0])
    pairwise = {name: pearson(*pair) for name, pair in columns.items()}
    intervals = [bounds(name, r, rows) for name, r in pairwise.items()]
    left = _given_selection(pairwise)
    intervals.append(bounds("partial", left, rows, held=1))
    reasons = {name: why_no_correlation(*pair, FEW) for name, pair in columns.items()}
    told_ = told(pairwise, reasons) | told({"partial": left}, NO_PARTIAL)
    return {"pairs": rows, **told_} | {name: one for own in intervals for name, one in own.items()}


def _given_selection(pairwise: Mapping[str, float]) -> float:
    return partial(pairwise["free_dependent"], pairwise["r1_free"], pairwise["r1_dependent"])


def _random(columns: Pairwise, size: int, draws: int, seed: list[int]) -> Result:
    """Return means and 95 % ranges over random subsets, the same ones for each of the three correlations."""
    each = {name: np.full(draws, np.nan) for name in columns}
    if size:
        for name, (one, other) in columns.items():
            generator = np.random.default_rng(seed)
            each[name] = correlations_of_random_subsets(one, other, size=size, draws=draws, generator=generator)
    means = {name: float(own.mean()) for name, own in each.items()}
    by_draw = [dict(zip(each, row, strict=True)) for row in zip(*(own.tolist() for own in each.values()), strict=True)]
    each["partial"] = np.array([_given_selection(own) for own in by_draw])
    left = told({"partial": _given_selection(means)}, NO_PARTIAL)
    result = {"pairs": size, **told(means, NO_SUBSETS), **left}
    for name, own in each.items():
        ends = dict(zip((f"{name}_low", f"{name}_high"), np.quantile(own, MIDDLE).tolist(), strict=True))
        result |= told(ends, NO_SUBSETS) | told_test(name, UNDEFINED, NOT_TESTED)
    return result
