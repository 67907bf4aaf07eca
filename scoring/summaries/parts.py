"""What a run computes, in parts that need nothing of each other.

A part that can be cut is made of blocks, whose number the parameters alone give; slices share the blocks out among
workers. Each part, and each block, draws from a generator of its own, of the run's seed and its name.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from zlib import crc32

import numpy as np

from scoring.stats.reliability import Halves
from scoring.summaries import (
    choice_scores,
    choosers,
    context_shift,
    corpus,
    curves,
    design,
    halves,
    overview,
    people,
    raters,
    rating_scores,
    selections,
    texts,
    utilities,
)
from scoring.summaries.parameters import Parameters
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import rounds_with_both
from scoring.summaries.tree import SLICE
from scoring.summaries.undefined import Result

__all__ = ["PARTS", "SLICED", "Parameters", "Part", "SlicedPart", "compute", "parts_for"]

Applies = Callable[[Snapshot], bool]


@dataclass(frozen=True)
class Part:
    """applies: whether a snapshot has what the part is computed from."""

    applies: Applies
    compute: Callable[[Snapshot, Parameters, np.random.Generator], Result]


@dataclass(frozen=True)
class SlicedPart:
    """blocks: how many there are. compute: the result of some of them, given with their generators, in order.
    join: the result of the whole, from those of its slices, in order."""

    applies: Applies
    blocks: Callable[[Parameters], int]
    compute: Callable[[Snapshot, Parameters, Sequence[tuple[int, np.random.Generator]]], Result]
    join: Callable[[Sequence[Result]], Result]


def _has_ratings(snapshot: Snapshot) -> bool:
    return len(snapshot.rated.values) > 0


def _has_both_contexts(snapshot: Snapshot) -> bool:
    return _has_ratings(snapshot) and bool(rounds_with_both(snapshot))


def _split_half(by: Halves) -> SlicedPart:
    def compute(
        snapshot: Snapshot, parameters: Parameters, chances: Sequence[tuple[int, np.random.Generator]]
    ) -> Result:
        return halves.halve(snapshot, by, parameters, chances)

    return SlicedPart(choice_scores.has_choices, halves.blocks, compute, halves.join)


def _all(*conditions: Applies) -> Applies:
    return lambda snapshot: all(condition(snapshot) for condition in conditions)


_rated_by = partial(_all, _has_ratings)

PARTS: dict[str, Part] = {
    "overview": Part(lambda snapshot: True, overview.overview),
    "scores": Part(_has_ratings, rating_scores.scores),
    "agreement": Part(_has_ratings, rating_scores.agreement),
    "intra": Part(rating_scores.has_intra, rating_scores.intra),
    "context_shift": Part(_has_both_contexts, context_shift.context_shift),
    "correlations": Part(_rated_by(selections.has_validations), selections.correlations),
    "filters": Part(selections.has_selections, selections.filters),
    "curves.thinking_time": Part(_rated_by(curves.has_times), curves.thinking_time),
    "curves.practice": Part(_rated_by(curves.has_reference), curves.practice),
    "curves.waiting": Part(_rated_by(curves.has_waits), curves.waiting),
    "raters": Part(_has_ratings, raters.raters),
    "people": Part(_has_ratings, people.people),
    "screening": Part(people.has_labels, people.screening),
    "choice_scores": Part(choice_scores.has_choices, choice_scores.choice_scores),
    "choice_errors.judgment": Part(choice_scores.has_choices, choice_scores.errors_by_judgment),
    "choice_errors.annotator": Part(choice_scores.has_choices, choice_scores.errors_by_annotator),
    "choice_agreement": Part(choice_scores.has_choices, choice_scores.choice_agreement),
    "choice_people": Part(choosers.has_screens, choosers.choice_people),
    "disagreement": Part(choice_scores.has_choices, choice_scores.disagreement),
    "models.bradley_terry": Part(utilities.has_valid_choices, utilities.bradley_terry),
    "models.best_worst": Part(utilities.has_valid_choices, utilities.best_worst),
    "models.best_worst_annotators": Part(utilities.has_valid_choices, utilities.best_worst_annotators),
    "design": Part(design.has_tuples, design.design),
    "texts": Part(texts.has_items, texts.texts),
    "corpus": Part(texts.has_items, corpus.corpus),
}

SLICED: dict[str, SlicedPart] = {
    "split_half.tuple": _split_half("tuple"),
    "split_half.judgment": _split_half("judgment"),
    "split_half.annotator": _split_half("annotator"),
}


def parts_for(snapshot: Snapshot, parameters: Parameters) -> list[str]:
    """The keys of all parts that apply; a slice of a part has its number and theirs behind a colon: `NAME:0/4`."""
    whole = [name for name, part in PARTS.items() if part.applies(snapshot)]
    return whole + [
        f"{name}{SLICE}{place}/{number}"
        for name, part in SLICED.items()
        if part.applies(snapshot)
        for number in [min(parameters.slices, part.blocks(parameters))]
        for place in range(number)
    ]


def compute(key: str, snapshot: Snapshot, parameters: Parameters, seed: int) -> Result:
    """The result of one part or slice, as JSON has it: the same whoever computes it, and when.

    Parameters: seed, from 0 on.

    Raises:
        ValueError: there is no such part.
    """
    name, _, place = key.partition(SLICE)
    chance = [seed, crc32(name.encode())]
    if name in PARTS and not place:
        return PARTS[name].compute(snapshot, parameters, np.random.default_rng(chance))
    if name not in SLICED or not place:
        raise ValueError(f"A run has no part “{key}”.")
    part = SLICED[name]
    own, number = map(int, place.split("/"))
    total = part.blocks(parameters)
    blocks = range(own * total // number, (own + 1) * total // number)
    return part.compute(snapshot, parameters, [(block, np.random.default_rng([*chance, block])) for block in blocks])
