"""A model compared with the typical human rater (STSS-131, appendix B)."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from math import nan
from typing import Any

import numpy as np

from scoring.stats.agreement import with_others
from scoring.stats.comparing import Comparison
from scoring.stats.correlation import pearson
from scoring.stats.evaluation import compare_models, rounded
from scoring.stats.people import Floats, Integers
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import stacks_of
from scoring.summaries.tables import CONTEXTS
from scoring.summaries.undefined import told

CHOSEN = "the judgments are choices, not ratings"
EARLIER = "the run was made by an earlier version, without the typical rater"
NOBODY = "no annotator has a defined correlation with the others"
NO_Z = "z is not defined for the correlations with the mean of the others and with each other"
OF_RUN = ("mean", "mean_low", "mean_high", "best", "worst", "closest", "closest_annotator")
TESTED = [one.name for one in fields(Comparison)]
Figures = dict[str, Any]


def against_typical_rater(
    place: tuple[str, ...], typical: Mapping[str, Any], snapshot: Snapshot, predictions: Mapping[str, float]
) -> Figures:
    """Return the mean, best and worst rater of a run, and a model compared with the rater closest to the mean.

    z is above 0 if this person follows the others better than the model does.

    Meng's z compares two correlations with one variable. Here it is the mean of the others, on the pairs that this
    person rated and the model predicted: a mean with the person's own ratings in it would favour the person.

    Parameters: place, round and context; empty for choices.
    """
    if typical.get("closest") is None:
        reason = CHOSEN if not place else NOBODY if typical else EARLIER
        return {"raters": 0, "pairs": 0, **told(dict.fromkeys((*OF_RUN, "person", "model", *TESTED)), reason)}
    kept = {name: value for name, value in typical.items() if name.removesuffix("_reason") in OF_RUN}
    own, others, predicted = _columns(snapshot, place, typical["closest_annotator"], predictions)
    figures, reason = {"person": pearson(own, others), "model": pearson(rounded(predicted), others)}, NO_Z
    try:
        found = asdict(compare_models(own, predicted, others))
    except ValueError as error:
        found, reason = dict.fromkeys(TESTED, nan), str(error)
    return {"raters": typical["raters"], **kept, "pairs": len(own), **told(figures | found, reason)}


def _columns(
    snapshot: Snapshot, place: tuple[str, ...], annotator: str, predictions: Mapping[str, float]
) -> tuple[Floats, Floats, Floats]:
    """Return the ratings of a person, the means of the others and the predictions, of the pairs that have all three."""
    round_, context = snapshot.facts.rounds.index(place[0]), CONTEXTS.index(place[1])
    rated = stacks_of(snapshot, round_, context).ratings
    shared = np.bincount(rated.items)[rated.items] > 1
    items, values, others = with_others(rated.items, rated.values)
    theirs = rated.raters[shared] == snapshot.raters.pseudonyms.index(annotator)
    predicted = _predicted(snapshot, items[theirs], predictions)
    known = ~np.isnan(predicted)
    return values[theirs][known], others[theirs][known], predicted[known]


def _predicted(snapshot: Snapshot, items: Integers, predictions: Mapping[str, float]) -> Floats:
    return np.array([predictions.get(snapshot.items.keys[item], nan) for item in items.tolist()], dtype=np.float64)
