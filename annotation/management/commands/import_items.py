from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.domain.importing import import_items
from annotation.management.project_command import ProjectCommand, existing_file
from annotation.models import Project


class Command(ProjectCommand):
    help = "Brings incidents or ready pairs in: all of a file, or nothing and the list of what is wrong with it."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=existing_file, help="CSV, TSV or JSON Lines in UTF-8.")

    def run(self, project: Project, *, file: str, **options: Any) -> None:
        self.say({str(project.protocol.material): import_items(project=project, path=Path(file))})
