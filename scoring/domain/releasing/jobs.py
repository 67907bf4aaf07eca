"""A release from its request to its files, claimed by an update that only one worker can win."""

import logging
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.log import write_down
from annotation.models import Project, User
from scoring.domain.releasing import shelf
from scoring.domain.releasing.files import splitting_of
from scoring.domain.releasing.making import make_files
from scoring.domain.running.pulse import alive, silent
from scoring.domain.telling import tell_release_made
from scoring.models import Release, ReleaseFile, Run, State
from scoring.queries import RELEASE_ASKED_FOR

logger = logging.getLogger(__name__)
MOST_ATTEMPTS = 10  # with those whose worker was lost
MOST_FAILURES = 3
PAUSE = 0.1  # seconds, while another worker is at it
LICENCE = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]{0,99}")
LOST = "Every worker that tried it was lost."
NOT_ENDED = (State.WAITING, State.RUNNING)


def request_release(
    *,
    project: Project,
    actor: User | None,
    run: Run | None = None,
    licence: str = "",
    options: dict[str, Any] | None = None,
) -> Release:
    """A new release, waiting for a worker.

    Parameters: run, by default the last one that is done; licence, by its SPDX name; options, of best-worst scores:
    `sizes`, `apart` and `seed` of the split.

    Raises:
        Refusal: no run to make it of, no name of a licence, or a split that makes no sense.
    """
    run = run or project.runs.filter(state=State.DONE).defer("results").first()
    if run is None:
        raise Refusal(_("No run is done yet: start one, and make the release of it when it has ended."))
    if run.project_id != project.pk or run.state != State.DONE:
        raise Refusal(_("A release is made of a run of the same project that is done."))
    if licence and not LICENCE.fullmatch(licence):
        raise Refusal(_("A licence is given by its SPDX name, such as CC-BY-4.0."))
    splitting = splitting_of(project, options or {})
    with transaction.atomic():
        project = Project.objects.select_for_update().get(pk=project.pk)
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
        write_down(RELEASE_ASKED_FOR, project, actor=actor, now=release.created_at, **details)
        return release


def make_release(release_id: int, now: datetime) -> bool:
    """Makes the files, if no other worker is at it. Returns whether this call ended the release well."""
    release = _claim(release_id, now)
    if release is None:
        return False
    own = Release.objects.filter(pk=release_id, state=State.RUNNING, attempts=release.attempts)
    try:
        with alive(own), TemporaryDirectory() as folder:
            manifest = make_files(release, Path(folder))
            files = shelf.store(release, Path(folder), manifest)
        made = _publish(release, manifest, files)
    except Refusal as refusal:
        _end_badly(release, str(refusal), for_good=True)
        return False
    except Exception as error:
        logger.exception("%s could not be made.", release)
        _end_badly(release, f"{type(error).__name__}: {error}", for_good=release.attempts >= MOST_FAILURES)
        return False
    _tidy(release)
    return made


def _claim(release_id: int, now: datetime) -> Release | None:
    due = Q(state=State.WAITING) | Q(silent(now), state=State.RUNNING)
    with transaction.atomic():
        claimed = Release.objects.filter(due, pk=release_id, attempts__lt=MOST_ATTEMPTS).update(
            state=State.RUNNING, started_at=now, heartbeat_at=now, attempts=F("attempts") + 1
        )
        return _with_its_run().get(pk=release_id) if claimed else None


def _with_its_run() -> QuerySet[Release]:
    """Without the run's results, which may be large: they are read part by part."""
    return Release.objects.select_related("project", "run").defer("run__results")


@transaction.atomic
def _publish(release: Release, manifest: dict[str, Any], files: list[ReleaseFile]) -> bool:
    """Shows the files, unless the worker was meanwhile taken for lost and another one has begun."""
    digest = next(file.sha256 for file in files if file.name == shelf.MANIFEST)
    own = Release.objects.filter(pk=release.pk, state=State.RUNNING, attempts=release.attempts)
    if not own.update(heartbeat_at=timezone.now()):
        return False
    ReleaseFile.objects.bulk_create(files)
    own.update(state=State.DONE, manifest=manifest, sha256=digest, error="", ended_at=timezone.now())
    tell_release_made(_with_its_run().get(pk=release.pk))
    return True


def _end_badly(release: Release, error: str, *, for_good: bool) -> None:
    own = Release.objects.filter(pk=release.pk, state=State.RUNNING, attempts=release.attempts)
    if for_good:
        own.update(state=State.FAILED, error=error, ended_at=timezone.now())
    else:
        own.update(state=State.WAITING, error=error, heartbeat_at=timezone.now())
    _tidy(release)


def _tidy(release: Release) -> None:
    """Files of lost attempts are of no use; where they cannot be deleted, they do no harm."""
    with suppress(Exception):
        shelf.tidy(Release.objects.select_related("project").get(pk=release.pk))


def take_up(now: datetime) -> Iterator[int]:
    """The releases that wait, or whose worker was lost; for the sweep.

    What is given out counts as alive, so that the next sweep leaves it alone.
    """
    lost = Release.objects.filter(silent(now), state=State.RUNNING, attempts__gte=MOST_ATTEMPTS)
    lost.update(state=State.FAILED, error=LOST, ended_at=now)
    for pk in Release.objects.filter(silent(now), state__in=NOT_ENDED).order_by("pk").values_list("pk", flat=True):
        waiting = Release.objects.filter(silent(now), pk=pk, state__in=NOT_ENDED)
        if waiting.update(state=State.WAITING, heartbeat_at=now):
            yield pk


def carry_out(release_id: int) -> Release:
    """The whole of a release in this process, without a worker; what a worker is at meanwhile is left to it."""
    while Release.objects.filter(pk=release_id, state__in=NOT_ENDED).exists():
        make_release(release_id, timezone.now())
        if Release.objects.filter(pk=release_id, state=State.RUNNING).exists():
            time.sleep(PAUSE)
    return Release.objects.select_related("project").get(pk=release_id)
