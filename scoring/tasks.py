"""The tasks of Celery; every task may run twice without harm."""

from celery import shared_task
from django.utils import timezone

from annotation.tasks import run_job
from scoring.domain.exclusion import screening
from scoring.domain.figures import render_figures
from scoring.domain.machines import jobs as machines
from scoring.domain.monitoring import statistics
from scoring.domain.notifications import digests, events, mailing
from scoring.domain.rehearsals import jobs as rehearsals
from scoring.domain.releases import jobs as releases
from scoring.domain.runs import jobs as runs
from scoring.domain.stopping import looks
from scoring.domain.uploads import jobs as uploads
from scoring.domain.webhooks import webhook_delivery

REGISTERING = (looks, machines, render_figures, statistics, rehearsals, releases, runs, uploads, webhook_delivery)
"""Modules that register kinds of jobs when they are imported."""


@shared_task
def screen_raters() -> int:
    return screening.screen_ended(timezone.now())


@shared_task
def emit_found() -> int:
    return events.emit_found(timezone.now())


@shared_task
def mail_notices() -> int:
    return mailing.mail_notices(timezone.now())


@shared_task
def send_digests() -> int:
    return digests.send_digests(timezone.now())


@shared_task
def measure_projects() -> None:
    for pk in statistics.request_of_running(timezone.now()):
        run_job.delay("statistics", pk)
