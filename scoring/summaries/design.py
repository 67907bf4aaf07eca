"""The certificate of a best-worst design, counted from its tuples."""

from dataclasses import asdict

import numpy as np

from annotation.planning.tuples import certificate
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.tables import NONE
from scoring.summaries.undefined import Result

UNEQUAL = "the tuples are not all of the same size"


def has_tuples(snapshot: Snapshot) -> bool:
    return len(snapshot.tuples) > 0


def design(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    """Return appearances, repeated tuples, pairs, positions, connection, seed and SHA-256 (GiCCS; SemRel2024 3.2)."""
    if (snapshot.tuples == NONE).any():
        return {"certificate": None, "certificate_reason": UNEQUAL}
    groups = snapshot.items.groups if snapshot.facts.grouped else None
    seed = None if snapshot.facts.design_seed == NONE else snapshot.facts.design_seed
    found = asdict(certificate(snapshot.tuples, len(snapshot.items.keys), seed, groups))
    found["pairs_together"] = {str(times): pairs for times, pairs in found["pairs_together"].items()}
    return {"certificate": found}
