"""scores.csv and .parquet: every item with its score, by counting or as a mean."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotation.protocols.spec import BestWorstDesign
from scoring.exports.frozen import Frozen
from scoring.exports.tables import Column, Kind, write_tables
from scoring.stats.bws import exact_scores
from scoring.stats.ratings import mean_and_deviation, rounded

DECIMALS = 3  # of counted scores: those of the released scores of Ruddit, the published ones on this scale
CHOICE_COLUMNS = [
    Column("item", Kind.TEXT),
    Column("score", Kind.NUMBER, lambda score: rounded(score, DECIMALS)),
    Column("best", Kind.INTEGER),
    Column("worst", Kind.INTEGER),
    Column("appearances", Kind.INTEGER),
]
RATING_COLUMNS = [
    Column("item", Kind.TEXT),
    Column("round", Kind.TEXT),
    Column("context", Kind.TEXT),
    Column("mean", Kind.NUMBER),
    Column("sd", Kind.NUMBER),
    Column("ratings", Kind.INTEGER),
]


def export_scores(frozen: Frozen, folder: Path) -> dict[str, int]:
    """Best-worst scores are on the signed scale, and an item that was never shown stands there without one.

    Of ratings: mean and standard deviation (n - 1), a row for each round and context in which an item was rated.
    """
    chooses = any(isinstance(one.design, BestWorstDesign) for one in frozen.project.protocol.rounds)
    columns, rows = (CHOICE_COLUMNS, _choice_rows) if chooses else (RATING_COLUMNS, _rating_rows)
    return write_tables(folder, "scores", columns, rows(frozen), "csv", "parquet")


def _choice_rows(frozen: Frozen) -> Iterator[tuple[Any, ...]]:
    counts = frozen.counts
    numbers = zip(counts.best.tolist(), counts.worst.tolist(), counts.appearances.tolist(), strict=True)
    for key, score, own in zip(frozen["items.keys"], exact_scores(counts), numbers, strict=True):
        yield key, score, *own


def _rating_rows(frozen: Frozen) -> Iterator[tuple[Any, ...]]:
    keys = frozen["items.keys"]
    for round_key, context, values in frozen.rated():
        for place in sorted(values):
            score = mean_and_deviation(values[place])
            deviation = None if score.deviation is None else float(score.deviation)
            yield keys[place], round_key, context, float(score.mean), deviation, len(values[place])
