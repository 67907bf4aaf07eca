"""A release from its request to its files."""

import re
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.jobs.backlog import guard_queue
from annotation.domain.jobs.engine import Overtaken, finish
from annotation.domain.jobs.kinds import Kind, register
from annotation.models import Project, User
from annotation.models.jobs import NOT_ENDED
from scoring.domain.notifications.events import emit_release_made
from scoring.domain.releases import release_storage
from scoring.domain.releases.files import splitting_of
from scoring.domain.releases.making import make_files
from scoring.models import Release, ReleaseFile, Run, State
from scoring.models.audit_actions import ScoringAction
from scoring.summaries.storing import OutdatedRun

LICENCE = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]{0,99}")


def request_release(
    *,
    project: Project,
    actor: User | None,
    run: Run | None = None,
    licence: str = "",
    options: dict[str, Any] | None = None,
) -> Release:
    """Store and return a queued release.

    Parameters: run, by default the last one that is done; licence, by its SPDX name; options, of best-worst scores:
    `sizes`, `apart` and `seed` of the split.

    Raises: Refusal if there is no run to release, the licence or the split is invalid, or too many jobs wait already.
    """
    run = run or project.runs.filter(state=State.DONE).defer("results").first()
    if run is None:
        raise Refusal(_("No scoring run has finished yet. Start one, and create the release when it has finished."))
    if run.project_id != project.pk or run.state != State.DONE:
        raise Refusal(_("Choose a finished scoring run of this project."))
    return _queue(project, actor, run, licence, options or {})


def release_after(*, run: Run, actor: User | None, licence: str = "") -> Release:
    """Store and return a release that waits for its run, and is made once the run is done.

    Raises: Refusal as `request_release`.
    """
    return _queue(run.project, actor, run, licence, {})


def _queue(project: Project, actor: User | None, run: Run, licence: str, options: dict[str, Any]) -> Release:
    if licence and not LICENCE.fullmatch(licence):
        raise Refusal(_("Enter the licence as an SPDX identifier, for example CC-BY-4.0."))
    splitting = splitting_of(project, options)
    with transaction.atomic():
        project = Project.objects.select_for_update().get(pk=project.pk)
        guard_queue(project, actor)
        last = project.releases.aggregate(last=Max("number"))["last"] or 0
        release = Release.objects.create(
            project=project,
            number=last + 1,
            run=run,
            title=project.title,
            licence=licence,
            options=asdict(splitting) if splitting else {},
            code_version=settings.CODE_VERSION,
            created_by=actor,
        )
        details = {"release": release.number, "run": run.number, "licence": licence}
        write_down(ScoringAction.RELEASE_REQUESTED, project, actor=actor, now=release.created_at, **details)
        return release


def make_release(release: Release) -> None:
    """Make the files of a release, and publish them. Raise Refusal if the scores cannot be split as requested;
    Overtaken if another worker has begun it or it was cancelled."""
    release.run = Run.objects.defer("results").get(pk=release.run_id)  # they may be large: they are read part by part
    with TemporaryDirectory() as folder:
        try:
            manifest = make_files(release, Path(folder))
        except OutdatedRun as error:
            raise Refusal(str(error)) from error
        files = release_storage.store(release, Path(folder), manifest)
    try:
        _publish(release, manifest, files)
    except Overtaken:
        _tidy(release.pk)
        raise


@transaction.atomic
def _publish(release: Release, manifest: dict[str, Any], files: list[ReleaseFile]) -> None:
    digest = next(file.sha256 for file in files if file.name == release_storage.MANIFEST)
    finish(release, manifest=manifest, sha256=digest)
    ReleaseFile.objects.bulk_create(files)


def _end(release: Release) -> None:
    if release.state == State.DONE:
        emit_release_made(release)
    transaction.on_commit(partial(_tidy, release.pk))


def _tidy(release_id: int) -> None:
    """Delete the files of lost attempts; where that fails, they do no harm."""
    with suppress(Exception):
        release_storage.tidy(Release.objects.select_related("project").get(pk=release_id))


def _guard_run(release: Release) -> None:
    """Raise Refusal if a release is queued again whose run will never be done."""
    if release.run.state not in (State.DONE, *NOT_ENDED):
        raise Refusal(_("The scoring run of this release did not finish. Retry the run first."))


# No join: see the condition of the parts of a run.
RUN_IS_DONE = Q(Exists(Run.objects.filter(pk=OuterRef("run"), state=State.DONE)))
register(
    Kind(
        "release",
        Release,
        gettext_lazy("Release"),
        make_release,
        ended=_end,
        queued_again=_guard_run,
        ready=RUN_IS_DONE,
    )
)
