"""The GiCCS file: every utterance with its dialogue and its score."""

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from annotation.models import Group, Item
from scoring.exports.files import Row, write_plain_csv
from scoring.exports.frozen import Frozen
from scoring.exports.splits import Split, export_parts
from scoring.stats.ratings import rounded

HEADER = ("dialogue", "domain", "turns", "utterance", "score")
DECIMALS = 2  # the poster prints none; enough to tell any two scores of 30 appearances apart


def export_giccs(frozen: Frozen, split: Split | None, folder: Path) -> dict[str, int]:
    """giccs.csv with all utterances that were shown; where a split is asked for, its parts beside it."""

    def rows() -> Iterator[Row]:
        return (row(place, item) for place, item in frozen.items("group") if frozen.shown[place])

    def row(place: int, item: Item) -> Row:
        return _row(item, frozen.unit_score(place))

    written = {"giccs.csv": write_plain_csv(folder / "giccs.csv", HEADER, rows())}
    if split is None:
        return written
    return written | export_parts(frozen, split, folder, HEADER, row)


def _row(item: Item, score: Fraction) -> Row:
    dialogue = item.group or Group()
    # A database may keep the members of an object in an order of its own.
    turns = [{"speaker": turn["speaker"], "text": turn["text"]} for turn in dialogue.turns]
    written = json.dumps(turns, ensure_ascii=False)
    return dialogue.key, dialogue.domain, written, item.sentence2, rounded(score, DECIMALS)
