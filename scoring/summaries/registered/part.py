"""The comparison of a run with the registered plan, as a part of its results."""

import json
from collections.abc import Sequence

from scoring.summaries.parameters import Parameters
from scoring.summaries.registered.analyses import ANALYSES
from scoring.summaries.registered.canonical import digest
from scoring.summaries.registered.deviations import NOT_CHECKABLE, compare
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.undefined import Result


def has_registration(snapshot: Snapshot) -> bool:
    return len(snapshot.registered.plans) > 0


def registration(snapshot: Snapshot, parameters: Parameters, parts: Sequence[str]) -> Result:
    """Return which plan was registered, and the deviations from it.

    Parameters: parts, the names of the parts of the run, without slices.
    """
    text = snapshot.registered.plans[0]
    plan, happened = json.loads(text), json.loads(snapshot.registered.happened[0])
    happened |= {"parameters": parameters.of_results, "analyses": [name for name in ANALYSES if name in set(parts)]}
    checks = compare(plan, happened)
    return {
        "number": plan["number"],
        "registered_at": plan["registered_at"],
        "sha256": digest(text),
        "checks": checks,
        "deviations": sum(len(found) for found in checks.values() if found),
        "not_checkable": list(NOT_CHECKABLE),
    }
