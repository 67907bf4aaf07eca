"""How much there is."""

import numpy as np

from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.undefined import Result


def overview(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Items, people and judgments, and what they were computed with; slices, which change nothing, are not told."""
    ratings, choices = snapshot.ratings, snapshot.choices
    people = np.union1d(ratings.raters[ratings.counted], choices.annotators[choices.counted])
    return {
        "items": len(snapshot.items.keys),
        "calibration_items": int(snapshot.items.calibration.sum()),
        "people": len(snapshot.raters.pseudonyms),
        "people_counted": len(people),
        "tuples": len(snapshot.tuples),
        "ratings": len(ratings.values),
        "ratings_counted": int(ratings.counted.sum()),
        "choices": len(choices.best),
        "choices_counted": int(choices.counted.sum()),
        "parameters": {name: value for name, value in parameters.as_json().items() if name != "slices"},
    }
