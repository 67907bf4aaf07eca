"""Uploads as jobs: an attempt continues where the one before it ended."""

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.domain.jobs.engine import note
from annotation.domain.jobs.kinds import A_DAY, Kind, Values, register
from scoring.domain.uploads.requesting import SERVICES, client_of
from scoring.models import DataArchive, Upload


def carry_out(upload: Upload) -> Values:
    """Upload what is missing, and publish the draft if somebody asked for it. Raise Refusal if the archive refuses;
    TryLater if it cannot be reached."""
    service = SERVICES[DataArchive(upload.archive)]
    client = client_of(upload.release.project, upload.archive)
    if upload.uploaded_at is None:
        service.upload(upload, client)
        note(upload, uploaded_at=timezone.now())
    if not upload.publishing or upload.published_at is not None:
        return {}
    return service.publish(upload, client) | {"published_at": timezone.now()}


register(Kind("upload", Upload, _("Upload of a release"), carry_out, project="release__project", waits=A_DAY))
