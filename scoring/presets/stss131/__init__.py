"""STSS-131: pairs with mean and standard deviation of their ratings (table 1)."""

from collections.abc import Iterator
from pathlib import Path

from scoring.exports.files import Row, write_csv
from scoring.exports.publication import DataFile, Publication
from scoring.exports.ratings import mean_ratings
from scoring.exports.snapshot_view import SnapshotView
from scoring.exports.splits import Split
from scoring.forecasting.papers import STSS131

FILE = DataFile("stss131.csv", harmless=True)
HEADER = ("SP", "Sentence 1", "Sentence 2", "X", "S")


def export_stss131(view: SnapshotView, split: Split | None, folder: Path) -> dict[str, int]:
    """Write stss131.csv without calibration pairs and unrated pairs, and return its number of rows."""
    return {FILE.name: write_csv(folder / FILE.name, HEADER, _rows(view))}


def _rows(view: SnapshotView) -> Iterator[Row]:
    for item, score in mean_ratings(view):
        deviation = "" if score.deviation is None else float(score.deviation)
        yield item.key, item.sentence1, item.sentence2, float(score.mean), deviation


PUBLICATION = Publication(paper="STSS-131", write=export_stss131, files=(FILE,), printed=STSS131)
