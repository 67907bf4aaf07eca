"""Coverage of the intervals of best-worst choices: of utilities, and of scores by counting."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from benchmarks.coverage.shares import NORMAL, RESAMPLES, Floats, Shares
from scoring.stats.bws import best_worst_scores, bootstrap_errors, count_choices, score_intervals
from scoring.stats.choices import Choices
from scoring.stats.design_effect import design_effect
from scoring.stats.information import centred_variances
from scoring.stats.models import (
    RIDGE,
    BradleyTerry,
    best_worst_errors,
    bradley_terry_errors,
    fit_best_worst,
    fit_bradley_terry,
)
from scoring.stats.pairs import Pairs, implied_pairs


@dataclass(frozen=True)
class Chosen:
    """4-tuples of a balanced design; spread: standard deviation of the utilities, in logits; people: who choose;
    unlike: standard deviation of each person's own utility of each item."""

    items: int
    appearances: int
    judgments: int
    spread: float
    people: int = 20
    unlike: float = 0.0

    def __str__(self) -> str:
        shown = f"{self.items} items in {self.appearances} tuples each"
        judgments = "1 judgment" if self.judgments == 1 else f"{self.judgments} judgments"
        apart = f", {self.people} annotators, who differ by ±{self.unlike:g}" if self.unlike else ""
        alike = "" if self.unlike else f", {self.people} annotators"
        return f"{shown}, {judgments} per tuple, utilities ±{self.spread:g}{alike}{apart}"


CHOSEN = (
    *(Chosen(40, 8, judgments, spread) for judgments in (1, 2, 4) for spread in (1.0, 2.0)),
    *(Chosen(40, 8, 4, 1.0, people) for people in (5, 10, 50)),
    *(Chosen(100, 8, 2, 1.5), Chosen(40, 8, 4, 3.0)),
    *(Chosen(40, 8, judgments, 1.0, people, 0.7) for judgments in (2, 4) for people in (5, 10, 20, 50)),
)
OTHERS = 200
"""People whose mean choice is the truth, if people differ."""


@dataclass(frozen=True)
class _Collection:
    """Choices from one world; likely: how likely they were, as of `expected_choices`."""

    choices: Choices
    utilities: Floats
    tables: NDArray[np.int64]
    likely: Floats


def _collections(world: Chosen, number: int, generator: np.random.Generator) -> Iterator[_Collection]:
    for _ in range(number):
        utilities = generator.normal(0, world.spread, world.items)
        decks = [generator.permutation(world.items) for _ in range(world.appearances)]
        tables = np.concatenate(decks).reshape(-1, 4)
        choices = draw_choices(utilities, tables, world, generator)
        yield _Collection(choices, utilities, tables, expected_choices(utilities, tables, world, generator))


def cover_intervals(world: Chosen, collections: int, generator: np.random.Generator) -> Shares:
    """Return the share of the items whose interval has the true score."""
    found = Shares()
    for one in _collections(world, collections, generator):
        expected = expected_scores(one.likely, one.tables, world.items)
        low, high = score_intervals(count_choices(one.choices), design_effect(one.choices))
        found.note("score by counting, interval", float(((low <= expected) & (expected <= high)).mean()))
    return found


def cover_errors(world: Chosen, collections: int, generator: np.random.Generator) -> Shares:
    """Return the share of the items whose true score or utility is near the one found, by its standard error."""
    found = Shares()
    for one in _collections(world, collections, generator):
        _cover_scores(found, one.choices, expected_scores(one.likely, one.tables, world.items), generator)
        if not world.unlike:  # the models assume that people are alike
            expected = expected_pairs(one.likely, one.tables, world.items)
            _cover_utilities(found, one.choices, one.utilities, expected, generator)
    return found


def _cover_utilities(
    found: Shares, choices: Choices, utilities: Floats, expected: Pairs, generator: np.random.Generator
) -> None:
    pairs = implied_pairs(choices)
    fitted, ranked = fit_bradley_terry(pairs), fit_best_worst(choices)
    true = fit_bradley_terry(expected, ridge=1e-6).values
    errors = bradley_terry_errors(choices, fitted, generator).errors
    assumed = centred_variances(BradleyTerry(pairs).weights(fitted.values), RIDGE, generator).errors
    found.note("Bradley-Terry utility", _within(fitted.values, true, errors))
    found.note("Bradley-Terry utility, assuming independent pairs", _within(fitted.values, true, assumed))
    errors = best_worst_errors(choices, ranked, generator).errors
    found.note("best-worst utility", _within(ranked.values, utilities, errors))


def _cover_scores(found: Shares, choices: Choices, expected: Floats, generator: np.random.Generator) -> None:
    scores = best_worst_scores(count_choices(choices))
    for by in ("judgment", "annotator"):
        own = bootstrap_errors(choices, generator, replicates=RESAMPLES, by=by)  # type: ignore[arg-type]
        known = ~np.isnan(own.errors)
        reach = scipy.special.stdtrit(np.maximum(own.degrees, 1), 0.975) * own.errors
        near = np.abs(scores - expected)[known] <= reach[known]
        found.note(f"score by counting ± t standard errors by {by}", float(near.mean()))


def _within(values: Floats, true: Floats, errors: Floats) -> float:
    """Return the share of utilities, less their mean, that are near the true ones."""
    off = (values - values.mean()) - (true - true.mean())
    return float((np.abs(off) <= NORMAL * errors).mean())


def choice_probabilities(utilities: Floats, tables: NDArray[np.int64]) -> Floats:
    """Return how likely each place is best and each other one worst (`BestWorst`), shape (tuples, size, size)."""
    strong, weak = np.exp(utilities[tables]), np.exp(-utilities[tables])
    best = strong / strong.sum(axis=1, keepdims=True)
    rest = weak.sum(axis=1, keepdims=True) - weak
    likely = best[:, :, None] * weak[:, None, :] / rest[:, :, None]
    return np.asarray(likely * (1 - np.eye(tables.shape[1])))


def expected_choices(
    utilities: Floats, tables: NDArray[np.int64], world: Chosen, generator: np.random.Generator
) -> Floats:
    """Return the same for a person drawn at random."""
    if not world.unlike:
        return choice_probabilities(utilities, tables)
    others = (utilities + world.unlike * generator.normal(size=world.items) for _ in range(OTHERS))
    return np.asarray(sum(choice_probabilities(one, tables) for one in others) / OTHERS)


def draw_choices(
    utilities: Floats, tables: NDArray[np.int64], world: Chosen, generator: np.random.Generator
) -> Choices:
    """Return the choices of people who judge tuples drawn at random, each of them about equally many."""
    tuples = np.repeat(np.arange(len(tables)), world.judgments)
    people = generator.permutation(np.arange(len(tuples)) % world.people)
    own = utilities + world.unlike * generator.normal(size=(world.people, world.items))
    likely = np.concatenate(
        [choice_probabilities(own[one], tables[tuples[people == one]]) for one in range(world.people)]
    )
    tuples, people = np.concatenate([tuples[people == one] for one in range(world.people)]), np.sort(people)
    size, rows, shown = tables.shape[1], np.arange(len(tuples)), tables[tuples]
    ends = likely.reshape(len(tuples), -1).cumsum(axis=1)
    cell = np.minimum((ends < generator.random((len(tuples), 1))).sum(axis=1), size * size - 1)
    return Choices(shown, shown[rows, cell // size], shown[rows, cell % size], tuples, people, world.items)


def expected_pairs(likely: Floats, tables: NDArray[np.int64], items: int) -> Pairs:
    """Return the pairs that one judgment of every tuple implies on average."""
    best, worst = likely.sum(axis=2), likely.sum(axis=1)
    wins = np.zeros((items, items))
    ahead = best[:, :, None] + worst[:, None, :] - likely
    ahead *= 1 - np.eye(tables.shape[1])
    np.add.at(wins, (tables[:, :, None], tables[:, None, :]), ahead)
    first, second = np.nonzero(np.triu(wins + wins.T, 1))
    return Pairs(first, second, wins[first, second], wins[second, first], items)  # type: ignore[arg-type]


def expected_scores(likely: Floats, tables: NDArray[np.int64], items: int) -> Floats:
    """Return the mean score by counting of each item."""
    difference = (likely.sum(axis=2) - likely.sum(axis=1)).ravel()
    return np.asarray(np.bincount(tables.ravel(), difference, items) / np.bincount(tables.ravel(), minlength=items))
