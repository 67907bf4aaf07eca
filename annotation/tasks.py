"""What Celery runs; every task may run twice without harm."""

from celery import shared_task
from django.utils import timezone

from annotation.domain import waiting


@shared_task
def beat_heart() -> None:
    waiting.beat_heart(timezone.now())


@shared_task
def end_pauses() -> int:
    return waiting.remind_the_rested(timezone.now())


@shared_task
def invite_seated() -> int:
    return waiting.invite_the_seated(timezone.now())


@shared_task
def start_waiting_imports() -> int:
    return waiting.run_waiting_imports(timezone.now())
