"""`python -m benchmarks.forecasts [--collections 100]`: estimate how often forecasts of ratings hold, as Markdown.

Each forecast is made from a pilot with simulated annotators. It holds if the split-half reliability of a new
collection by the same annotators lies in the forecast range.
"""

import argparse
from collections.abc import Callable
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from scoring.forecasting.pilot import Pilot, populations_of
from scoring.forecasting.ratings import forecast_ratings
from scoring.stats.rating_halves import split_half_of_ratings

Floats = NDArray[np.float64]
PEOPLE, ITEMS, SPLITS = (2, 4, 6, 9), 600, 20
POINTS = np.arange(7.0)
PILOTS = ((60, 3), (250, 4), (1200, 9))
NOISE = 1.1
SHAPES: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "even": lambda chance, items: chance.uniform(0, 6, items),
    "normal": lambda chance, items: chance.normal(2.66, 1.74, items),
    "three clusters": lambda chance, items: chance.choice([0.0, 3.0, 6.0], items) + chance.normal(0, 0.7, items),
    "mostly different": lambda chance, items: 6 * chance.beta(0.5, 1.2, items),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.forecasts")
    parser.add_argument("--collections", type=int, default=100)
    collections = parser.parse_args().collections
    print("| items | pilot | " + " | ".join(f"{people} annotators" for people in PEOPLE) + " |")
    print("| --- | --- |" + " --- |" * len(PEOPLE))
    for name in SHAPES:
        for items, raters in PILOTS:
            chance = np.random.default_rng(1)
            found = [_compare(name, items, raters, chance) for _ in range(collections)]
            cells = [
                f"{fmean(held for held, _ in column):.0%}, {fmean(off for _, off in column):+.3f}"
                for column in zip(*found, strict=True)
            ]
            print(f"| {name} | {items} items, {raters} ratings each | {' | '.join(cells)} |", flush=True)


def _compare(name: str, items: int, raters: int, chance: np.random.Generator) -> list[tuple[bool, float]]:
    """Return for each number of raters whether the forecast holds, and forecast less reached reliability."""
    pilot = _rated(SHAPES[name](chance, items), raters, chance)
    known = Pilot(pilot.mean(axis=1), pilot.std(axis=1, ddof=1), np.full(items, raters))
    populations, found = populations_of(known, POINTS, chance), []
    for people in PEOPLE:
        forecast = forecast_ratings(populations, items=ITEMS, people=people, generator=chance).reliability
        ratings = _rated(SHAPES[name](chance, ITEMS), people, chance)
        halves = split_half_of_ratings(np.repeat(np.arange(ITEMS), people), ratings.ravel(), chance, splits=SPLITS)
        reached = halves.summary()[0].mean
        found.append((forecast.low <= reached <= forecast.high, forecast.mean - reached))
    return found


def _rated(similarities: Floats, people: int, chance: np.random.Generator) -> Floats:
    perceived = similarities[:, np.newaxis] + NOISE * chance.normal(size=(len(similarities), people))
    return np.asarray(np.clip(np.round(perceived), POINTS[0], POINTS[-1]))


if __name__ == "__main__":
    main()
