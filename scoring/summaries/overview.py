"""How much there is."""

import numpy as np

from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.undefined import UNSIGNED, Result, told


def overview(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Items, people and judgments, and what they were computed with; slices, which change nothing, are not told."""
    ratings, choices = snapshot.ratings, snapshot.choices
    counted = np.union1d(ratings.raters[ratings.counted], choices.annotators[choices.counted])
    people: dict[str, int | None] = {"people": len(snapshot.raters.pseudonyms), "people_counted": len(counted)}
    if snapshot.raters.unknown[choices.annotators].any():
        people = dict.fromkeys(people)
    return {
        "items": len(snapshot.items.keys),
        "calibration_items": int(snapshot.items.calibration.sum()),
        **told(people, UNSIGNED),
        "tuples": len(snapshot.tuples),
        "ratings": len(ratings.values),
        "ratings_counted": int(ratings.counted.sum()),
        "choices": len(choices.best),
        "choices_counted": int(choices.counted.sum()),
        "choices_invalid": int((~snapshot.counted_choices.valid).sum()),
        "parameters": {name: value for name, value in parameters.as_json().items() if name != "slices"},
    }
