"""Import of the material of a project: incidents, ready pairs, single texts or dialogues."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.corpora.cleaning import Kind
from annotation.domain.errors import Refusal
from annotation.domain.material.dialogues import read_dialogues, store_dialogues
from annotation.domain.material.incidents import read_incidents, store_incidents
from annotation.domain.material.pairs import read_pairs, read_texts, store_ready
from annotation.domain.material.row_filters import Cleaner, ReplayFilter, RowFilter
from annotation.domain.material.rows import Problems
from annotation.models import ItemImport, Participation, Project
from annotation.protocols.terms import Material

EMPTY = _("The file has no rows, so nothing was imported.")
AT_ONCE = 500  # pairs, texts, dialogues or incidents stored together


@dataclass(frozen=True)
class Importer:
    """How one kind of material is read, row by row, and stored, many rows together."""

    read: Callable[[Project, Path, Problems, RowFilter], Iterator[Any]]
    store: Callable[[Project, list[Any], ItemImport | None], int]


IMPORTERS = {
    Material.INCIDENTS: Importer(read_incidents, store_incidents),
    Material.PAIRS: Importer(read_pairs, store_ready),
    Material.TEXTS: Importer(read_texts, store_ready),
    Material.DIALOGUES: Importer(read_dialogues, store_dialogues),
}


@transaction.atomic
def import_items(
    *, project: Project, path: Path, sieve: RowFilter | None = None, item_import: ItemImport | None = None
) -> int:
    """Store the material of a project's protocol. Return the number of incidents, pairs, texts or utterances.

    Parameters: item_import, the import of a manager to which the rows belong, so that it can be undone.

    Raises:
        FileRefused: with every bad row; nothing was stored.
        Refusal: the project cannot take items, or nothing of the file is left to store.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    _guard_unplanned(project)
    importer = IMPORTERS[project.protocol.material]
    problems = Problems()
    rows = importer.read(project, path, problems, sieve or RowFilter())
    stored = 0
    while batch := list(islice(rows, AT_ONCE)):
        if not problems.found:
            stored += importer.store(project, batch, item_import)
    problems.refuse()
    if not stored:
        raise Refusal(EMPTY)
    return stored


@dataclass(frozen=True)
class Cleaned:
    """What came of a file that was cleaned on its way in."""

    imported: int
    changed: int
    left_out: int


def import_cleaned(
    *, project: Project, path: Path, kinds: Collection[Kind], expletives: Collection[str] = ()
) -> Cleaned:
    """Store items with the changes that were agreed to, and without what was to be left out.

    Cleaning takes its time. It is done before anything is locked, so that annotators can save their answers meanwhile.

    Parameters: expletives, unwanted words besides those of ENGLISH_EXPLETIVES.

    Raises:
        FileRefused, Refusal: as import_items does.
    """
    cleaner = clean(project=project, path=path, kinds=kinds, expletives=expletives)
    imported = import_items(project=project, path=path, sieve=ReplayFilter(cleaner.decisions))
    return Cleaned(imported, cleaner.changed, cleaner.left_out)


def clean(*, project: Project, path: Path, kinds: Collection[Kind], expletives: Collection[str]) -> Cleaner:
    """Return what is to be changed and left out when the file is imported; nothing is stored.

    Raises:
        FileRefused: with every bad row.
        Refusal: the project cannot take items, or nothing of the file would be left.
    """
    cleaner = Cleaner(kinds, expletives)
    if not look_through(project=project, path=path, sieve=cleaner) and cleaner.left_out:
        raise Refusal(
            _("These changes would leave out every row of the file, so nothing was imported. Choose fewer changes.")
        )
    return cleaner


def look_through(*, project: Project, path: Path, sieve: RowFilter) -> int:
    """Read a file as for importing, so that the filter sees every row, and store nothing. Return how many rows stay.

    Raises:
        FileRefused: with every bad row.
        Refusal: the project cannot take items.
    """
    _guard_unplanned(project)
    problems = Problems()
    rows = sum(1 for _ in IMPORTERS[project.protocol.material].read(project, path, problems, sieve))
    problems.refuse()
    return rows


def _guard_unplanned(project: Project) -> None:
    complete = [round_.key for round_ in project.protocol.rounds if round_.design.complete]
    if Participation.objects.filter(project=project, round__in=complete).exists():
        raise Refusal(
            _("Items can't be imported any more: the places are already planned, and no annotator would see new items.")
        )
