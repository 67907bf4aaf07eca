"""The GiCCS file: every utterance with its dialogue and its score."""

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from annotation.models import Group, Item
from scoring.exports.files import Row, write_plain_csv
from scoring.exports.snapshot_view import SnapshotView
from scoring.exports.splits import Split, export_parts

HEADER = ("dialogue", "domain", "turns", "utterance", "score")


def export_giccs(view: SnapshotView, split: Split | None, folder: Path) -> dict[str, int]:
    """Write giccs.csv with all utterances that were shown, and the parts of the split if one is requested."""

    def rows() -> Iterator[Row]:
        return (row(place, item) for place, item in view.items("group") if view.shown[place])

    def row(place: int, item: Item) -> Row:
        return _row(item, view.unit_score(place))

    written = {"giccs.csv": write_plain_csv(folder / "giccs.csv", HEADER, rows())}
    if split is None:
        return written
    return written | export_parts(view, split, folder, HEADER, row)


def _row(item: Item, score: Fraction) -> Row:
    dialogue = item.group or Group()
    # A database may keep the members of an object in an order of its own.
    turns = [{"speaker": turn["speaker"], "text": turn["text"]} for turn in dialogue.turns]
    written = json.dumps(turns, ensure_ascii=False)
    return dialogue.key, dialogue.domain, written, item.sentence2, float(score)
