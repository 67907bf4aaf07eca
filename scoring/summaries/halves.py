"""Split-half reliability in blocks of splits, each with its own chance, so that any worker may compute any block."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

import numpy as np

from scoring.stats.reliability import Halves, Spread, split_half, summarise
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.undefined import UNSIGNED, Result, column, told

BLOCK = 50
"""Splits to a block: part of what a seed means, so not to be changed."""
NO_SPREAD = "no split has a correlation that is defined, or a single one has no deviation"


def blocks(parameters: Parameters) -> int:
    return ceil(parameters.splits / BLOCK)


def halve(
    snapshot: Snapshot, by: Halves, parameters: Parameters, chances: Sequence[tuple[int, np.random.Generator]]
) -> Result:
    """The splits of some blocks, given with their generators: items compared and correlations, in order of splits."""
    found: dict[str, list[float | None]] = {"items": [], "spearman": [], "pearson": []}
    if by == "annotator" and snapshot.unsigned:
        return {"by": by, "reason": UNSIGNED, **found}
    for block, generator in chances:
        splits = min(BLOCK, parameters.splits - block * BLOCK)
        part = split_half(snapshot.counted_choices, generator, splits=splits, by=by)
        found["items"] += part.items.tolist()
        found["spearman"] += column("r", part.spearman, "")["r"]
        found["pearson"] += column("r", part.pearson, "")["r"]
    return {"by": by, **found}


def join(slices: Sequence[Result]) -> Result:
    """The spread of all splits, and the splits themselves for the histogram (SemRel2024 3.2; GiCCS)."""
    items = [number for one in slices for number in one["items"]]
    values = {name: [value for one in slices for value in one[name]] for name in ("spearman", "pearson")}
    compared = np.array(items, dtype=np.int64)
    spreads = {name: summarise(np.array(own, dtype=np.float64), compared) for name, own in values.items()}
    reason = slices[0].get("reason", "")
    if reason:
        spreads = {name: replace(spread, reason=reason) for name, spread in spreads.items()}
    return {
        "by": slices[0]["by"],
        **told({"splits": None if reason else len(items)}, reason),
        **{name: _spread(spread) for name, spread in spreads.items()},
        "values": {"items": items, **values},
    }


def _spread(spread: Spread) -> Result:
    figures = {"mean": spread.mean, "sd": spread.sd, "low": spread.low, "high": spread.high}
    result = told(figures, spread.reason or NO_SPREAD)
    # Some splits may be undefined while the spread of the others is given: that is said as well.
    return result if spread.reason is None else result | {"reason": spread.reason}
