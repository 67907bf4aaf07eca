"""What Celery runs; every task may run twice without harm."""

from celery import shared_task
from django.utils import timezone

from scoring.domain import screening


@shared_task
def screen_raters() -> int:
    return screening.screen_finished(timezone.now())
