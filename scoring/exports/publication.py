"""The publication of a preset's data: what its releases hold in addition to the files of every release."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scoring.exports.snapshot_view import SnapshotView
from scoring.exports.splits import Split, export_split
from scoring.forecasting.papers import Printed

Write = Callable[[SnapshotView, Split | None, Path], dict[str, int]]


@dataclass(frozen=True)
class DataFile:
    """A CSV or TSV file of a release that the data card offers for loading.

    split: the split as which it is loaded. columns: of a file that has no header. harmless: whether a text that a
    spreadsheet would run as a formula has an apostrophe before it.
    """

    name: str
    split: str = "train"
    columns: tuple[str, ...] = ()
    harmless: bool = False


@dataclass(frozen=True)
class Publication:
    """The differences of a preset in releases, runs and forecasts; a preset without one has the values below.

    paper: the paper or dataset whose protocol it is, as a sentence names it. task: its category on the Hugging Face
    hub. decimals: of a mean, as the paper prints it. write: writes further files into a folder and returns the rows of
    each, by default the parts of a split. files: those that the data card offers for loading. always_split: whether the
    scores are split without a request. printed: the figures in the paper about its judgments.
    """

    paper: str = ""
    task: str = "sentence-similarity"
    decimals: int = 2
    write: Write = export_split
    files: tuple[DataFile, ...] = ()
    always_split: bool = False
    printed: Printed | None = None
