"""How the results of a run are named and written; apart from what computes them, which takes long to load."""

import json

from scoring.summaries.undefined import Result

SLICE = ":"
"""Between the name of a part and the number of a slice of it."""
SHAPE = 1
"""Of the results; raised when a key changes its meaning or goes."""


def as_json(results: Result) -> str:
    """Results as one line of JSON with sorted keys: the same results, the same characters."""
    return json.dumps(results, sort_keys=True, ensure_ascii=False, allow_nan=False)
