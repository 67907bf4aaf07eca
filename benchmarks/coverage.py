"""`python -m benchmarks.coverage [--collections 400]`: estimate the coverage of 95% intervals, as Markdown.

Each collection is simulated from known true values. For errors of scores and utilities, the interval is the value
± 1.96 standard errors.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from scoring.stats.agreement import with_others, with_stack
from scoring.stats.alpha import krippendorff_alpha
from scoring.stats.average_rater import average_rater
from scoring.stats.bws import best_worst_scores, bootstrap_errors, count_choices, score_intervals
from scoring.stats.choices import Choices
from scoring.stats.comparing import confidence_interval, spearman_interval
from scoring.stats.correlation import pearson, spearman
from scoring.stats.information import centred_variances
from scoring.stats.intervals import alpha_with_interval, correlations_of_repeats, correlations_with_intervals
from scoring.stats.means import Mean, half_width
from scoring.stats.models import (
    RIDGE,
    BradleyTerry,
    best_worst_errors,
    bradley_terry_errors,
    fit_best_worst,
    fit_bradley_terry,
)
from scoring.stats.pairs import Pairs, implied_pairs
from scoring.stats.people import beside_others

Floats = NDArray[np.float64]
Shares = dict[str, list[float]]
Kinds = tuple[tuple[float, ...], tuple[int, ...]]
NORMAL = 1.959963984540054
TRUTH_RATINGS, RESAMPLES = 2_000_000, 400
TRUTH_COLLECTIONS = 1_000
HEADING = "| interval | of | coverage |\n| --- | --- | --- |"


@dataclass(frozen=True)
class Rated:
    """Items rated on a scale from 0 to 6, each by the same number of people; some are harder than others."""

    items: int
    raters: int

    def __str__(self) -> str:
        return f"{self.items:,} items, {self.raters} ratings each"

    def draw(self, generator: np.random.Generator, items: int) -> tuple[NDArray[np.int64], Floats]:
        truth, hardness = generator.uniform(-0.5, 6.5, (items, 1)), generator.choice([0.5, 1.0, 1.5], (items, 1))
        values = truth + hardness * generator.normal(size=(items, self.raters))
        return np.repeat(np.arange(items), self.raters), np.clip(np.round(values), 0, 6).ravel()


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


RATED = (Rated(30, 5), Rated(64, 15), Rated(150, 9), Rated(600, 3))
VARIED, CARELESS = ((0.6, 1.0, 2.0), (1, 1, 1)), ((0.8, 6.0), (9, 1))
"""Standard deviations of people's ratings, with the number of people of each."""
PEOPLE = (
    *((64, 24, "varied", VARIED), (30, 12, "varied", VARIED), (30, 5, "varied", VARIED)),
    (64, 24, "one in ten annotators careless", CARELESS),
    (30, 12, "one in ten annotators careless", CARELESS),
)
REPEATED = ((12, 10), (30, 10))
"""People, and pairs that each of them rates twice."""
CHOSEN = (Chosen(40, 8, 4, 1.0), Chosen(40, 8, 4, 2.0), Chosen(100, 8, 2, 1.5), Chosen(40, 8, 1, 1.0))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage")
    parser.add_argument("--collections", type=int, default=400)
    asked = parser.parse_args()
    print(f"{asked.collections:,} simulated collections each; nominal coverage 95%.\n\n{HEADING}", flush=True)
    for place, found in rows(asked.collections):
        for name, shares in found.items():
            print(f"| {name} | {place} | {np.mean(shares):.3f} |", flush=True)


def rows(collections: int) -> Iterator[tuple[str, Shares]]:
    """Yield each simulated world with the coverage of its intervals in each collection."""
    for rated in RATED:
        yield str(rated), cover_ratings(rated, collections, np.random.default_rng(1))
    for items, people, kind, noise in PEOPLE:
        found = cover_people(items, people, noise, collections, np.random.default_rng(2))
        yield f"{items} items, {people} annotators, {kind}", found
    for people, pairs in REPEATED:
        yield (
            f"{people} annotators, {pairs} pairs each",
            cover_repeated(people, pairs, collections, np.random.default_rng(5)),
        )
    yield "64 pairs", cover_pairs(64, collections, np.random.default_rng(3))
    for chosen in CHOSEN:
        yield str(chosen), cover_choices(chosen, collections // 8, np.random.default_rng(4))


def cover_ratings(world: Rated, collections: int, generator: np.random.Generator) -> Shares:
    """Return whether intervals of agreement have that of very many items."""
    large = world.draw(generator, TRUTH_RATINGS // world.raters)
    compared = {"inter": with_stack, "leave-one-out": with_others}
    figures = {"pearson": pearson, "spearman": spearman}
    truth = {(name, r): figures[r](*own(*large)[1:]) for name, own in compared.items() for r in figures}
    alpha, found = krippendorff_alpha(*large, "interval"), Shares()
    for _ in range(collections):
        drawn = world.draw(generator, world.items)
        for name, own in compared.items():
            columns = own(*drawn)
            intervals = correlations_with_intervals(*columns, generator, replicates=RESAMPLES)
            for r, interval in intervals.items():
                _note(found, f"{name}, {r}", interval.low <= truth[name, r] <= interval.high)
            alone = confidence_interval(intervals["pearson"].value, len(columns[0]))
            _note(found, f"{name}, pearson, assuming independence", alone.low <= truth[name, "pearson"] <= alone.high)
        of_alpha = alpha_with_interval(*drawn, generator, replicates=RESAMPLES)
        _note(found, "alpha", of_alpha.low <= alpha <= of_alpha.high)
    return found


def cover_people(items: int, people: int, kinds: Kinds, collections: int, generator: np.random.Generator) -> Shares:
    """Return whether intervals of the average rater have the mean over very many collections, for the same items."""
    noises, shares = (np.array(column, dtype=np.float64) for column in kinds)
    pools = np.zeros(people, np.int64)
    values, units = generator.uniform(0, 4, items), np.tile(np.arange(items), people)
    raters, counted = np.repeat(np.arange(people), items), np.ones(people * items, np.bool_)

    def draw() -> Floats:
        noise = generator.choice(noises, (people, 1), p=shares / shares.sum())
        return np.clip(values + noise * generator.normal(size=(people, items)), 0, 4).ravel()

    def correlations(ratings: Floats) -> Floats:
        return beside_others(units, raters, ratings, counted, people).correlations

    truth, found = float(np.mean([correlations(draw()).mean() for _ in range(TRUTH_COLLECTIONS)])), Shares()
    for _ in range(collections):
        ratings = draw()
        interval, mean = average_rater(units, raters, ratings, pools, 0), Mean.of(correlations(ratings))
        _note(found, "average rater", interval.low <= truth <= interval.high)
        _note(found, "average rater, assuming independent annotators", abs(mean.value - truth) <= half_width(mean))
    return found


def cover_repeated(people: int, pairs: int, collections: int, generator: np.random.Generator) -> Shares:
    """Return whether intervals of intra-annotator agreement have that of very many people and pairs.

    Three people rate each pair twice; people have a leaning of their own, and are unlike in how much they vary.
    """

    def draw(people: int) -> tuple[Floats, Floats]:
        truth = generator.uniform(-0.5, 6.5, (-(-people // 3), pairs)).repeat(3, axis=0)[:people]
        leaning, noise = generator.normal(0, 0.5, (people, 1)), generator.choice([0.5, 1.0, 1.5], (people, 1))
        own = truth + leaning + 0.5 * generator.normal(size=truth.shape)  # how this person sees this pair
        both = own + noise * generator.normal(size=(2, *truth.shape))
        first, again = np.clip(np.round(both), 0, 6).reshape(2, -1)
        return first, again

    large, found = draw(TRUTH_RATINGS // pairs), Shares()
    truth, raters = {"pearson": pearson(*large), "spearman": spearman(*large)}, np.repeat(np.arange(people), pairs)
    items = raters // 3 * pairs + np.tile(np.arange(pairs), people)
    for _ in range(collections):
        own = draw(people)
        intervals = correlations_of_repeats(raters, items, *own, generator, replicates=RESAMPLES)
        for name, interval in intervals.items():
            _note(found, f"intra, {name}", interval.low <= truth[name] <= interval.high)
        alone = confidence_interval(intervals["pearson"].value, len(raters))
        _note(found, "intra, pearson, assuming independence", alone.low <= truth["pearson"] <= alone.high)
    return found


def cover_pairs(pairs: int, collections: int, generator: np.random.Generator) -> Shares:
    """Return whether intervals of independent pairs have the true correlation (normal, .8) and the true mean gain."""
    r, found = 0.8, Shares()
    rho = 6 / np.pi * np.arcsin(r / 2)
    for _ in range(collections):
        x, noise = generator.normal(size=(2, pairs))
        y = r * x + sqrt(1 - r**2) * noise
        own, ranked = confidence_interval(pearson(x, y), pairs), spearman_interval(spearman(x, y), pairs)
        _note(found, "Pearson's r, Fisher's z", own.low <= r <= own.high)
        _note(found, "Spearman's ρ, Bonett and Wright", ranked.low <= rho <= ranked.high)
        gain = Mean.of(generator.exponential(size=pairs))
        _note(found, "mean gain, Student's t", abs(gain.value - 1) <= half_width(gain))
    return found


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
        _note(found, "Bradley-Terry utility", _within(fitted.values, true, errors))
        _note(found, "Bradley-Terry utility, assuming independent pairs", _within(fitted.values, true, assumed))
        errors = best_worst_errors(choices, ranked, generator).errors
        _note(found, "best-worst utility", _within(ranked.values, utilities, errors))
        scores, expected = best_worst_scores(count_choices(choices)), expected_scores(likely, tables, world.items)
        low, high = score_intervals(count_choices(choices))
        _note(found, "score by counting, interval", float(((low <= expected) & (expected <= high)).mean()))
        for by in ("judgment", "annotator"):
            errors = bootstrap_errors(choices, generator, replicates=RESAMPLES, by=by).errors
            _note(
                found,
                f"score by counting ± 1.96 standard errors by {by}",
                float((np.abs(scores - expected) <= NORMAL * errors).mean()),
            )
    return found


def _note(found: Shares, name: str, share: float) -> None:
    found.setdefault(name, []).append(float(share))


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
    shown, people = tables[tuples], generator.integers(0, 20, len(tuples))
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


if __name__ == "__main__":
    main()
