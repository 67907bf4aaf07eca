"""Files and releases for tests."""

from dataclasses import asdict
from io import BytesIO

from django.utils import timezone

from scoring.domain.releasing import jobs as releasing
from scoring.domain.releasing.files import splitting_of, write_files
from scoring.domain.running import jobs as running
from scoring.domain.running.snapshots import take_snapshot
from scoring.domain.running.starting import start_run
from scoring.exports.frozen import Frozen
from scoring.models import Release, Run
from scoring.summaries.storing import to_bytes


def frozen_now(project):
    """The project as a run would read it now."""
    return Frozen.read(project, timezone.now(), BytesIO(to_bytes(take_snapshot(project))))


def write_release(*, project, folder, splitting=None):
    """The data files of the project as it stands, without a run.

    Returns: the rows of each CSV and TSV file, and what is to be told.
    """
    chosen = splitting_of(project, asdict(splitting) if splitting else {})
    rows, told, _ = write_files(frozen_now(project), folder, chosen)
    return {name: number for name, number in rows.items() if name.endswith("sv")} | told


def run_of(project, **parameters) -> Run:
    """A run of the project as it stands; few splits, so that it ends soon."""
    run = start_run(project=project, actor=None, parameters={"splits": 50, "replicates": 50, **parameters})
    run = running.carry_out(run.pk)
    assert run.state == "done", run.error
    return run


def released(project, run=None, **asked) -> Release:
    run = run or run_of(project)
    release = releasing.request_release(project=project, actor=None, run=run, **asked)
    return releasing.carry_out(release.pk)


def contents(release) -> dict[str, bytes]:
    """The bytes of every file by its name."""
    found = {}
    for own in release.files.all():
        with own.file.open("rb") as file:
            found[own.name] = file.read()
    return found
