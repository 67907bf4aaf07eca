"""People from a platform who do not want to take part: their visit ends, and their place is somebody else's."""

import hashlib
import hmac
from datetime import datetime

from django.conf import settings
from django.db import transaction

from annotation.domain.crowd.arriving import Arrival, place_at, study_of
from annotation.domain.participation import leave
from annotation.models import CrowdRefusal, Project
from annotation.queries import ENDED

REASON = "Did not agree to take part."


@transaction.atomic
def decline(*, arrival: Arrival, now: datetime) -> bool:
    """Ends a visit with a no; a place that an earlier round gave the person is free again. Returns whether it ended.

    It does not once the person has agreed: then they leave on the pages of their work.
    """
    study = study_of(arrival)
    place = place_at(study, arrival.worker)
    if place is not None and place.consented_at is not None:
        return False
    if place is not None and place.state not in ENDED:
        leave(participation_id=place.pk, reason=REASON, now=now)
    Project.objects.select_for_update().get(pk=study.project_id)
    CrowdRefusal.objects.get_or_create(study=study, visit=_visit(arrival), defaults={"at": now})
    return True


def has_declined(arrival: Arrival) -> bool:
    """Whether this visit ended with a no. The platform was told so, and would pay nothing for work done afterwards."""
    return CrowdRefusal.objects.filter(study=arrival.study, visit=_visit(arrival)).exists()


def _visit(arrival: Arrival) -> str:
    """Of the ids nothing is kept that leads back to the person."""
    message = f"visit {arrival.study} {arrival.submission}".encode()
    return hmac.digest(settings.SECRET_KEY.encode(), message, hashlib.sha256).hex()
