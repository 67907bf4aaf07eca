"""Datasets written as the papers publish them."""

from collections.abc import Callable
from pathlib import Path

from annotation.domain.errors import Refusal
from annotation.models import Project
from scoring.exports.czech_news import export_czech_news
from scoring.exports.items import export_items
from scoring.exports.judgments import export_judgments
from scoring.exports.ratings import export_dscs, export_stss131

Exporter = Callable[[Project, Path], dict[str, int]]

OWN_FILES: dict[str, Exporter] = {
    "czech_news": export_czech_news,
    "stss131": export_stss131,
    "dscs": export_dscs,
}


def write_release(*, project: Project, folder: Path) -> dict[str, int]:
    """Writes judgments.csv, items.csv and the files of the project's paper into a folder. Returns the rows of each.

    Raises:
        Refusal: the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        rows = export_judgments(project, folder) | export_items(project, folder)
        return rows | OWN_FILES[project.protocol.key](project, folder)
    except OSError as error:
        raise Refusal(f"{folder} cannot be written: {error.strerror}.") from error
