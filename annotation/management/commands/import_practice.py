from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from annotation.domain.practice.importing import import_practice
from annotation.management.project_command import ProjectCommand, existing_file
from annotation.models import Project


class Command(ProjectCommand):
    help = (
        "Import worked examples, practice tasks and check tasks. They replace the existing ones, "
        "unless an annotator has already answered one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=existing_file, help="JSON Lines in UTF-8. For pairs also CSV or TSV.")

    def run(self, project: Project, *, file: str, **options: Any) -> None:
        self.say(import_practice(project=project, path=Path(file), now=timezone.now()))
