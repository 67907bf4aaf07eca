"""The jobs that wait for a worker, and how long they have waited."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Min, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.jobs.kinds import Kind, every_kind
from annotation.models import JobState, Project, User
from annotation.models.jobs import NOT_ENDED

MOST_OF_PROJECT, MOST_OF_PERSON = 10, 20
"""Jobs that people may have requested of a project, and a person of all projects, before one of them has ended."""


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
    """Return the backlog of every kind of job, of one project or of all; a job that is not due or not ready
    does not wait for a worker."""
    return [_of_kind(kind, now, project) for kind in every_kind()]


def _of_kind(kind: Kind, now: datetime, project: Project | None) -> Backlog:
    due = Q(Q(not_before=None) | Q(not_before__lte=now), kind.ready, state=JobState.WAITING)
    own = {kind.project: project} if project else {}
    found = kind.model._default_manager.filter(**own, state__in=NOT_ENDED).aggregate(
        waiting=Count("pk", filter=due),
        running=Count("pk", filter=Q(state=JobState.RUNNING)),
        oldest=Min("created_at", filter=due),
    )
    return Backlog(kind, **found)


def guard_queue(project: Project, actor: User | None) -> None:
    """Raise Refusal if as many jobs wait and run as a project, or a person in all projects, may have requested.

    Commands, which have no actor, are not limited.
    """
    if actor is None:
        return
    first, *others = [_requested(kind, project, actor) for kind in every_kind() if kind.listed and kind.controllable]
    jobs = list(first.union(*others, all=True))
    of_project = sum(found == project.pk for found, _person in jobs)
    of_person = sum(person == actor.pk for _found, person in jobs)
    if of_project >= MOST_OF_PROJECT or of_person >= MOST_OF_PERSON:
        reason = _("%(number)s background jobs are already queued or running. Wait until one of them has finished.")
        raise Refusal(reason % {"number": max(of_project, of_person)})


def _requested(kind: Kind, project: Project, actor: User) -> QuerySet[Any, Any]:
    wanted = Q(Q(**{kind.project: project}) | Q(created_by=actor), state__in=NOT_ENDED, created_by__isnull=False)
    return kind.model._default_manager.filter(wanted).order_by().values_list(kind.project, "created_by")
