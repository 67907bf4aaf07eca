"""scores.csv and .parquet: every item with its score, by counting or as a mean."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scoring.exports.snapshot_view import SnapshotView
from scoring.exports.tables import Column, Kind, write_tables
from scoring.stats.bws import exact_scores
from scoring.stats.ratings import mean_and_deviation

ItemKey = str | tuple[str, str, str]
"""The key of an item; of ratings with its round and context."""
Measures = Mapping[str, Mapping[ItemKey, float | None]]
"""Further columns of scores that a run computed, by `MEASURES` or `MODEL_COLUMNS`: a value for each item."""
MEASURES = ("interval_low", "interval_high", "error", "utility", "utility_error")
MEASURES += ("weighed_utility", "weighed_utility_error")
MODEL_COLUMNS = {
    "ratings": ("mixed", "mixed_error", "weighed", "weighed_error"),
    "ordinal": ("ordinal", "ordinal_error"),
    "categories": ("dawid_skene", "mace"),
}
"""The columns of ratings by models of raters, by the part of a run that computes them."""
CHOICE_COLUMNS = [
    Column("item", Kind.TEXT),
    Column("score", Kind.NUMBER),
    Column("best", Kind.INTEGER),
    Column("worst", Kind.INTEGER),
    Column("appearances", Kind.INTEGER),
    *(Column(name, Kind.NUMBER) for name in MEASURES),
]
RATING_COLUMNS = [
    Column("item", Kind.TEXT),
    Column("round", Kind.TEXT),
    Column("context", Kind.TEXT),
    Column("mean", Kind.NUMBER),
    Column("sd", Kind.NUMBER),
    Column("ratings", Kind.INTEGER),
    *(Column(name, Kind.NUMBER) for names in MODEL_COLUMNS.values() for name in names),
]


def export_scores(view: SnapshotView, folder: Path, measures: Measures) -> dict[str, int]:
    """Write the scores in full precision.

    Best-worst scores are on the signed scale, with their 95 % interval; an item that was never shown has none. error:
    the standard error of the score by resampling judgments, with appearances - 1 degrees of freedom; utility,
    utility_error: of the best-worst model; weighed_utility, weighed_utility_error: of the one with annotators of
    different reliability. Ratings have mean and standard deviation (n - 1), a row for each round and context in which
    an item was rated, and the scores by models of raters. Columns that the run did not compute are empty.
    """
    compares = view.project.protocol.compares
    columns, make = (CHOICE_COLUMNS, _choice_rows) if compares else (RATING_COLUMNS, _rating_rows)
    rows = make(view, measures)
    return write_tables(folder, "scores", columns, rows, "csv", "parquet")


def _choice_rows(view: SnapshotView, measures: Measures) -> Iterator[tuple[Any, ...]]:
    counts = view.counts
    scores = [None if score is None else float(score) for score in exact_scores(counts)]
    numbers = (column.tolist() for column in (counts.best, counts.worst, counts.appearances))
    further = [measures.get(name, {}) for name in MEASURES]
    for key, *own in zip(view["items.keys"], scores, *numbers, strict=True):
        yield key, *own, *(column.get(key) for column in further)


def _rating_rows(view: SnapshotView, measures: Measures) -> Iterator[tuple[Any, ...]]:
    keys = view["items.keys"]
    further = [measures.get(name, {}) for names in MODEL_COLUMNS.values() for name in names]
    for round_key, context, values in view.rated():
        for place in sorted(values):
            score = mean_and_deviation(values[place])
            deviation = None if score.deviation is None else float(score.deviation)
            own = keys[place], round_key, context
            models = (column.get(own) for column in further)
            yield *own, float(score.mean), deviation, len(values[place]), *models
