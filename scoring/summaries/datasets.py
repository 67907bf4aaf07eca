"""Mean and spread of the scores of each published dataset (Czech News, table 2)."""

from math import nan

import numpy as np

from scoring.summaries.context_shift import student_p_values
from scoring.summaries.parameters import Parameters
from scoring.summaries.selections import DISTANCES, near_expected_value
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import DEPENDENT, FREE, rounds_with_both, selected, stacks_of
from scoring.summaries.tables import Floats
from scoring.summaries.undefined import Result, told

SIGNIFICANCE = 0.05
"""Czech News 5.1 and Fig. 8: the level on which test-sig is selected."""
NO_PAIRS = "the dataset has no pairs"
ONE_PAIR = "the standard deviation of a single pair is not defined"


def datasets(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return number, mean, standard deviation and variance (n - 1) of the scores of the training data, raw and
    filtered, and of the test data of each round that makes some: {"train": {...}, "test": {round: {...}}}."""
    places = rounds_with_both(snapshot)
    test = {name: _test(snapshot, places[name]) for name in snapshot.facts.tested if name in places}
    return {"train": _train(snapshot), "test": test}


def _train(snapshot: Snapshot) -> Result:
    items = snapshot.items
    raw = selected(snapshot) & items.unvalidated
    kept = {"RAW": raw} | {name: raw & near_expected_value(snapshot, distance) for name, distance in DISTANCES.items()}
    return {name: _spread(items.selected[rows]) for name, rows in kept.items()}


def _test(snapshot: Snapshot, round_: int) -> Result:
    free, dependent = (stacks_of(snapshot, round_, context) for context in (FREE, DEPENDENT))
    number = len(snapshot.items.keys)
    means = {"free": free.means(number), "dependent": dependent.means(number)}
    both = np.flatnonzero(~np.isnan(means["free"] + means["dependent"]))
    shifted = both[student_p_values(free, dependent, both) <= SIGNIFICANCE]
    whole = {name: _spread(own[~np.isnan(own)]) for name, own in means.items()}
    return whole | {f"sig_{name}": _spread(own[shifted]) for name, own in means.items()}


def _spread(scores: Floats) -> Result:
    pairs = len(scores)
    deviation = float(scores.std(ddof=1)) if pairs > 1 else nan
    mean = told({"mean": float(scores.mean()) if pairs else nan}, NO_PAIRS)
    spread = told({"sd": deviation, "variance": deviation**2}, ONE_PAIR if pairs else NO_PAIRS)
    return {"pairs": pairs, **mean, **spread}
