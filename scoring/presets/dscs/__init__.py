"""DSCS: pairs with the weighted mean of the ratings of both pools (appendix A; equations 2 and 3)."""

from pathlib import Path

from scoring.exports.files import write_csv
from scoring.exports.publication import DataFile, Publication
from scoring.exports.ratings import mean_ratings
from scoring.exports.snapshot_view import SnapshotView
from scoring.exports.splits import Split

FILE = DataFile("dscs.csv", harmless=True)
HEADER = ("Sno", "Sentence_1", "Sentence_2", "Final Similarity")


def export_dscs(view: SnapshotView, split: Split | None, folder: Path) -> dict[str, int]:
    """Write dscs.csv without calibration pairs and unrated pairs, and return its number of rows."""
    rows = ((item.key, item.sentence1, item.sentence2, float(score.mean)) for item, score in mean_ratings(view))
    return {FILE.name: write_csv(folder / FILE.name, HEADER, rows)}


PUBLICATION = Publication(paper="DSCS", write=export_dscs, files=(FILE,))
