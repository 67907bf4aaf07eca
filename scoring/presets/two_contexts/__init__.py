"""Imported pairs rated in two contexts: the test files of Czech News (section 8), and the parts of a split."""

from pathlib import Path

from scoring.exports.context_tests import CONTEXT_FILES, as_imported, export_context_tests
from scoring.exports.publication import Publication
from scoring.exports.snapshot_view import SnapshotView
from scoring.exports.splits import Split, export_split
from scoring.forecasting.papers import CZECH_NEWS


def export_two_contexts(view: SnapshotView, split: Split | None, folder: Path) -> dict[str, int]:
    """Write the test files and, where a split is wanted, its parts. Return the number of rows of each."""
    return export_context_tests(view, folder, as_imported) | export_split(view, split, folder)


PUBLICATION = Publication(decimals=4, write=export_two_contexts, files=CONTEXT_FILES, printed=CZECH_NEWS)
