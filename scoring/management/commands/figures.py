from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.domain.errors import Refusal
from annotation.management.project_command import ProjectCommand
from annotation.models import Project
from scoring.domain.figures.render_figures import write_figures
from scoring.models import State


class Command(ProjectCommand):
    help = "Draws the figures of a run: SVG, PNG, the data as CSV, and a description in words."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--run", type=int, help="Its number; by default the last one that is done.")
        parser.add_argument("--out", help="The folder; by default figures-PROJECT here.")

    def run(self, project: Project, *, out: str | None, **options: Any) -> None:
        done = project.runs.filter(state=State.DONE).defer("results")
        run = done.filter(number=options["run"]).first() if options["run"] else done.first()
        if run is None:
            raise Refusal("There is no such run that is done; `score` makes one.")
        folder = Path(out or f"figures-{project.key}")
        for name in write_figures(run, folder):
            self.stdout.write(name)
        self.stdout.write(f"written to {folder}")
