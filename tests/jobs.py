"""What workers do with the jobs that wait, in the process of the test."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from annotation.domain.jobs.engine import claimable, due, run
from annotation.domain.jobs.kinds import kind_named, kind_of

LOST = timedelta(seconds=settings.WORKER_LOST_AFTER)
SECOND = timedelta(seconds=1)


def claimable_of(kind, now):
    """The ids of the jobs of a kind that a worker may claim, the oldest first."""
    return list(claimable(kind_named(kind), now).order_by("pk").values_list("pk", flat=True))


def work_off(kind, now):
    """One attempt at each job of a kind that is due, the oldest first; how many attempts there were."""
    return sum(run(kind, pk, now) is not None for pk in claimable_of(kind, now))


def attempt(job, now=None):
    """One attempt at a job, if it can be claimed; its state afterwards."""
    run(kind_of(job).key, job.pk, now or timezone.now())
    job.refresh_from_db()
    return job.state


def swept(kind, now):
    """The ids of the jobs of a kind that a sweep sends to workers."""
    return [pk for key, pk in due(now) if key == kind]
