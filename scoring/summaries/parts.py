"""The computations of a run, in parts that are independent of each other.

A part that can be cut is made of blocks, whose number the parameters alone determine; slices share the blocks out among
workers. Each part, and each block, draws from a generator of its own, made from the run's seed and its name.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from zlib import crc32

import numpy as np

from scoring.stats.choices import Choices
from scoring.stats.reliability import Halves
from scoring.summaries import (
    by_group,
    choice_scores,
    choosers,
    contested,
    context_shift,
    corpus,
    coverage,
    curves,
    datasets,
    design,
    effort,
    halves,
    machines,
    order_effects,
    overview,
    pairwise,
    people,
    rater_models,
    raters,
    rating_scores,
    selections,
    subgroups,
    texts,
    utilities,
    weighed_choices,
)
from scoring.summaries.parameters import Parameters
from scoring.summaries.registered import part as registered
from scoring.summaries.snapshot import Snapshot
from scoring.summaries.stacks import rounds_with_both
from scoring.summaries.tables import Integers
from scoring.summaries.tree import SLICE
from scoring.summaries.undefined import Result

__all__ = ["PARTS", "SLICED", "Parameters", "Part", "SlicedPart", "compute", "parts_for", "split_half_of_parts"]

Applies = Callable[[Snapshot], bool]


@dataclass(frozen=True)
class Part:
    """applies: whether a snapshot has the data that the part is computed from."""

    applies: Applies
    compute: Callable[[Snapshot, Parameters, np.random.Generator], Result]


@dataclass(frozen=True)
class SlicedPart:
    """blocks: returns how many there are. compute: returns the result of some of them, with their generators, in order.
    join: returns the result of the part from the results of its slices, in order."""

    applies: Applies
    blocks: Callable[[Parameters], int]
    compute: Callable[[Snapshot, Parameters, Sequence[tuple[int, np.random.Generator]]], Result]
    join: Callable[[Sequence[Result]], Result]


def _has_ratings(snapshot: Snapshot) -> bool:
    return len(snapshot.rated.values) > 0


def _has_judgments(snapshot: Snapshot) -> bool:
    return _has_ratings(snapshot) or choice_scores.has_choices(snapshot)


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


def _registration(snapshot: Snapshot, parameters: Parameters, generator: np.random.Generator) -> Result:
    names = [key.partition(SLICE)[0] for key in parts_for(snapshot, parameters)]
    return registered.registration(snapshot, parameters, names)


PARTS: dict[str, Part] = {
    "overview": Part(lambda snapshot: True, overview.overview),
    "scores": Part(_has_ratings, rating_scores.scores),
    "coverage": Part(_has_ratings, coverage.coverage),
    "agreement": Part(_has_ratings, rating_scores.agreement),
    "intra": Part(rating_scores.has_intra, rating_scores.intra),
    "context_shift": Part(_has_both_contexts, context_shift.context_shift),
    "correlations": Part(_rated_by(selections.has_validations), selections.correlations),
    "filters": Part(selections.has_selections, selections.filters),
    "datasets": Part(selections.has_selections, datasets.datasets),
    "effort": Part(effort.has_answers, effort.effort),
    "curves.thinking_time": Part(_rated_by(curves.has_times), curves.thinking_time),
    "curves.practice": Part(_rated_by(curves.has_reference), curves.practice),
    "curves.waiting": Part(_rated_by(curves.has_waits), curves.waiting),
    "order_effects": Part(order_effects.has_answers, order_effects.order_effects),
    "raters": Part(_has_ratings, raters.raters),
    "pairwise": Part(_has_ratings, pairwise.pairwise),
    "people": Part(_has_ratings, people.people),
    "screening": Part(people.has_labels, people.screening),
    "choice_scores": Part(choice_scores.has_choices, choice_scores.choice_scores),
    "choice_errors.judgment": Part(choice_scores.has_choices, choice_scores.errors_by_judgment),
    "choice_errors.annotator": Part(choice_scores.has_choices, choice_scores.errors_by_annotator),
    "choice_agreement": Part(choice_scores.has_choices, choice_scores.choice_agreement),
    "choice_pairwise": Part(choice_scores.has_choices, pairwise.choice_pairwise),
    "choice_people": Part(choosers.has_screens, choosers.choice_people),
    "disagreement": Part(choice_scores.has_choices, choice_scores.disagreement),
    "contested": Part(_has_judgments, contested.contested),
    "models.bradley_terry": Part(utilities.has_valid_choices, utilities.bradley_terry),
    "models.best_worst": Part(utilities.has_valid_choices, utilities.best_worst),
    "models.best_worst_annotators": Part(utilities.has_valid_choices, utilities.best_worst_annotators),
    "rater_models.effects": Part(_has_ratings, rater_models.effects),
    "rater_models.ratings": Part(_has_ratings, rater_models.ratings),
    "rater_models.ordinal": Part(_has_ratings, rater_models.ordinal),
    "rater_models.categories": Part(_has_ratings, rater_models.categories),
    "rater_models.choices": Part(utilities.has_valid_choices, weighed_choices.choices),
    "design": Part(design.has_tuples, design.design),
    "by_group.agreement": Part(_all(_has_ratings, by_group.has_groups), by_group.agreement),
    "by_group.choice_agreement": Part(_all(choice_scores.has_choices, by_group.has_groups), by_group.choice_agreement),
    "subgroups": Part(subgroups.has_pools, subgroups.by_pool),
    "texts": Part(texts.has_items, texts.texts),
    "corpus": Part(texts.has_items, corpus.corpus),
    "machines": Part(machines.has_machines, machines.machines),
    "registration": Part(registered.has_registration, _registration),
}

SLICED: dict[str, SlicedPart] = {
    "split_half.tuple": _split_half("tuple"),
    "split_half.judgment": _split_half("judgment"),
    "split_half.annotator": _split_half("annotator"),
    "split_half_ratings": SlicedPart(_has_ratings, halves.blocks, halves.halve_ratings, halves.join_ratings),
    "by_group.split_half": SlicedPart(
        _all(choice_scores.has_choices, by_group.has_groups), halves.blocks, by_group.split_half, by_group.join
    ),
}


def parts_for(snapshot: Snapshot, parameters: Parameters) -> list[str]:
    """Return the keys of all parts that apply; a slice adds its number and the number of slices: `NAME:0/4`."""
    whole = [name for name, part in PARTS.items() if part.applies(snapshot)]
    return whole + [
        f"{name}{SLICE}{place}/{number}"
        for name, part in SLICED.items()
        if part.applies(snapshot)
        for number in [min(parameters.slices, part.blocks(parameters))]
        for place in range(number)
    ]


def compute(key: str, snapshot: Snapshot, parameters: Parameters, seed: int) -> Result:
    """Compute one part or slice, as JSON has it; the result does not depend on the worker or the time.

    Parameters: seed, from 0.

    Raises:
        ValueError: there is no such part.
    """
    name, _, place = key.partition(SLICE)
    chance = [seed, crc32(name.encode())]
    if name in PARTS and not place:
        return PARTS[name].compute(snapshot, parameters, np.random.default_rng(chance))
    if name not in SLICED or not place:
        raise ValueError(f"There is no part “{key}” in a scoring run.")
    part = SLICED[name]
    own, number = map(int, place.split("/"))
    total = part.blocks(parameters)
    blocks = range(own * total // number, (own + 1) * total // number)
    return part.compute(snapshot, parameters, _chances(name, seed, blocks))


def split_half_of_parts(choices: Choices, parts: Mapping[str, Integers], parameters: Parameters, seed: int) -> Result:
    """Return the split-half reliability of parts of the items, such as train and test (SemRel2024, table 3).

    The halves are those of the run's `split_half.tuple`.

    Parameters: choices, those that count; parts, the items of each, shape (items,), ascending.
    Returns: {part: `items`, the number of items, and all of `split_half.tuple` but `values`}.
    """
    chances = _chances("split_half.tuple", seed, range(halves.blocks(parameters)))
    return halves.halve_sets(choices, parts, parameters, chances)


def _chances(name: str, seed: int, blocks: Iterable[int]) -> list[tuple[int, np.random.Generator]]:
    """Return blocks of a part, each with its generator."""
    return [(block, np.random.default_rng([seed, crc32(name.encode()), block])) for block in blocks]
