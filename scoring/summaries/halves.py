"""Split-half reliability in blocks of splits, each with its own generator, so that any worker may compute any block.

Choices have one result for each way to halve them, ratings one for each round and context.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil

import numpy as np

from scoring.stats.choices import Choices
from scoring.stats.rating_halves import split_half_of_ratings
from scoring.stats.reliability import Halves, SplitHalf, Spread, split_half, split_half_of_sets, summarise
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import Stacks, all_stacks
from scoring.summaries.tables import Integers
from scoring.summaries.undefined import UNSIGNED, Result, column, told

BLOCK = 50
"""Splits per block: results by seed depend on it, so it must not be changed."""
NEGATIVE = "the mean correlation between halves is negative"
ONE_RATING = "no item has two ratings"
NO_CHOICES = "no counted choices"


def blocks(parameters: Parameters) -> int:
    return ceil(parameters.splits / BLOCK)


def halve(
    snapshot: Snapshot, by: Halves, parameters: Parameters, chances: Sequence[tuple[int, np.random.Generator]]
) -> Result:
    """Compute the splits of some blocks with their generators: items compared and correlations, in order of splits."""
    if by == "annotator" and snapshot.unsigned:
        return {"by": by, "reason": UNSIGNED, **_in_order([])}
    return {"by": by, **correlations(snapshot.counted_choices, by, parameters, chances)}


def correlations(
    choices: Choices, by: Halves, parameters: Parameters, chances: Sequence[tuple[int, np.random.Generator]]
) -> Result:
    """Return the number of items compared and the correlations of the splits of some blocks, in order of splits.

    Without choices there are none, with the reason.
    """
    if not choices.judgments:
        return {"reason": NO_CHOICES, **_in_order([])}
    return _in_order([split_half(choices, one, splits=many, by=by) for many, one in _dealt(parameters, chances)])


def halve_sets(
    choices: Choices,
    sets: Mapping[str, Integers],
    parameters: Parameters,
    chances: Sequence[tuple[int, np.random.Generator]],
) -> Result:
    """Return the spread of all splits by tuple, compared within each set of items only: {set: spread}.

    Parameters: choices, those that count; sets, items of each, ascending; chances, every block with its generator: with
        those of `split_half.tuple` the halves are the same as there.
    """
    found: dict[str, list[SplitHalf]] = {name: [] for name in sets}
    for splits, generator in _dealt(parameters, chances):
        halved = split_half_of_sets(choices, generator, list(sets.values()), splits=splits)
        for part, own in zip(found.values(), halved, strict=True):
            part.append(own)
    joined = {name: join([{"by": "tuple", **_in_order(part)}]) for name, part in found.items()}
    return {
        name: {"items": len(sets[name])} | {key: value for key, value in own.items() if key != "values"}
        for name, own in joined.items()
    }


def _dealt(
    parameters: Parameters, chances: Sequence[tuple[int, np.random.Generator]]
) -> Iterator[tuple[int, np.random.Generator]]:
    """Yield the number of splits of each block, and its generator."""
    yield from ((min(BLOCK, parameters.splits - block * BLOCK), generator) for block, generator in chances)


def _in_order(found: Sequence[SplitHalf]) -> dict[str, list[float | None]]:
    """Return items compared and correlations of every split, in order."""
    return {
        "items": [number for part in found for number in part.items.tolist()],
        "spearman": [value for part in found for value in column("r", part.spearman, "")["r"]],
        "pearson": [value for part in found for value in column("r", part.pearson, "")["r"]],
    }


def halve_ratings(
    snapshot: Snapshot, parameters: Parameters, chances: Sequence[tuple[int, np.random.Generator]]
) -> Result:
    """Compute the splits of some blocks for the ratings of each round and context: {round: {context: splits}}."""
    stacks = list(all_stacks(snapshot))
    facts = [_of_items(own) for own in stacks]
    parts: list[list[SplitHalf]] = [[] for _ in stacks]
    for splits, generator in _dealt(parameters, chances):
        for own, fact, part in zip(stacks, facts, parts, strict=True):
            if "reason" not in fact:
                part.append(split_half_of_ratings(own.ratings.items, own.ratings.values, generator, splits=splits))
    result: Result = {}
    for own, fact, part in zip(stacks, facts, parts, strict=True):
        result.setdefault(own.round, {})[own.context] = {"by": "item", **fact, **_in_order(part)}
    return result


def _of_items(stacks: Stacks) -> Result:
    """Return how many ratings are halved, and why there are none."""
    numbers = np.bincount(stacks.ratings.items)
    ratings = int(numbers[numbers > 1].sum())
    return {"ratings": ratings} if ratings else {"ratings": ratings, "reason": ONE_RATING}


def join_ratings(slices: Sequence[Result]) -> Result:
    """Return the spread of all splits, for the ratings of each round and context."""
    return {
        round_: {
            context: {"ratings": own["ratings"], **join([one[round_][context] for one in slices])}
            for context, own in contexts.items()
        }
        for round_, contexts in slices[0].items()
    }


def join(slices: Sequence[Result]) -> Result:
    """Return the spread of all splits, and the splits themselves for the histogram (SemRel2024 3.2; GiCCS)."""
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
    result = told(figures, spread.reason or "")
    result |= told({"full_length": spread.full_length}, NEGATIVE if spread.mean < 0 else spread.reason or "")
    # Some splits may be undefined although the spread of the others is defined: this is reported as well.
    return result if spread.reason is None else result | {"reason": spread.reason}
