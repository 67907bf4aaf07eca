"""The names and format of a run's results; separate from their computation, which takes long to load."""

import json

from scoring.summaries.undefined import Result

SLICE = ":"
"""The separator between the name of a part and the number of a slice of it."""
SHAPE = 4
"""The version of the results, raised when a key changes its meaning or is removed."""


def as_json(results: Result) -> str:
    """Return results as one line of JSON with sorted keys: the same results, the same characters."""
    return json.dumps(results, sort_keys=True, ensure_ascii=False, allow_nan=False)
