"""The SemRel files: train.csv, dev.csv and test.csv with a score for every pair (SemRel2024 3.2 and table 4)."""

from fractions import Fraction
from pathlib import Path

from annotation.models import Item
from scoring.exports.files import Row, one_line
from scoring.exports.snapshot_view import SnapshotView
from scoring.exports.splits import Split, export_parts

HEADER = ("PairID", "Text", "Score")


def export_semrel(view: SnapshotView, split: Split, folder: Path) -> dict[str, int]:
    """Write the parts of the split, without pairs that were never shown, and return their numbers of rows."""
    return export_parts(view, split, folder, HEADER, lambda place, item: _row(item, view.unit_score(place)))


def _row(item: Item, score: Fraction) -> Row:
    """Return a row in which the line break between the two sentences is the only one."""
    return item.key, f"{one_line(item.sentence1)}\n{one_line(item.sentence2)}", float(score)
