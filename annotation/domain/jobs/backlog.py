"""What waits for a worker, and for how long."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q

from annotation.domain.jobs.kinds import Kind, every_kind
from annotation.models import JobState, Project
from annotation.models.jobs import NOT_ENDED


@dataclass(frozen=True)
class Backlog:
    """The jobs of a kind: how many wait and run, and since when the oldest has been waiting."""

    kind: Kind
    waiting: int
    running: int
    oldest: datetime | None

    def oldest_seconds(self, now: datetime) -> float:
        """Return the age of the oldest waiting job in seconds; 0 if none waits."""
        return max((now - self.oldest).total_seconds(), 0.0) if self.oldest else 0.0


def backlog(now: datetime, project: Project | None = None) -> Sequence[Backlog]:
    """Return the backlog of every kind of job, of one project or of all; a retry that is not due yet does not wait."""
    return [_of_kind(kind, now, project) for kind in every_kind()]


def _of_kind(kind: Kind, now: datetime, project: Project | None) -> Backlog:
    due = Q(Q(not_before=None) | Q(not_before__lte=now), state=JobState.WAITING)
    own = {kind.project: project} if project else {}
    found = kind.model._default_manager.filter(**own, state__in=NOT_ENDED).aggregate(
        waiting=Count("pk", filter=due),
        running=Count("pk", filter=Q(state=JobState.RUNNING)),
        oldest=Min("created_at", filter=due),
    )
    return Backlog(kind, **found)
