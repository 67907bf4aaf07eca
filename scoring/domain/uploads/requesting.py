"""Tokens for archives, uploads and publications, as owners request them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.jobs.backlog import guard_queue
from annotation.domain.jobs.engine import queue_again
from annotation.models import Project, User
from annotation.models.jobs import NOT_ENDED
from scoring.domain.uploads import huggingface, zenodo
from scoring.domain.uploads.transport import Client
from scoring.models import ArchiveToken, DataArchive, Release, State, Upload
from scoring.models.audit_actions import ScoringAction


@dataclass(frozen=True)
class Service:
    """How an archive is used. guard: returns the name of an upload, or refuses it."""

    guard: Callable[[Release, str], str]
    upload: Callable[[Upload, Client], None]
    publish: Callable[[Upload, Client], dict[str, Any]]


_ZENODO = Service(zenodo.guard, zenodo.upload, zenodo.publish)
SERVICES = MappingProxyType(
    {
        DataArchive.HUGGING_FACE: Service(huggingface.guard, huggingface.upload, huggingface.publish),
        DataArchive.ZENODO: _ZENODO,
        DataArchive.SANDBOX: _ZENODO,
    }
)


def client_of(project: Project, archive: str) -> Client:
    """Return the archive with the project's token. Raise Refusal if there is none."""
    stored = project.archive_tokens.filter(archive=archive).first()
    title = str(DataArchive(archive).label)
    if stored is None or not stored.token:
        raise Refusal(_("This project has no token for %(archive)s yet. Save one first.") % {"archive": title})
    return Client(title, settings.DATA_ARCHIVES[archive], stored.token)


@transaction.atomic
def save_archive_token(*, project: Project, archive: str, token: str, actor: User, now: datetime) -> None:
    """Store the project's token for an archive, or remove it if it is empty. Nobody is shown it again."""
    token = token.strip()
    if not token:
        removed, _rows = project.archive_tokens.filter(archive=archive).delete()
        action = ScoringAction.ARCHIVE_TOKEN_REMOVED
    else:
        values = {"token": token, "saved_by": actor, "saved_at": now}
        ArchiveToken.objects.update_or_create(project=project, archive=archive, defaults=values)
        removed, action = 1, ScoringAction.ARCHIVE_TOKEN_SAVED
    if removed:
        write_down(action, project, actor=actor, now=now, archive=archive)


@transaction.atomic
def request_upload(*, release: Release, archive: str, name: str, actor: User, now: datetime) -> Upload:
    """Store and return a queued upload of a release as a private draft; one that failed is queued again.

    Raises:
        Refusal: there is no token, the release is not finished, the archive needs something else, the upload is there
            already, or too many jobs wait.
    """
    project = release.project
    if release.state != State.DONE:
        raise Refusal(_("The release is not finished."))
    client_of(project, archive)
    name = SERVICES[DataArchive(archive)].guard(release, name)
    guard_queue(project, actor)
    upload, new = Upload.objects.get_or_create(
        release=release, archive=archive, name=name, defaults={"created_by": actor}
    )
    if not new and (upload.uploaded_at is not None or not _again(upload, {})):
        raise Refusal(_("This release is already there, or is being uploaded."))
    write_down(ScoringAction.RELEASE_UPLOADED, project, actor=actor, now=now, **_about(upload))
    return upload


@transaction.atomic
def request_publication(*, upload: Upload, actor: User, now: datetime) -> None:
    """Queue an uploaded draft to be published. Raise Refusal if it is not complete, or published already."""
    upload = Upload.objects.select_for_update(of=("self",)).get(pk=upload.pk)
    if upload.published_at is not None:
        raise Refusal(_("This upload is already public."))
    if upload.uploaded_at is None or upload.state in NOT_ENDED:
        raise Refusal(_("The upload is not complete yet."))
    guard_queue(upload.release.project, actor)
    _again(upload, {"publishing": True})
    write_down(ScoringAction.UPLOAD_PUBLISHED, upload.release.project, actor=actor, now=now, **_about(upload))


def _again(upload: Upload, values: dict[str, Any]) -> bool:
    """Queue an upload that has ended, and return whether it had."""
    ended = Upload.objects.filter(pk=upload.pk)
    ended.update(**values) if values else None
    queued = bool(queue_again(ended))
    upload.refresh_from_db()
    return queued


def _about(upload: Upload) -> dict[str, Any]:
    return {"release": upload.release.number, "archive": upload.archive, "name": upload.name}
