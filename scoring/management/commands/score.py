from typing import Any

from django.core.management.base import CommandParser

from annotation.domain.errors import Refusal
from annotation.domain.jobs.engine import complete
from annotation.management.project_command import ProjectCommand
from annotation.models import Project
from scoring.domain.runs.starting import start_run
from scoring.models import State
from scoring.summaries.tree import as_json


class Command(ProjectCommand):
    help = "Compute all statistics that apply to a project in a scoring run, and print the results as JSON."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--seed", type=int, help="Random seed. Default: the project’s seed.")
        parser.add_argument("--splits", type=int, help="Random splits for split-half reliability (default: 1000).")

    def run(self, project: Project, *, seed: int | None, splits: int | None, **options: Any) -> None:
        parameters = {} if splits is None else {"splits": splits}
        run = complete(start_run(project=project, actor=None, seed=seed, parameters=parameters))
        if run.state != State.DONE:
            raise Refusal(f"{run} failed: {run.problem}")
        self.stdout.write(as_json(run.results))
