"""What a project's protocol brings in: incidents, ready pairs or dialogues."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.corpora.cleaning import Kind
from annotation.domain.errors import Refusal
from annotation.domain.importing.dialogues import read_dialogues, store_dialogues
from annotation.domain.importing.incidents import read_incidents, store_incidents
from annotation.domain.importing.pairs import read_pairs, store_pairs
from annotation.domain.importing.rows import Problems
from annotation.domain.importing.sieve import Cleaner, Decided, Sieve
from annotation.models import Participation, Project
from annotation.protocols.spec import CompleteDesign, Material

EMPTY = _("The file holds no rows; nothing was imported.")
AT_ONCE = 500  # pairs, dialogues or incidents stored together


@dataclass(frozen=True)
class Importer:
    """How one kind of material is read, row by row, and stored, many rows together."""

    read: Callable[[Project, Path, Problems, Sieve], Iterator[Any]]
    store: Callable[[Project, list[Any]], int]


IMPORTERS = {
    Material.INCIDENTS: Importer(read_incidents, store_incidents),
    Material.PAIRS: Importer(read_pairs, store_pairs),
    Material.DIALOGUES: Importer(read_dialogues, store_dialogues),
}


@transaction.atomic
def import_items(*, project: Project, path: Path, sieve: Sieve | None = None) -> int:
    """Stores what the project's protocol brings in: incidents, ready pairs or dialogues. Returns how many.

    Of dialogues the utterances are counted, for each is an item.

    Raises:
        FileRefused: with every bad row; nothing was stored.
        Refusal: the project cannot take items, or nothing of the file is left to store.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    _guard_unplanned(project)
    importer = IMPORTERS[project.protocol.material]
    problems = Problems()
    rows = importer.read(project, path, problems, sieve or Sieve())
    stored = 0
    while batch := list(islice(rows, AT_ONCE)):
        if not problems.found:
            stored += importer.store(project, batch)
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
    """Stores items with the changes that were agreed to, and without what was to be left out.

    Parameters: expletives, words that should not occur, beside those that are at hand.

    Cleaning takes its time. It is done before anything is locked, so that annotators can save their answers meanwhile.

    Raises:
        FileRefused, Refusal: as import_items does.
    """
    cleaner = Cleaner(kinds, expletives)
    if not look_through(project=project, path=path, sieve=cleaner) and cleaner.left_out:
        raise Refusal(_("With these changes nothing of the file is left; nothing was imported."))
    imported = import_items(project=project, path=path, sieve=Decided(cleaner.decisions))
    return Cleaned(imported, cleaner.changed, cleaner.left_out)


def look_through(*, project: Project, path: Path, sieve: Sieve) -> int:
    """Reads a file as for importing, so that the sieve sees every row, and stores nothing. Returns how many rows stay.

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
    complete = [one.key for one in project.protocol.rounds if isinstance(one.design, CompleteDesign)]
    if Participation.objects.filter(project=project, round__in=complete).exists():
        raise Refusal(_("The places of this project are planned already: a new pair would be shown to nobody."))
