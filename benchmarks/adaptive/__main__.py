"""`python -m benchmarks.adaptive [--items 500] [--collections 20] [--seed 1] [--write]`: adaptive designs, as Markdown.

`--part choices|ratings` prints only these tables; `--write` puts the tables into their sections of
docs/adaptive.md. Collections of 5,000 items take minutes each.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from os import cpu_count
from pathlib import Path

from benchmarks.adaptive import tables
from benchmarks.adaptive.choosing import DESIGNS
from benchmarks.adaptive.measures import Curve, curves, mean_curve
from benchmarks.adaptive.rating import RATINGS
from benchmarks.coverage.sections import with_section

PAGE = Path(__file__).parents[2] / "docs" / "adaptive.md"
NOISES = (0.3, 0.6, 1.2)
UNEQUAL = (0.0, 0.6)


def simulate(
    designs: dict[str, Callable], items: int, noise: float, collections: int, seed: int, unequal: float
) -> tables.Curves:
    """Return the mean curve of each design and kind of scores."""
    found: tables.Curves = {}
    for name, design in designs.items():
        each = [
            curves(design, items, noise, [seed, round(100 * noise), number], unequal) for number in range(collections)
        ]
        for kind in each[0]:
            found[name, kind] = mean_curve([one[kind] for one in each])
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.adaptive", description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=500)
    parser.add_argument("--collections", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", choices=["choices", "ratings"], action="append", help="compute only this part")
    parser.add_argument("--processes", type=int, default=cpu_count())
    parser.add_argument("--write", action="store_true", help=f"write to {PAGE.name}")
    asked = parser.parse_args(arguments)
    for part in asked.part or ["choices", "ratings"]:
        for text in _sections(part, asked):
            print(text, flush=True)
            if asked.write:
                PAGE.write_text(with_section(PAGE.read_text(), text))


def _sections(part: str, asked: argparse.Namespace) -> Iterator[str]:
    designs = DESIGNS if part == "choices" else RATINGS
    worlds = list(product(NOISES, (0.0,) if part == "choices" else UNEQUAL))
    work = partial(_simulated, designs, asked.items, asked.collections, asked.seed)
    with ProcessPoolExecutor(asked.processes) as workers:
        found = dict(zip(worlds, workers.map(work, worlds), strict=True))
    settings = f"{asked.items:,} items, {asked.collections} collections for each row, seed {asked.seed}."
    if part == "ratings":
        yield tables.section(f"Ratings of {asked.items:,} items", settings, tables.rating_rows(found))
        return
    by_noise: dict[float, dict[tuple[str, str], Curve]] = {noise: own for (noise, _), own in found.items()}
    yield tables.section(f"Judgments of {asked.items:,} items", settings, tables.needed_rows(by_noise))
    yield tables.section(f"Extremes of {asked.items:,} items", settings, tables.extreme_rows(by_noise))


def _simulated(
    designs: dict[str, Callable], items: int, collections: int, seed: int, world: tuple[float, float]
) -> tables.Curves:
    noise, unequal = world
    return simulate(designs, items, noise, collections, seed, unequal)


if __name__ == "__main__":
    main()
