"""Coverage of the intervals of best-worst choices: of utilities, and of scores by counting."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.coverage.shares import NORMAL, RESAMPLES, Floats, Shares
from scoring.stats.bws import best_worst_scores, bootstrap_errors, count_choices, score_intervals
from scoring.stats.choices import Choices
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
    """4-tuples of a balanced design; spread: standard deviation of the utilities, in logits."""

    items: int
    appearances: int
    judgments: int
    spread: float

    def __str__(self) -> str:
        shown = f"{self.items} items in {self.appearances} tuples each"
        judgments = "1 judgment" if self.judgments == 1 else f"{self.judgments} judgments"
        return f"{shown}, {judgments} per tuple, utilities ±{self.spread:g}"


PEOPLE = 20
"""Who make the choices, drawn at random."""
CHOSEN = (Chosen(40, 8, 4, 1.0), Chosen(40, 8, 4, 2.0), Chosen(100, 8, 2, 1.5), Chosen(40, 8, 1, 1.0))


def cover_choices(world: Chosen, collections: int, generator: np.random.Generator) -> Shares:
    """Return the share of the items whose interval has the true score or utility."""
    found = Shares()
    for _ in range(max(collections, 1)):
        utilities = generator.normal(0, world.spread, world.items)
        decks = [generator.permutation(world.items) for _ in range(world.appearances)]
        tables = np.concatenate(decks).reshape(-1, 4)
        likely = choice_probabilities(utilities, tables)
        choices = draw_choices(likely, tables, world, generator)
        pairs = implied_pairs(choices)
        fitted, ranked = fit_bradley_terry(pairs), fit_best_worst(choices)
        true = fit_bradley_terry(expected_pairs(likely, tables, world.items), ridge=1e-6).values
        errors = bradley_terry_errors(choices, fitted, generator).errors
        assumed = centred_variances(BradleyTerry(pairs).weights(fitted.values), RIDGE, generator).errors
        found.note("Bradley-Terry utility", _within(fitted.values, true, errors))
        found.note("Bradley-Terry utility, assuming independent pairs", _within(fitted.values, true, assumed))
        errors = best_worst_errors(choices, ranked, generator).errors
        found.note("best-worst utility", _within(ranked.values, utilities, errors))
        scores, expected = best_worst_scores(count_choices(choices)), expected_scores(likely, tables, world.items)
        low, high = score_intervals(count_choices(choices))
        found.note("score by counting, interval", float(((low <= expected) & (expected <= high)).mean()))
        for by in ("judgment", "annotator"):
            errors = bootstrap_errors(choices, generator, replicates=RESAMPLES, by=by).errors
            found.note(
                f"score by counting ± 1.96 standard errors by {by}",
                float((np.abs(scores - expected) <= NORMAL * errors).mean()),
            )
    return found


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


def draw_choices(likely: Floats, tables: NDArray[np.int64], world: Chosen, generator: np.random.Generator) -> Choices:
    tuples = np.repeat(np.arange(len(tables)), world.judgments)
    size, rows = tables.shape[1], np.arange(len(tuples))
    ends = likely.reshape(len(tables), -1).cumsum(axis=1)[tuples]
    cell = np.minimum((ends < generator.random((len(tuples), 1))).sum(axis=1), size * size - 1)
    shown, people = tables[tuples], generator.integers(0, PEOPLE, len(tuples))
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
