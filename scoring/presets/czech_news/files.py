"""The Czech News files (Czech News 8): TAB-separated, no header, no quoting, in full precision as published; and the
tests of every pair as CSV."""

from collections.abc import Iterator
from pathlib import Path

from scoring.exports.context_tests import export_context_tests, report_first
from scoring.exports.files import write_tsv
from scoring.exports.snapshot_view import SnapshotView
from scoring.exports.splits import Split
from scoring.stats.filtering import near_expected

DISTANCES = {"train-RAW.tsv": float("inf"), "train-N2.tsv": 2.0, "train-N1.tsv": 1.0}


def export_czech_news(view: SnapshotView, split: Split | None, folder: Path) -> dict[str, int]:
    """Write the train and test files and return the number of rows of each."""
    return _export_train(view, folder) | export_context_tests(view, folder, report_first)


def _export_train(view: SnapshotView, folder: Path) -> dict[str, int]:
    """Write train-RAW, pairs that no later round used, and N2 and N1, those near the expected score of their role
    (5.2)."""
    return {name: write_tsv(folder / name, _train_rows(view, distance)) for name, distance in DISTANCES.items()}


def _train_rows(view: SnapshotView, distance: float) -> Iterator[tuple[object, ...]]:
    scale, expected = view.project.protocol.scale, dict(zip(view.facts.roles, view.facts.expected, strict=True))
    unvalidated = view["items.unvalidated"]
    for place, item in view.items():
        value = float(view.selected[place])
        if unvalidated[place] and near_expected(value, expected[view.role_of(place)], distance):
            yield item.sentence2, item.sentence1, scale.write(value)
