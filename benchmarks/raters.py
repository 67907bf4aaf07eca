"""`python -m benchmarks.raters [--worlds 40] [--speed]`: how well means, screening and weighing recover true scores.

Prints Markdown tables from simulated collections, or the time that each model takes with 44,000 ratings.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from scoring.stats.agreement import intraclass_correlation
from scoring.stats.raters.categories import Answers, expected_values
from scoring.stats.raters.dawid_skene import fit_dawid_skene
from scoring.stats.raters.mace import fit_mace
from scoring.stats.raters.mixed import fit_mixed
from scoring.stats.raters.ordinal import fit_ordinal
from scoring.stats.raters.rated import Rated
from scoring.stats.raters.weighed import fit_weighed

Floats = NDArray[np.float64]
ITEMS, PEOPLE = 120, 24
LABELLED = 0.1
"""Share of items with a known label, by which people are screened as in DSCS 4.1."""
CONTRADICTIONS = 0.4
TOP = 6.0


@dataclass(frozen=True)
class Crowd:
    """ratings: of each item. careless, contrary: shares of people who answer at random, or reverse the scale.
    shift, stretch: standard deviations between the others. noise: their median noise and its log spread."""

    name: str
    ratings: int = 5
    careless: float = 0.0
    contrary: float = 0.0
    shift: float = 0.5
    stretch: float = 0.15
    noise: tuple[float, float] = (0.9, 0.4)


CROWDS = (
    Crowd("everybody alike", shift=0.0, stretch=0.0, noise=(0.9, 0.0)),
    Crowd("everybody alike, 3 ratings", ratings=3, shift=0.0, stretch=0.0, noise=(0.9, 0.0)),
    Crowd("people differ"),
    Crowd("people differ, 3 ratings", ratings=3),
    Crowd("people differ, 9 ratings", ratings=9),
    Crowd("10% careless", careless=0.1),
    Crowd("25% careless", careless=0.25),
    Crowd("50% careless", careless=0.5),
    Crowd("10% contrary", contrary=0.1),
    Crowd("25% contrary", contrary=0.25),
    Crowd("45% contrary", contrary=0.45),
    Crowd("20% careless, 10% contrary", careless=0.2, contrary=0.1),
)


@dataclass(frozen=True, eq=False)
class World:
    rated: Rated
    truth: Floats


def simulated(crowd: Crowd, generator: np.random.Generator, items: int = ITEMS, people: int = PEOPLE) -> World:
    """Return a collection on a scale from 0 to 6 in whole numbers; people rate items at random."""
    truth = np.clip(generator.normal(3, 1.3, items), 0, TOP)
    number = [round(share * people) for share in (crowd.careless, crowd.contrary)]
    shifts = generator.normal(0, crowd.shift, people)
    stretches = generator.normal(1, crowd.stretch, people)
    noises = crowd.noise[0] * np.exp(generator.normal(0, crowd.noise[1], people))
    stretches[number[0] : sum(number)] *= -1
    own = np.argsort(generator.random((items, people)), axis=1)[:, : crowd.ratings].ravel()
    item = np.repeat(np.arange(items), crowd.ratings)
    values = 3 + shifts[own] + stretches[own] * (truth[item] - 3) + noises[own] * generator.normal(size=len(own))
    values = np.where(own < number[0], generator.uniform(-0.5, TOP + 0.5, len(own)), values)
    return World(Rated(item, own, np.clip(np.round(values), 0, TOP), items, people), truth)


def means(rated: Rated, rows: NDArray[np.bool_] | None = None) -> Floats:
    """Return the plain mean of each item; that of all ratings if none of its own is left."""
    own = rated if rows is None else rated.keep(rows)
    sums = np.bincount(own.items, own.values, rated.item_number)
    return np.where(own.ratings_of_items > 0, sums / np.maximum(own.ratings_of_items, 1), own.values.mean())


def screened(world: World) -> Floats:
    """Return means without people who contradict known labels of clear items more often than the limit."""
    rated, clear = world.rated, np.abs(world.truth - 3) > 1
    labelled = np.zeros(rated.item_number, np.bool_)
    labelled[np.flatnonzero(clear)[: round(LABELLED * rated.item_number)]] = True
    asked = labelled[rated.items]
    against = asked & ((rated.values - 3) * (world.truth[rated.items] - 3) < 0)
    shares = np.bincount(rated.raters, against, rated.rater_number) / np.maximum(
        np.bincount(rated.raters, asked, rated.rater_number), 1
    )
    return means(rated, (shares <= CONTRADICTIONS)[rated.raters])


def expected(fit: Callable[[Answers], NDArray[np.float64]]) -> Callable[[World], Floats]:
    def scores(world: World) -> Floats:
        answers, values = Answers.of(world.rated)
        return expected_values(fit(answers), values, answers.answered)

    return scores


METHODS: dict[str, Callable[[World], Floats]] = {
    "mean": lambda world: means(world.rated),
    "screened": screened,
    "mixed": lambda world: fit_mixed(world.rated).scores,
    "weighed": lambda world: fit_weighed(world.rated).scores,
    "ordinal": lambda world: fit_ordinal(world.rated).scores,
    "Dawid-Skene": expected(lambda answers: fit_dawid_skene(answers).probabilities),
    "MACE": expected(lambda answers: fit_mace(answers, np.random.default_rng(0), restarts=3).probabilities),
}


def recovery(worlds: int) -> Iterator[str]:
    """Yield a table of Spearman's correlation with the true scores, and one of root mean squared errors."""
    found = {crowd.name: _recovered(crowd, worlds) for crowd in CROWDS}
    for place, caption in enumerate(("Spearman’s correlation with the true scores", "Root mean squared error")):
        yield f"\n{caption}, mean of {worlds} collections\n"
        yield f"| people | {' | '.join(METHODS)} |\n{'| --- ' * (len(METHODS) + 1)}|"
        for name, figures in found.items():
            yield f"| {name} | {' | '.join(f'{value:.3f}' for value in figures[place])} |"


def _recovered(crowd: Crowd, worlds: int) -> Floats:
    """Return the mean figures of all methods, shape (2, methods)."""
    rows = []
    for seed in range(worlds):
        world = simulated(crowd, np.random.default_rng([17, seed]))
        scores = [method(world) for method in METHODS.values()]
        ranks = [float(spearmanr(own, world.truth).statistic) for own in scores]
        rows.append((ranks, [float(np.sqrt(np.mean((own - world.truth) ** 2))) for own in scores]))
    return np.mean(rows, axis=0)


def coverage(worlds: int) -> Iterator[str]:
    """Yield a table of the shares of items whose true score is within 1.96 errors of the score."""
    yield f"\nShare of items whose true score is within 1.96 errors, {worlds} collections\n"
    yield "| people | mixed | weighed, people as known | weighed | ordinal |\n| --- | --- | --- | --- | --- |"
    for crowd in CROWDS[::3]:
        shares = np.mean([_covered(crowd, seed) for seed in range(worlds)], axis=0)
        yield f"| {crowd.name} | {' | '.join(f'{share:.3f}' for share in shares)} |"


def _covered(crowd: Crowd, seed: int) -> list[float]:
    world = simulated(crowd, np.random.default_rng([18, seed]))
    chance = np.random.default_rng(seed)
    fitted = (
        fit_mixed(world.rated),
        fit_weighed(world.rated),
        fit_weighed(world.rated, chance, replicates=20),
        fit_ordinal(world.rated, chance, replicates=20),
    )
    return [float(np.mean(np.abs(own.scores - world.truth) <= 1.96 * own.errors)) for own in fitted]


def speed() -> Iterator[str]:
    """Yield a table of seconds with 44,000 ratings of 5,500 items by 250 people, and as a share of ICC, a linear
    statistic of the same run."""
    rated = simulated(Crowd("", ratings=8, careless=0.1), np.random.default_rng(0), 5_500, 250).rated
    chance = np.random.default_rng(0)
    works: dict[str, Callable[[], object]] = {
        "mixed": lambda: fit_mixed(rated),
        "weighed": lambda: fit_weighed(rated),
        "weighed, 20 replicates": lambda: fit_weighed(rated, chance, replicates=20),
        "ordinal": lambda: fit_ordinal(rated),
        "ordinal, 20 replicates": lambda: fit_ordinal(rated, chance, replicates=20),
        "Dawid-Skene": lambda: fit_dawid_skene(Answers.of(rated)[0]),
        "MACE, 10 starts": lambda: fit_mace(Answers.of(rated)[0], chance),
    }
    plain = _seconds(lambda: intraclass_correlation(rated.items, rated.values))
    yield "\n| model | processor seconds | times the ICC |\n| --- | --- | --- |"
    yield f"| ICC | {plain:.4f} | 1 |"
    for name, work in works.items():
        seconds = _seconds(work)
        yield f"| {name} | {seconds:.2f} | {seconds / plain:,.0f} |"


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.raters")
    parser.add_argument("--worlds", type=int, default=40, help="collections per row (default: 40)")
    parser.add_argument("--speed", action="store_true", help="measure times instead")
    chosen = parser.parse_args()
    tables = [speed()] if chosen.speed else [recovery(chosen.worlds), coverage(chosen.worlds // 4)]
    for line in chain.from_iterable(tables):
        print(line, flush=True)


if __name__ == "__main__":
    main()
