"""`python -m benchmarks.coverage [--collections 400]`: how often intervals of 95 % have the true figure, as Markdown.

Each collection is simulated from a known truth; an interval of an item's score or utility is its value -+ 1.96 errors.
"""

import argparse
from collections.abc import Iterator

import numpy as np

from benchmarks.coverage.choices import CHOSEN, cover_choices
from benchmarks.coverage.ratings import (
    PEOPLE,
    RATED,
    REPEATED,
    cover_pairs,
    cover_people,
    cover_ratings,
    cover_repeated,
)
from benchmarks.coverage.shares import Shares

HEADING = "| interval | of | coverage |\n| --- | --- | --- |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage")
    parser.add_argument("--collections", type=int, default=400)
    asked = parser.parse_args()
    print(f"{asked.collections:,} collections each; nominal coverage 95%.\n\n{HEADING}", flush=True)
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


if __name__ == "__main__":
    main()
