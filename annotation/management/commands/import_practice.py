from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from annotation.domain.practice.importing import import_practice
from annotation.management.project_command import ProjectCommand, existing_file
from annotation.models import Project


class Command(ProjectCommand):
    help = "Brings worked examples, practice and check tasks in, in the place of those there are, unless answered."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=existing_file, help="JSON Lines, or for pairs also CSV or TSV, in UTF-8.")

    def run(self, project: Project, *, file: str, **options: Any) -> None:
        self.say(import_practice(project=project, path=Path(file), now=timezone.now()))
