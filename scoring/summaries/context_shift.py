"""Whether and how far context changes people's answers, in each round with both contexts (Czech News 5.1 and 6)."""

import numpy as np

from scoring.stats.context import benjamini_hochberg, gains, paired_shift_p_value, rejection_curve, shift_p_value
from scoring.stats.missing import rows_of_each
from scoring.stats.reasons import reasons_of_some
from scoring.summaries.intervals import mean_bounds, told_agreement
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import DEPENDENT, FREE, Stacks, rounds_with_both, stacks_of
from scoring.summaries.tables import Floats, Integers
from scoring.summaries.undefined import Result, column, distribution, told

LEVELS = (0.01, 0.05, 0.10)
CURVE = np.arange(101) / 100
NO_TEST = ("fewer than two ratings in a context", "no variance and equal means")
NO_PAIRED = ("fewer than two annotators rated the pair in both contexts", "no rating changed")
NO_PAIRS = "no pair was rated in both contexts"
FEW_MEANS = "fewer than two pairs were rated in both contexts"
CORRECTED = ("student", "paired")
"""The tests whose p-values are also given after Benjamini and Hochberg's correction, under NAME_bh."""


def context_shift(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return for every pair the means, the gain and three t-tests, two of them also corrected for the number of pairs.

    For all: r(x), the share of pairs rejected at level x, and the agreement of the means of both contexts.
    """
    return {name: _of_round(snapshot, place) for name, place in rounds_with_both(snapshot).items()}


def _of_round(snapshot: Snapshot, round_: int) -> Result:
    free, dependent = (stacks_of(snapshot, round_, context) for context in (FREE, DEPENDENT))
    number, facts = len(snapshot.items.keys), snapshot.facts
    means = free.means(number), dependent.means(number)
    items = np.flatnonzero(~np.isnan(means[0] + means[1]))
    gained = gains(means[0][items], means[1][items])
    p_values, raters = _tests(free, dependent, items)
    reasons = {
        name: _why_untested(own, raters[name == "paired"], NO_PAIRED if name == "paired" else NO_TEST)
        for name, own in p_values.items()
    }
    reasons |= {f"{name}_bh": reasons[name] for name in CORRECTED}
    p_values |= {f"{name}_bh": benjamini_hochberg(p_values[name]) for name in CORRECTED}
    return {
        "item": [snapshot.items.keys[item] for item in items.tolist()],
        "free": means[0][items].tolist(),
        "dependent": means[1][items].tolist(),
        "gain": (gained + 0.0).tolist(),  # minus zero is zero
        "p_values": {
            key: value for name in p_values for key, value in column(name, p_values[name], reasons[name]).items()
        },
        "gains": distribution(gained, NO_PAIRS) | mean_bounds("mean", gained, facts.maximum - facts.minimum),
        "means": told_agreement(means[0][items], means[1][items], FEW_MEANS),
        "rejected": {name: _rejected(p_values[name], reasons[name]) for name in p_values},
        "levels": CURVE.tolist(),
    }


def _why_untested(p_values: Floats, ratings: Integers, reasons: tuple[str, str]) -> str:
    """Return why pairs have no p-value: too few ratings, as given for each pair, or no variance, or each for some."""
    untested, few = np.isnan(p_values), ratings < 2
    return reasons_of_some(((untested & few).any(), reasons[0]), ((untested & ~few).any(), reasons[1]))


def _tests(free: Stacks, dependent: Stacks, items: Integers) -> tuple[dict[str, Floats], tuple[Integers, Integers]]:
    """Return p-values of each test, and the ratings that it has in either context, and in both; shapes (items,)."""
    sides = [rows_of_each(stacks.ratings.items) for stacks in (free, dependent)]
    found: dict[str, list[float]] = {name: [] for name in ("welch", "paired")}
    fewest, both = np.zeros((2, len(items)), dtype=np.int64)
    for place, item in enumerate(items.tolist()):
        one, other = free.ratings.keep(sides[0][item]), dependent.ratings.keep(sides[1][item])
        found["welch"].append(shift_p_value(one.values, other.values, equal_variances=False))  # type: ignore[arg-type]
        _, before, after = np.intersect1d(one.raters, other.raters, return_indices=True)
        fewest[place], both[place] = min(len(one.values), len(other.values)), len(before)
        found["paired"].append(paired_shift_p_value(one.values[before], other.values[after]))
    columns = {name: np.array(p_values, dtype=np.float64) for name, p_values in found.items()}
    return {"student": student_p_values(free, dependent, items), **columns}, (fewest, both)


def student_p_values(free: Stacks, dependent: Stacks, items: Integers) -> Floats:
    """Return the p-values of Student's t-test of the two means of each item (Czech News 5.1); shape (items,)."""
    before, after = (rows_of_each(stacks.ratings.items) for stacks in (free, dependent))
    values = ((free.ratings.values[before[item]], dependent.ratings.values[after[item]]) for item in items.tolist())
    return np.array([shift_p_value(one, other) for one, other in values], dtype=np.float64)  # type: ignore[arg-type]


def _rejected(p_values: Floats, reason: str) -> Result:
    """Return r(x) at the usual levels and as a curve on `levels`, and how many pairs have a p-value.

    Parameters: reason, why no pair has one.
    """
    tested = int((~np.isnan(p_values)).sum())
    if not tested:
        undefined = {f"{level:.2f}": float("nan") for level in LEVELS} | {"curve": None}
        return {"tested": 0, **told(undefined, reason if len(p_values) else NO_PAIRS)}
    shares = rejection_curve(p_values, np.array(LEVELS)).tolist()
    named = {f"{level:.2f}": share for level, share in zip(LEVELS, shares, strict=True)}
    return {"tested": tested, **named, "curve": rejection_curve(p_values, CURVE).tolist()}
