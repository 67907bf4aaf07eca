from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.management.project_command import ProjectCommand
from annotation.models import Project
from scoring.domain.releasing import write_release


class Command(ProjectCommand):
    help = "Writes the dataset: judgments.csv and the files of the project's paper."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--out", help="The folder; by default release-PROJECT here.")

    def run(self, project: Project, *, out: str | None, **options: Any) -> None:
        folder = Path(out or f"release-{project.key}")
        self.say(write_release(project=project, folder=folder))
        self.stdout.write(f"written to {folder}")
