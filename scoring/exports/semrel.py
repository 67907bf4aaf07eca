"""The SemRel files: train.csv, dev.csv and test.csv with a score for every pair (SemRel2024 3.2 and table 4)."""

from fractions import Fraction
from pathlib import Path

from annotation.models import Item
from scoring.exports.files import Row, one_line
from scoring.exports.frozen import Frozen
from scoring.exports.splits import Split, export_parts
from scoring.stats.ratings import rounded

HEADER = ("PairID", "Text", "Score")
DECIMALS = 2  # SemRel2024 table 1; enough to tell any two scores of 32 appearances apart


def export_semrel(frozen: Frozen, split: Split, folder: Path) -> dict[str, int]:
    """Pairs that were never shown have no score and are left out."""
    return export_parts(frozen, split, folder, HEADER, lambda place, item: _row(item, frozen.unit_score(place)))


def _row(item: Item, score: Fraction) -> Row:
    """The line break between the two sentences is the only one."""
    return item.key, f"{one_line(item.sentence1)}\n{one_line(item.sentence2)}", rounded(score, DECIMALS)
