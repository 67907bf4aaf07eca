from importlib import import_module
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.domain.errors import Refusal
from annotation.management.project_command import ProjectCommand
from annotation.models import Project
from scoring.domain.releasing.files import splitting_of
from scoring.domain.releasing.jobs import carry_out, request_release
from scoring.domain.releasing.shelf import copy_to
from scoring.exports.splits import USUAL_SIZES
from scoring.models import Release, Run, State
from scoring.queries import runs_of_today


class Command(ProjectCommand):
    help = "Makes a release of the last run, or of a new one, and copies its files into a folder."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--out", help="The folder; by default release-PROJECT here.")
        parser.add_argument("--licence", default="", help="By its SPDX name, such as CC-BY-4.0.")
        parser.add_argument(
            "--split",
            metavar="SIZES",
            help="Of best-worst scores: shares as in train=0.8,dev=0.1,test=0.1, or numbers as in train=rest,dev=250,"
            f"test=2600 (default for semrel: {USUAL_SIZES}).",
        )
        parser.add_argument("--apart", action="store_true", help="Pairs that share a sentence go to the same part.")
        parser.add_argument("--seed", type=int, help="Of the split; by default the project's.")

    def run(self, project: Project, *, out: str | None, licence: str, **asked: Any) -> None:
        folder = Path(out or f"release-{project.key}")
        options = {"sizes": asked["split"], "apart": asked["apart"], "seed": asked["seed"]}
        splitting_of(project, options)  # what cannot be done is refused before anything is computed
        run = _up_to_date_run(project)
        release = request_release(project=project, actor=None, run=run, licence=licence, options=options)
        release = carry_out(release.pk)
        if release.state != State.DONE:
            raise Refusal(release.error)
        self.say(_told(release))
        try:
            copy_to(release, folder)
        except OSError as error:
            raise Refusal(f"{folder} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"release: {release.number}\nmanifest.json: sha256 {release.sha256}\nwritten to {folder}")


def _up_to_date_run(project: Project) -> Run:
    """The last run, if nothing has happened since; else a new one, in this process."""
    run = runs_of_today(project).defer("results").first()
    if run is None:
        # What computes a run is loaded only where one is needed.
        starting, jobs = (import_module(f"scoring.domain.running.{name}") for name in ("starting", "jobs"))
        run = jobs.carry_out(starting.start_run(project=project, actor=None).pk)
    if run.state != State.DONE:
        raise Refusal(f"{run} did not end well: {run.error}")
    return run


def _told(release: Release) -> dict[str, Any]:
    """The rows of each file that has some, and what else is to be told."""
    rows = {file.name: file.rows for file in release.files.all() if file.rows is not None}
    return rows | (release.manifest or {}).get("notes", {})
