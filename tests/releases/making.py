"""Files and releases for tests."""

from dataclasses import asdict
from io import BytesIO

from django.utils import timezone

from annotation.domain.jobs.engine import complete
from scoring.domain.releases import jobs as releasing
from scoring.domain.releases.files import splitting_of, write_files
from scoring.domain.runs.snapshots import take_snapshot
from scoring.domain.runs.starting import start_run
from scoring.exports.snapshot_view import SnapshotView
from scoring.models import Release, Run
from scoring.summaries.storing import to_bytes


def frozen_now(project):
    """The project as a run would read it now."""
    return SnapshotView.read(project, timezone.now(), BytesIO(to_bytes(take_snapshot(project))))


def write_release(*, project, folder, splitting=None):
    """The data files of the project as it stands, without a run.

    Returns: the rows of each CSV and TSV file, and what is to be told.
    """
    chosen = splitting_of(project, asdict(splitting) if splitting else {})
    written = write_files(frozen_now(project), folder, chosen)
    return {name: number for name, number in written.rows.items() if name.endswith("sv")} | written.notes


def run_of(project, **parameters) -> Run:
    """A run of the project as it stands; few splits, so that it ends soon."""
    run = start_run(project=project, actor=None, parameters={"splits": 10, "replicates": 5, **parameters})
    run = complete(run)
    assert run.state == "done", run.problem
    return run


def released(project, run=None, **asked) -> Release:
    run = run or run_of(project)
    return complete(releasing.request_release(project=project, actor=None, run=run, **asked))


def contents(release) -> dict[str, bytes]:
    """The bytes of every file by its name."""
    found = {}
    for own in release.files.all():
        with own.file.open("rb") as file:
            found[own.name] = file.read()
    return found
