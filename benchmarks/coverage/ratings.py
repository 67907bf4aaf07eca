"""Coverage of the intervals of ratings: of agreement, of the average rater, of ratings given twice, and of pairs."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from benchmarks.coverage.shares import RESAMPLES, Floats, Shares
from scoring.stats.agreement import with_others, with_stack
from scoring.stats.alpha import krippendorff_alpha
from scoring.stats.average_rater import average_rater
from scoring.stats.comparing import confidence_interval, spearman_interval
from scoring.stats.correlation import pearson, spearman
from scoring.stats.intervals import alpha_with_interval, correlations_of_repeats, correlations_with_intervals
from scoring.stats.means import Mean, half_width
from scoring.stats.people import beside_others

Kinds = tuple[tuple[float, ...], tuple[int, ...]]
TRUTH_RATINGS, TRUTH_COLLECTIONS = 2_000_000, 1_000


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
                found.note(f"{name}, {r}", interval.low <= truth[name, r] <= interval.high)
            alone = confidence_interval(intervals["pearson"].value, len(columns[0]))
            found.note(f"{name}, pearson, assuming independence", alone.low <= truth[name, "pearson"] <= alone.high)
        of_alpha = alpha_with_interval(*drawn, generator, replicates=RESAMPLES)
        found.note("alpha", of_alpha.low <= alpha <= of_alpha.high)
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
        found.note("average rater", interval.low <= truth <= interval.high)
        found.note("average rater, assuming independent annotators", abs(mean.value - truth) <= half_width(mean))
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
            found.note(f"intra, {name}", interval.low <= truth[name] <= interval.high)
        alone = confidence_interval(intervals["pearson"].value, len(raters))
        found.note("intra, pearson, assuming independence", alone.low <= truth["pearson"] <= alone.high)
    return found


def cover_pairs(pairs: int, collections: int, generator: np.random.Generator) -> Shares:
    """Return whether intervals of independent pairs have the true correlation (normal, .8) and the true mean gain."""
    r, found = 0.8, Shares()
    rho = 6 / np.pi * np.arcsin(r / 2)
    for _ in range(collections):
        x, noise = generator.normal(size=(2, pairs))
        y = r * x + sqrt(1 - r**2) * noise
        own, ranked = confidence_interval(pearson(x, y), pairs), spearman_interval(spearman(x, y), pairs)
        found.note("Pearson's r, Fisher's z", own.low <= r <= own.high)
        found.note("Spearman's ρ, Bonett and Wright", ranked.low <= rho <= ranked.high)
        gain = Mean.of(generator.exponential(size=pairs))
        found.note("mean gain, Student's t", abs(gain.value - 1) <= half_width(gain))
    return found
