from importlib import import_module
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.domain.errors import Refusal
from annotation.domain.jobs.engine import complete
from annotation.management.project_command import ProjectCommand
from annotation.models import Project
from scoring.domain.releases.files import splitting_of
from scoring.domain.releases.jobs import request_release
from scoring.domain.releases.release_storage import copy_to
from scoring.exports.splits import USUAL_SIZES
from scoring.models import Release, Run, State
from scoring.queries import runs_of_today


class Command(ProjectCommand):
    help = "Create a release from the latest scoring run, or from a new one, and copy its files to a folder."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--out", help="Output folder. Default: release-PROJECT in the current directory.")
        parser.add_argument("--licence", default="", help="SPDX identifier, for example CC-BY-4.0.")
        parser.add_argument(
            "--split",
            metavar="SIZES",
            help=(
                "Split of best-worst scores: shares, for example train=0.8,dev=0.1,test=0.1, or numbers, for example "
                f"train=rest,dev=250,test=2600 (default for presets that always split: {USUAL_SIZES})."
            ),
        )
        parser.add_argument("--apart", action="store_true", help="Keep pairs that share a sentence in the same part.")
        parser.add_argument("--seed", type=int, help="Random seed of the split. Default: the project’s seed.")

    def run(self, project: Project, *, out: str | None, licence: str, **asked: Any) -> None:
        folder = Path(out or f"release-{project.key}")
        options = {"sizes": asked["split"], "apart": asked["apart"], "seed": asked["seed"]}
        splitting_of(project, options)  # what cannot be done is refused before anything is computed
        run = _up_to_date_run(project)
        release = complete(request_release(project=project, actor=None, run=run, licence=licence, options=options))
        if release.state != State.DONE:
            raise Refusal(release.problem)
        self.say(_summary(release))
        try:
            copy_to(release, folder)
        except OSError as error:
            raise Refusal(f"Cannot write to {folder}: {error.strerror}.") from error
        self.stdout.write(f"release: {release.number}\nmanifest.json: sha256 {release.sha256}\nwritten to {folder}")


def _up_to_date_run(project: Project) -> Run:
    """Return the last run if it is up to date; else compute a new one in this process."""
    run = runs_of_today(project).defer("results").first()
    if run is None:
        # The modules that compute a run are loaded only if one is needed.
        run = complete(import_module("scoring.domain.runs.starting").start_run(project=project, actor=None))
    if run.state != State.DONE:
        raise Refusal(f"{run} failed: {run.problem}")
    return run


def _summary(release: Release) -> dict[str, Any]:
    """Return the rows of each file that has some, and the notes."""
    rows = {file.name: file.rows for file in release.files.all() if file.rows is not None}
    return rows | (release.manifest or {}).get("notes", {})
