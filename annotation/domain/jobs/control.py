"""What people do about background jobs: list them, retry one, cancel one."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import CharField, F, QuerySet, Value
from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.jobs.backlog import guard_queue
from annotation.domain.jobs.engine import queue_again
from annotation.domain.jobs.kinds import Kind, every_kind, kind_of
from annotation.models import Job, JobState, Project, User
from annotation.models.audit_actions import Action

REPEATED = (JobState.FAILED, JobState.CANCELLED)
CANCELLABLE = (JobState.WAITING, JobState.RUNNING, JobState.ASKING)
COLUMNS = tuple("kind id project_key project_title state attempts done total problem created_at ended_at".split())


def listed_jobs(*, project: Project | None = None, state: str = "") -> QuerySet[Any, dict[str, Any]]:
    """Return the jobs of all kinds, the newest first, each with COLUMNS; one query for all of them.

    Parameters: project, only its jobs; state, only jobs in it.
    """
    filters: dict[str, Any] = {"state": state} if state else {}
    first, *others = [_rows(kind, project, filters) for kind in every_kind() if kind.listed]
    return first.union(*others, all=True).order_by("-created_at", "kind", "-id")


def _rows(kind: Kind, project: Project | None, filters: dict[str, Any]) -> QuerySet[Any, dict[str, Any]]:
    # Copies made for a rehearsal are nobody's.
    path: dict[str, Any] = {kind.project: project} if project else {f"{kind.project}__rehearsal_of": None}
    annotated = kind.model._default_manager.filter(**filters, **path).annotate(
        kind=Value(kind.key, CharField()),
        project_key=F(f"{kind.project}__key"),
        project_title=F(f"{kind.project}__title"),
    )
    return annotated.order_by().values(*COLUMNS)


def can_retry(kind: Kind, state: str) -> bool:
    """Return whether somebody may queue such a job again."""
    return kind.controllable and state in REPEATED


def can_cancel(kind: Kind, state: str) -> bool:
    """Return whether somebody may cancel such a job."""
    return kind.controllable and state in CANCELLABLE


def project_of(job: Any) -> Project:
    """Return the project that a job belongs to."""
    for name in kind_of(job).project.split("__"):
        job = getattr(job, name)
    return job


@transaction.atomic
def retry(*, job: Job, actor: User, now: datetime) -> None:
    """Queue a job again that failed or was cancelled.

    Raises:
        Refusal: it did not fail and was not cancelled, is of a kind that is never retried, or too many jobs wait.
    """
    guard_queue(project_of(job), actor)
    kind, again = kind_of(job), type(job)._default_manager.filter(pk=job.pk, state__in=REPEATED)
    if not kind.controllable or not queue_again(again):
        raise Refusal(_("This job cannot be retried."))
    job.refresh_from_db()
    kind.queued_again(job)
    write_down(Action.JOB_RETRIED, project_of(job), actor=actor, now=now, kind=kind.key, job=job.pk)


@transaction.atomic
def cancel(*, job: Job, actor: User, now: datetime) -> None:
    """Cancel a job; nothing is kept of a worker that is running it.

    Raises:
        Refusal: it has ended, or jobs of its kind cannot be cancelled.
    """
    kind = kind_of(job)
    open_ = type(job)._default_manager.filter(pk=job.pk, state__in=CANCELLABLE)
    if not kind.controllable or not open_.update(state=JobState.CANCELLED, ended_at=now, problem="", heartbeat_at=None):
        raise Refusal(_("This job cannot be cancelled."))
    job.refresh_from_db()
    kind.ended(job)
    write_down(Action.JOB_CANCELLED, project_of(job), actor=actor, now=now, kind=kind.key, job=job.pk)
