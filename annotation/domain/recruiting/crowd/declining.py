"""People from a platform who decline to take part: their visit ends, and their place becomes free."""

from datetime import datetime

from django.db import transaction

from annotation.domain.digests import lasting_digest
from annotation.domain.participation.lifecycle import leave
from annotation.domain.recruiting.crowd.arrival import Arrival, place_at, study_of
from annotation.models import CrowdRefusal, Project
from annotation.queries.people import ENDED

REASON = "Did not agree to take part."


@transaction.atomic
def decline(*, arrival: Arrival, now: datetime) -> bool:
    """End a visit with a refusal; a place that an earlier round gave the person is free again. Return whether it ended.

    It does not end once the person has agreed: then they leave on the pages of their work.
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
    """Return whether this visit was declined. The platform knows it and would not pay for work done afterwards."""
    return CrowdRefusal.objects.filter(study=arrival.study, visit=_visit(arrival)).exists()


def _visit(arrival: Arrival) -> str:
    """Return a digest of the IDs that does not lead back to the person."""
    return lasting_digest(f"visit {arrival.study} {arrival.submission}").hex()
