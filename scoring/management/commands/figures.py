from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.domain.errors import Refusal
from annotation.management.project_command import ProjectCommand
from annotation.models import Project
from scoring.domain.figures.render_figures import write_figures
from scoring.models import State


class Command(ProjectCommand):
    help = "Render the figures of a scoring run as SVG and PNG, with the data as CSV and a description in words."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--run", type=int, help="Run number. Default: the latest finished run.")
        parser.add_argument("--out", help="Output folder. Default: figures-PROJECT in the current directory.")

    def run(self, project: Project, *, out: str | None, **options: Any) -> None:
        done = project.runs.filter(state=State.DONE).defer("results")
        run = done.filter(number=options["run"]).first() if options["run"] else done.first()
        if run is None:
            raise Refusal("There is no such finished run. Start one with `score`.")
        folder = Path(out or f"figures-{project.key}")
        for name in write_figures(run, folder):
            self.stdout.write(name)
        self.stdout.write(f"written to {folder}")
