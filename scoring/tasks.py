"""The tasks of Celery; every task may run twice without harm."""

from celery import shared_task
from django.utils import timezone

from scoring.domain.exclusion import screening
from scoring.domain.figures import render_figures
from scoring.domain.monitoring import statistics
from scoring.domain.rehearsals import jobs as rehearsals
from scoring.domain.releases import jobs as releases
from scoring.domain.runs import jobs as runs
from scoring.domain.webhooks import webhook_delivery

REGISTERING = (render_figures, statistics, rehearsals, releases, runs)
"""Modules that register kinds of jobs when they are imported."""


@shared_task
def screen_raters() -> int:
    return screening.screen_ended(timezone.now())


@shared_task
def tell_finished_rounds() -> int:
    return webhook_delivery.emit_finished_rounds(timezone.now())
