"""The first rows of a file that waits for an answer, from which its first screen is shown before anything is stored."""

import json
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.material.items import IMPORTERS
from annotation.domain.material.row_filters import RowFilter
from annotation.domain.material.rows import Problems, read_rows
from annotation.models import ItemImport, Project
from annotation.protocols.terms import Material

ROWS, CHARACTERS = 500, 200_000
"""More are not kept: an incident may have a row for each sentence."""
ITEMS = {Material.PAIRS: 20, Material.TEXTS: 20}
"""Of other material, one dialogue or incident fills a screen."""


def first_rows(path: Path) -> list[dict[str, Any]]:
    """Return the first rows of a file as JSON has them."""
    rows: list[dict[str, Any]] = []
    left = CHARACTERS
    for _line, row in islice(read_rows(path, required=(), problems=Problems()), ROWS):
        left -= len(json.dumps(row, default=str))
        if left < 0:
            break
        rows.append(row)
    return rows


def copy_with_first_rows(job: ItemImport) -> Project:
    """Return a copy of the import's project that has only the first items of its file; to be called inside `undone`.

    Raises:
        Refusal: no rows are kept, or they cannot be read without the rest of the file.
    """
    project = Project.objects.get(pk=job.project_id)
    project.pk, project.key, project._state.adding = None, f"preview-{job.pk}", True
    project.save()
    importer, problems = IMPORTERS[project.protocol.material], Problems()
    with NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in (job.findings or {}).get("first", []))
        file.flush()
        rows = importer.read(project, Path(file.name), problems, RowFilter())
        found = list(islice(rows, ITEMS.get(project.protocol.material, 1)))
    if not found or problems.found:
        raise Refusal(_("The first item of this file can't be previewed."))
    importer.store(project, found, None)
    return project
