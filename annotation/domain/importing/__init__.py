"""Files into items and judgments: all of a file, or nothing and the list of what is wrong with it."""

from pathlib import Path

from django.db import transaction

from annotation.domain.errors import Refusal
from annotation.domain.importing.incidents import import_incidents
from annotation.domain.importing.judgments import import_judgments
from annotation.domain.importing.pairs import import_pairs
from annotation.domain.importing.rows import FileRefused, Problem, Problems
from annotation.models import Participation, Project
from annotation.protocols.spec import CompleteDesign, Material

__all__ = ["FileRefused", "Problem", "import_items", "import_judgments"]

IMPORTERS = {Material.INCIDENTS: import_incidents, Material.PAIRS: import_pairs}


@transaction.atomic
def import_items(*, project: Project, path: Path) -> int:
    """Stores what the project's protocol brings in: incidents or ready pairs. Returns how many.

    Raises:
        FileRefused: with every bad row; nothing was stored.
        Refusal: the project cannot take items, or the file has none.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    importer = IMPORTERS.get(project.protocol.material)
    if importer is None:
        raise Refusal(f"Importing {project.protocol.material} is not possible yet.")
    _guard_unplanned(project)
    problems = Problems()
    stored = importer(project, path, problems)
    problems.refuse()
    if not stored:
        raise Refusal("The file holds no rows; nothing was imported.")
    return stored


def _guard_unplanned(project: Project) -> None:
    complete = [one.key for one in project.protocol.rounds if isinstance(one.design, CompleteDesign)]
    if Participation.objects.filter(project=project, round__in=complete).exists():
        raise Refusal("The places of this project are planned already: a new pair would be shown to nobody.")
