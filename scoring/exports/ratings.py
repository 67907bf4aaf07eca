"""One row a pair with its score: the files of STSS-131 (table 1) and DSCS (appendix A)."""

from collections.abc import Iterator
from pathlib import Path

from annotation.models import Item
from annotation.protocols.spec import CompleteDesign, Context
from scoring.exports.files import write_csv
from scoring.exports.frozen import Frozen
from scoring.stats.ratings import MeanAndDeviation, mean_and_deviation, rounded

DECIMALS = 2  # both papers print two


def export_stss131(frozen: Frozen, folder: Path) -> dict[str, int]:
    """Mean and standard deviation of every pair; calibration pairs and unrated pairs are left out."""
    header = ("SP", "Sentence 1", "Sentence 2", "X", "S")
    rows = (
        (
            item.key,
            item.sentence1,
            item.sentence2,
            rounded(score.mean, DECIMALS),
            "" if score.deviation is None else rounded(score.deviation, DECIMALS),
        )
        for item, score in _scores(frozen)
    )
    return {"stss131.csv": write_csv(folder / "stss131.csv", header, rows)}


def export_dscs(frozen: Frozen, folder: Path) -> dict[str, int]:
    """The weighted mean of both pools (DSCS eq. 2-3)."""
    header = ("Sno", "Sentence_1", "Sentence_2", "Final Similarity")
    rows = (
        (item.key, item.sentence1, item.sentence2, rounded(score.mean, DECIMALS)) for item, score in _scores(frozen)
    )
    return {"dscs.csv": write_csv(folder / "dscs.csv", header, rows)}


def _scores(frozen: Frozen) -> Iterator[tuple[Item, MeanAndDeviation]]:
    round_key = next(one.key for one in frozen.project.protocol.rounds if isinstance(one.design, CompleteDesign))
    values = frozen.ratings_by_item(round_key, Context.FREE)
    for place, item in frozen.items():
        if place in values:
            yield item, mean_and_deviation(values[place])
