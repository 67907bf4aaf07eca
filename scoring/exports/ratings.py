"""One row a pair with its score: the files of STSS-131 (table 1) and DSCS (appendix A)."""

from collections.abc import Iterator
from pathlib import Path

from annotation.models import Item, Project
from annotation.protocols.spec import CompleteDesign, Context
from scoring.exports.files import write_csv
from scoring.queries import items_in_order, ratings_by_item
from scoring.stats.ratings import MeanAndDeviation, mean_and_deviation, rounded

DECIMALS = 2  # both papers print two


def export_stss131(project: Project, folder: Path) -> dict[str, int]:
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
        for item, score in _scores(project)
    )
    return {"stss131.csv": write_csv(folder / "stss131.csv", header, rows)}


def export_dscs(project: Project, folder: Path) -> dict[str, int]:
    """The weighted mean of both pools (DSCS eq. 2-3)."""
    header = ("Sno", "Sentence_1", "Sentence_2", "Final Similarity")
    rows = (
        (item.key, item.sentence1, item.sentence2, rounded(score.mean, DECIMALS)) for item, score in _scores(project)
    )
    return {"dscs.csv": write_csv(folder / "dscs.csv", header, rows)}


def _scores(project: Project) -> Iterator[tuple[Item, MeanAndDeviation]]:
    round_key = next(one.key for one in project.protocol.rounds if isinstance(one.design, CompleteDesign))
    values = ratings_by_item(project, round_key, Context.FREE)
    for item in items_in_order(project).iterator(chunk_size=2000):
        if item.pk in values:
            yield item, mean_and_deviation(values[item.pk])
