"""`python -m benchmarks.stopping [--collections 200] [--seed 1]`: rounds in waves on simulated people, as Markdown.

Each collection ends at its target. Then the true reliability of its scores is known, and so is how many judgments a
design with the same number for every item needs for as much: the difference is what is saved. An interval covers if
the truth lies in it at the end, after all looks.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from annotation.planning.tuples import design_tuples
from annotation.presets.czech_news.protocol import PROTOCOL as CZECH_NEWS_PROTOCOL
from annotation.protocols.stopping import MARGIN, TargetKind
from scoring.forecasting.papers import CZECH_NEWS
from scoring.forecasting.population import Population, population_with
from scoring.forecasting.stopping.allocation import Aim, Pool, allocate
from scoring.forecasting.stopping.precision import Judged, Precision, judged_choices, judged_ratings, precision_of
from scoring.forecasting.stopping.reliability import Estimate, estimate_of, half_error
from scoring.stats.choices import Choices

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
TARGETS = (0.7, 0.8, 0.9, 0.95)
ITEMS, COMPARED, SIZE = 300, 150, 4
RATINGS, ANSWERS, WAVE, LOOKS, ROOM = 3, 2, 0.25, 50, 1000
DRAWS = 4000
HEADING = (
    "| items | target | reached | missed | its interval covers | item intervals cover | noisiest quarter | "
    "judgments per {thing} | fixed design | saved | waves |\n" + "| --- " * 11 + "|"
)


@dataclass(frozen=True, eq=False)
class Items:
    """Items to rate. similarities, noise: of each item, shapes (items,): raters perceive the similarity with a normal
    error, and give the nearest point of the scale. truth, variances: mean and variance of their ratings."""

    similarities: Floats
    noise: Floats
    points: Floats
    truth: Floats
    variances: Floats

    @property
    def pool(self) -> Pool:
        every = np.arange(len(self.truth))[:, np.newaxis]
        return Pool(every, np.full(len(every), ROOM))

    def judge(self, given: Integers, chance: np.random.Generator) -> Judged:
        felt = chance.normal(self.similarities[given], self.noise[given])
        ratings = np.clip(np.rint(felt), self.points[0], self.points[-1])
        return judged_ratings(given, ratings, len(self.truth), self.points)

    def true_half(self, precision: Precision, _given: Integers) -> tuple[float, Floats]:
        """Return the true split-half reliability, and the true scores."""
        between = float(self.truth.var(ddof=1))
        return between / (between + half_error(self.variances, precision.counts)), self.truth

    def fixed(self, half: float) -> float:
        """Return how many ratings of every item reach a split-half reliability."""
        return 2 * float(self.variances.mean()) / float(self.truth.var(ddof=1)) * half / (1 - half)


def rated_items(similarities: Floats, noise: float, unequal: float, most: int, chance: np.random.Generator) -> Items:
    """Return items whose errors are log-normal, on a scale of whole numbers from 0 to `most`."""
    each = noise * np.exp(unequal * chance.normal(size=len(similarities)) - unequal**2)
    points = np.arange(most + 1.0)
    alone = (
        Population(np.array([place]), np.ones(1), float(error), points).chances
        for place, error in zip(similarities, each, strict=True)
    )
    chances = np.concatenate(list(alone))
    means = chances @ points
    return Items(similarities, each, points, means, chances @ points**2 - means**2)


def slider(unequal: float, chance: np.random.Generator) -> Items:
    """Return items in the middle of a scale from 0 to 100, where its ends matter little."""
    return rated_items(chance.normal(50, 12, ITEMS), 12, unequal, 100, chance)


def czech_news(chance: np.random.Generator) -> Items:
    """Return items rated from 0 to 6 that vary as in Czech News: most are at the ends, where raters agree."""
    scale = CZECH_NEWS_PROTOCOL.scale
    population = population_with(CZECH_NEWS.variation_on(scale), scale)  # type: ignore[arg-type]
    return rated_items(chance.choice(population.similarities, ITEMS), population.noise, 0.0, 6, chance)


@dataclass(frozen=True, eq=False)
class Compared:
    """Items compared in tuples. tuples: shape (tuples, size). values, noise: shapes (items,). means, variances: of
    what an answer gives each item of a tuple, shapes (tuples, size)."""

    tuples: Integers
    values: Floats
    noise: Floats
    means: Floats
    variances: Floats

    @property
    def pool(self) -> Pool:
        return Pool(self.tuples, np.full(len(self.tuples), ROOM))

    def judge(self, given: Integers, chance: np.random.Generator) -> Judged:
        shown = self.tuples[given]
        best, worst = chosen(self.values, self.noise, shown, chance)
        rows = np.arange(len(shown))
        return judged_choices(Choices(shown, shown[rows, best], shown[rows, worst], given, None, len(self.values)))

    def true_half(self, precision: Precision, given: Integers) -> tuple[float, Floats]:
        answers = np.bincount(given, minlength=len(self.tuples))[:, np.newaxis]
        number = len(self.values)
        truth = np.bincount(self.tuples.ravel(), (answers * self.means).ravel(), number) / precision.counts
        variances = np.bincount(self.tuples.ravel(), (answers * self.variances).ravel(), number) / precision.counts
        between = float(truth.var(ddof=1))
        return between / (between + half_error(variances, precision.counts)), truth

    def fixed(self, half: float) -> float:
        """Return how many answers to every tuple reach a split-half reliability."""
        number = len(self.values)
        tuples = np.bincount(self.tuples.ravel(), minlength=number)
        truth = np.bincount(self.tuples.ravel(), self.means.ravel(), number) / tuples
        errors = np.bincount(self.tuples.ravel(), self.variances.ravel(), number) / tuples**2
        return 2 * float(errors.mean()) / float(truth.var(ddof=1)) * half / (1 - half)


def chosen(values: Floats, noise: Floats, shown: Integers, chance: np.random.Generator) -> tuple[Integers, Integers]:
    """Return the positions of best and worst where each person perceives the items with a normal error."""
    felt = values[shown] + noise[shown] * chance.normal(size=shown.shape)
    return felt.argmax(axis=1), felt.argmin(axis=1)


def compared_items(unequal: float, chance: np.random.Generator) -> Compared:
    """Return items in as balanced a set of 4-tuples as a project has, twice as many as items."""
    tuples = np.asarray(design_tuples(COMPARED, size=SIZE, factor=2, generator=chance), np.int64)
    values, noise = chance.normal(size=COMPARED), np.exp(unequal * chance.normal(size=COMPARED))
    noise /= np.sqrt(np.mean(noise**2))
    best, worst = chosen(values, noise, np.repeat(tuples, DRAWS, axis=0), chance)
    shares = [
        np.stack([(found.reshape(-1, DRAWS) == place).mean(axis=1) for place in range(SIZE)], axis=1)
        for found in (best, worst)
    ]
    means = shares[0] - shares[1]
    return Compared(tuples, values, noise, means, shares[0] + shares[1] - means**2)


@dataclass(frozen=True)
class Ended:
    """What a collection came to; shares of the items whose interval covers, of all and of the noisiest quarter."""

    reached: float
    covers: bool
    items: float
    noisiest: float
    judgments: float
    fixed: float
    waves: int


def collect(world: Items | Compared, goal: float, first: int, chance: np.random.Generator) -> Ended:
    """Return the end of a collection in waves, until its split-half reliability is estimated to be the goal."""
    entries = len(world.pool.entries)
    given = np.repeat(np.arange(entries), first)
    judged = world.judge(given, chance)
    aim, waves = Aim(TargetKind.SPLIT_HALF, goal), 0
    for _look in range(LOOKS):
        waves += 1
        precision = precision_of(judged)
        found = estimate_of(precision, aim.kind)
        if aim.reached(found):
            break
        size = round(WAVE * entries)
        further = allocate(precision, world.pool, aim, found, wave=size, most=entries * ROOM, generator=chance).further
        new = np.repeat(np.arange(entries), further)
        judged, given = joined(judged, world.judge(new, chance)), np.concatenate([given, new])
    return _ended(world, precision, found, given, waves)


def joined(first: Judged, later: Judged) -> Judged:
    columns = (np.concatenate(pair) for pair in zip(*(_columns(one) for one in (first, later)), strict=True))
    return Judged(*columns, first.number, first.points)  # type: ignore[arg-type]


def _columns(judged: Judged) -> tuple[Integers, Integers, Floats]:
    return judged.items, judged.cells, judged.values


def _ended(world: Items | Compared, precision: Precision, found: Estimate, given: Integers, waves: int) -> Ended:
    half, truth = world.true_half(precision, given)
    covered = np.abs(precision.scores - truth) <= precision.widths / 2
    spread = world.variances if isinstance(world, Items) else world.noise
    noisiest = covered[np.argsort(spread)[-len(spread) // 4 :]]
    shares = float(covered.mean()), float(noisiest.mean())
    entries = len(world.pool.entries)
    return Ended(half, found.low <= half <= found.high, *shares, len(given) / entries, world.fixed(half), waves)


WORLDS: dict[str, tuple[Callable[[np.random.Generator], Items | Compared], int]] = {
    "equal": (lambda chance: slider(0.0, chance), RATINGS),
    "slightly unequal (0.3)": (lambda chance: slider(0.3, chance), RATINGS),
    "unequal (0.6)": (lambda chance: slider(0.6, chance), RATINGS),
    "very unequal (0.9)": (lambda chance: slider(0.9, chance), RATINGS),
    "as in Czech News": (czech_news, RATINGS),
    "0 to 6, unequal (0.6)": (lambda chance: rated_items(chance.uniform(0, 6, ITEMS), 1.7, 0.6, 6, chance), RATINGS),
    "compared, equal": (lambda chance: compared_items(0.0, chance), ANSWERS),
    "compared, unequal (0.6)": (lambda chance: compared_items(0.6, chance), ANSWERS),
}


def rows(collections: int, seed: int, worlds: Sequence[str], margin: float) -> Iterator[str]:
    """Yield the lines of the tables, for these worlds.

    margin: the share of 1 - target by which the estimate exceeds the target at the end.
    """
    thing = ""
    for number, (name, (world, first)) in enumerate(WORLDS.items()):
        if name not in worlds:
            continue
        own = "comparison" if name.startswith("compared") else "item"
        if own != thing:
            thing = own
            yield "\n" + HEADING.format(thing=thing)
        for target in TARGETS:
            goal = 1 - (1 - target) * (1 - margin)
            seeds = ([seed, number, round(100 * target), collection] for collection in range(collections))
            ends = [collect(world(chance), goal, first, chance) for chance in map(np.random.default_rng, seeds)]
            yield _row(name, target, ends)


def _row(name: str, target: float, ends: list[Ended]) -> str:
    judgments, fixed = fmean(end.judgments for end in ends), fmean(end.fixed for end in ends)
    cells = [
        name,
        f"{target:g}",
        f"{fmean(end.reached for end in ends):.3f}",
        f"{fmean(end.reached < target for end in ends):.0%}",
        *(f"{fmean(getattr(end, column) for end in ends):.1%}" for column in ("covers", "items", "noisiest")),
        f"{judgments:.1f}",
        f"{fixed:.1f}",
        f"{1 - judgments / fixed:+.0%}",
        f"{fmean(end.waves for end in ends):.1f}",
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stopping")
    parser.add_argument("--collections", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worlds", nargs="+", choices=WORLDS, default=list(WORLDS), help="some of the rows")
    parser.add_argument("--margin", type=float, default=0.0, help=f"a round without an interval has {MARGIN:g}")
    asked = parser.parse_args()
    for line in rows(asked.collections, asked.seed, asked.worlds, asked.margin):
        print(line, flush=True)


if __name__ == "__main__":
    main()
