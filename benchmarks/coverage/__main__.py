"""`python -m benchmarks.coverage [--collections 400]`: how often intervals of 95 % have the true figure, as Markdown.

Each collection is simulated from a known truth. An interval of an item's utility is its value -+ 1.96 errors, and of
its score by counting the score -+ t errors with the degrees of freedom of the error.
"""

import argparse
from collections.abc import Iterator

import numpy as np

from benchmarks.coverage.choices import CHOSEN, cover_choices
from benchmarks.coverage.pairs import (
    GAINS,
    KINDS,
    ORDERS,
    PAIRS,
    RATINGS,
    cover_gains,
    cover_means,
    cover_order,
    cover_pairs,
)
from benchmarks.coverage.ratings import PANELS, RATED, REPEATED, cover_panel, cover_ratings, cover_repeated
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
    for panel in PANELS:
        yield str(panel), cover_panel(panel, collections, np.random.default_rng(2))
    for people, pairs in REPEATED:
        yield (
            f"{people} annotators, {pairs} pairs each",
            cover_repeated(people, pairs, collections, np.random.default_rng(5)),
        )
    for kind in KINDS:
        for pairs in PAIRS:
            yield f"{pairs} pairs, {kind}", cover_pairs(pairs, kind, collections, np.random.default_rng(3))
    for pairs in GAINS:
        yield f"{pairs} pairs, skewed", cover_gains(pairs, 4 * collections, np.random.default_rng(3))
    for items, ratings in RATINGS:
        yield (
            f"{items} items, {ratings} ratings each",
            cover_means(items, ratings, collections, np.random.default_rng(6)),
        )
    for people, items in ORDERS:
        yield f"{people} annotators, {items} items", cover_order(people, items, collections, np.random.default_rng(7))
    for chosen in CHOSEN:
        yield str(chosen), cover_choices(chosen, collections // 16, np.random.default_rng(4))


if __name__ == "__main__":
    main()
