"""The merged results of all parts of a run."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from scoring.summaries.parts import SLICED
from scoring.summaries.tree import SHAPE, SLICE
from scoring.summaries.undefined import Result


def merge(parts: Mapping[str, Result]) -> Result:
    """Return one tree of results, the same for any order of the parts; `docs/results.md` describes its keys.

    A dot in a part's name goes one level down: `models.best_worst` is under `models`.

    Parameters: parts, the results of `compute`, by key; unchanged or back from JSON.

    Raises:
        ValueError: a slice of a part is missing.
    """
    slices: dict[str, dict[int, Result]] = defaultdict(dict)
    whole: dict[str, Result] = {}
    for key, result in parts.items():
        name, _, place = key.partition(SLICE)
        if not place:
            whole[name] = result
            continue
        own, number = map(int, place.split("/"))
        slices[name][own] = result
        missing = {one for one in range(number) if f"{name}{SLICE}{one}/{number}" not in parts}
        if missing:
            raise ValueError(f"The slices {sorted(missing)} of “{name}” are missing.")
    whole |= {name: SLICED[name].join([own for _, own in sorted(found.items())]) for name, found in slices.items()}
    tree: dict[str, Any] = {"shape": SHAPE}
    for name in sorted(whole):
        first, _, second = name.partition(".")
        if second:
            tree.setdefault(first, {})[second] = whole[name]
        else:
            tree[first] = whole[name]
    return tree
