"""What Celery runs; every task may run twice without harm."""

from typing import Any

from celery import shared_task
from celery.signals import worker_ready
from django.utils import timezone

from annotation.domain import circulars, guests, mailing, messaging, planning_jobs, waiting
from annotation.domain.crowd import paying


@shared_task
def beat_heart() -> None:
    waiting.beat_heart(timezone.now())


@worker_ready.connect
def beat_at_once(**_arguments: Any) -> None:
    """Pages would say for half a minute that no worker is there."""
    beat_heart.delay()


@shared_task
def end_pauses() -> int:
    return waiting.remind_the_rested(timezone.now())


@shared_task
def invite_seated() -> int:
    return waiting.invite_the_seated(timezone.now())


@shared_task
def start_waiting_imports() -> int:
    return waiting.run_waiting_imports(timezone.now())


@shared_task
def start_waiting_plans() -> int:
    return planning_jobs.run_waiting_plans(timezone.now)


@shared_task
def remind_of_deadlines() -> int:
    return waiting.remind_of_deadlines(timezone.now())


@shared_task
def mail_messages() -> int:
    return messaging.mail_messages(timezone.now())


@shared_task
def send_circulars() -> int:
    """To people's screens; e-mails follow at once."""
    reached = circulars.send_circulars(timezone.now)
    if reached:
        mail_messages.delay()
    return reached


@shared_task
def send_mailings() -> int:
    return mailing.send_waiting_mailings(timezone.now)


@shared_task
def pay_bonuses() -> int:
    return paying.run_waiting_payments(timezone.now)


@shared_task
def forget_the_unconfirmed() -> int:
    return guests.forget_the_unconfirmed(timezone.now())
