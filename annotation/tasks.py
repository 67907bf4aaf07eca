"""Celery tasks; every task can safely run twice."""

from typing import Any

from celery import Task, shared_task
from celery.signals import worker_ready
from django.conf import settings
from django.utils import timezone

from annotation.domain.account import expiry
from annotation.domain.jobs import engine, worker
from annotation.domain.material import jobs as _imports
from annotation.domain.material import uploads as _uploads
from annotation.domain.messages import broadcasts as _broadcasts
from annotation.domain.messages import messages, reminders
from annotation.domain.planning import jobs as _plans
from annotation.domain.recruiting import guests, waiting
from annotation.domain.recruiting import mailings as _mailings
from annotation.domain.recruiting.crowd import payment as _payments
from annotation.domain.security.log import forget_old_events

REGISTERING = (_imports, _uploads, _broadcasts, _plans, _mailings, _payments)
"""Modules that register kinds of jobs when they are imported."""


@shared_task(ignore_result=True, bind=True)
def run_job(self: Task, kind: str, pk: int) -> None:
    """Make an attempt at a job of any kind, and send the jobs that follow from it."""
    longest = None if self.request.is_eager else settings.JOB_TIME_LIMIT
    for address in engine.run(kind, pk, timezone.now(), longest) or ():
        run_job.delay(*address)


@shared_task
def sweep() -> None:
    """Send jobs that were not sent, whose worker was lost, or that are due for another attempt."""
    for address in engine.due(timezone.now()):
        run_job.delay(*address)


@shared_task
def beat_heart() -> None:
    worker.beat_heart(timezone.now())


@worker_ready.connect
def beat_at_once(**_arguments: Any) -> None:
    """Write the first heartbeat right away; otherwise pages would report a missing worker for half a minute."""
    beat_heart.delay()


@shared_task
def end_pauses() -> int:
    return reminders.remind_the_rested(timezone.now())


@shared_task
def invite_seated() -> int:
    return reminders.invite_the_seated(timezone.now())


@shared_task
def remind_of_deadlines() -> int:
    return reminders.remind_of_deadlines(timezone.now())


@shared_task
def remind_stopped() -> int:
    return reminders.remind_the_stopped(timezone.now())


@shared_task
def invite_waiting() -> None:
    for pk in waiting.invite_waiting(timezone.now()):
        run_job.delay("mailing", pk)


@shared_task
def mail_messages() -> int:
    return messages.mail_messages(timezone.now())


@shared_task
def forget_security_events() -> int:
    return forget_old_events(timezone.now())


@shared_task
def forget_the_unconfirmed() -> int:
    return guests.forget_the_unconfirmed(timezone.now())


@shared_task
def forget_waiting() -> int:
    return waiting.forget_waiting(timezone.now())


@shared_task
def forget_unanswered_uploads() -> int:
    return _uploads.forget_unanswered(timezone.now())


@shared_task
def delete_expired() -> None:
    expiry.delete_expired(timezone.now())
