"""Coverage of the intervals of ratings: of agreement, of the average rater, and of ratings given twice."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.coverage.shares import RESAMPLES, Floats, Shares
from scoring.stats.agreement import with_others, with_stack
from scoring.stats.alpha import krippendorff_alpha
from scoring.stats.average_rater import average_rater
from scoring.stats.comparing import confidence_interval
from scoring.stats.correlation import pearson, spearman
from scoring.stats.intervals import Interval, alpha_with_interval, correlations_of_repeats, correlations_with_intervals

TRUTH_RATINGS = 2_000_000


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


RATED = (Rated(30, 2), Rated(30, 5), Rated(64, 15), Rated(150, 9), Rated(600, 3))


@dataclass(frozen=True)
class Panel:
    """People who rate the same items; noises: standard deviations of their ratings, in turn."""

    items: int
    people: int
    kind: str
    noises: tuple[float, ...]

    def __str__(self) -> str:
        return f"{self.items} items, {self.people} annotators, {self.kind}"

    def draw(self, generator: np.random.Generator, items: int) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
        """Return items, people and ratings."""
        noise = np.resize(self.noises, self.people)
        truth, hardness = generator.uniform(-0.5, 6.5, items), generator.choice([0.5, 1.0, 1.5], items)
        values = truth + hardness * noise[:, None] * generator.normal(size=(self.people, items))
        units, people = np.tile(np.arange(items), self.people), np.repeat(np.arange(self.people), items)
        return units, people, np.clip(np.round(values), 0, 6).ravel()


VARIED, CARELESS = (0.6, 1.0, 2.0), (6.0, *[0.8] * 9)
PANELS = (
    *(Panel(items, people, "varied", VARIED) for items, people in ((20, 3), (20, 5), (30, 12), (64, 24), (150, 5))),
    *(Panel(items, people, "one in ten careless", CARELESS) for items, people in ((20, 10), (30, 12), (64, 24))),
)
"""The people are the same in all collections of a panel, as those are for whom the interval is meant."""
REPEATED = ((12, 10), (20, 10), (30, 10))
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


def cover_panel(panel: Panel, collections: int, generator: np.random.Generator) -> Shares:
    """Return whether intervals of the average rater have the mean of the same people for very many items."""
    pools, found = np.zeros(panel.people, np.int64), Shares()

    def average(items: int) -> Interval:
        return average_rater(*panel.draw(generator, items), pools, 0)

    truth = average(TRUTH_RATINGS // (20 * panel.people)).value
    for _ in range(collections):
        interval = average(panel.items)
        found.note("average rater", interval.low <= truth <= interval.high)
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
