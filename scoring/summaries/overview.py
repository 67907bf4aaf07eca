"""The size of a collection."""

import numpy as np

from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.undefined import UNSIGNED, Result, told


def overview(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return the numbers of items, people and judgments, and the parameters without slices, which change nothing."""
    ratings, choices = snapshot.ratings, snapshot.choices
    # Files of earlier versions have no reasons; and the tables have no judgments of withdrawn items.
    made = max(snapshot.reasons.made, len(ratings.values) + len(choices.best))
    compared = len(snapshot.tuples) > 0
    pseudonyms = np.array(snapshot.raters.pseudonyms, dtype=str)
    counted = np.union1d(ratings.raters[ratings.counted], choices.annotators[choices.counted])
    counted_people = np.union1d(pseudonyms[counted], np.array(snapshot.facts.selecting, dtype=str))
    people: dict[str, int | None] = {"people": len(pseudonyms), "people_counted": len(counted_people)}
    if snapshot.raters.unknown[choices.annotators].any():
        people = dict.fromkeys(people)
    return {
        "items": len(snapshot.items.keys),
        "calibration_items": int(snapshot.items.calibration.sum()),
        "withdrawn_items": len(snapshot.facts.withdrawn),
        **told(people, UNSIGNED),
        "tuples": len(snapshot.tuples),
        "judgments": len(snapshot.reasons.codes),
        "not_counted": snapshot.reasons.numbers,
        "ratings": 0 if compared else made,
        "ratings_counted": int(ratings.counted.sum()),
        "choices": made if compared else 0,
        "choices_counted": int(choices.counted.sum()),
        "pairs_selected": len(snapshot.reasons.pairs),
        "choices_invalid": int((~snapshot.counted_choices.valid).sum()),
        "parameters": parameters.of_results,
    }
