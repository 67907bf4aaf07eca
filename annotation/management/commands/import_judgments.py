from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from annotation.domain.importing import import_judgments
from annotation.management.project_command import ProjectCommand, existing_file
from annotation.models import Project


class Command(ProjectCommand):
    help = "Brings in ratings that were collected elsewhere: columns item, annotator, value, and some optional ones."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=existing_file, help="CSV, TSV or JSON Lines in UTF-8.")
        parser.add_argument("--round", dest="round_key", help="Of rows that name none; needed with several rounds.")

    def run(self, project: Project, *, file: str, round_key: str | None, **options: Any) -> None:
        stored = import_judgments(project=project, path=Path(file), round_key=round_key, now=timezone.now())
        self.say({"judgments": stored})
