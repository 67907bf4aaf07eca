"""Signs of life of the workers: of all together, which shows that tasks are carried out, and of each process."""

import hashlib
from datetime import datetime, timedelta

from annotation.models import Heartbeat

SILENCE = timedelta(minutes=2)  # without a heartbeat for this long no worker is listening
FORGOTTEN = timedelta(days=1)
ALL = "worker"
EACH = "worker "


def beat_heart(now: datetime) -> None:
    """Store that a worker carries out tasks."""
    Heartbeat.objects.update_or_create(name=ALL, defaults={"at": now})


def last_heartbeat() -> datetime | None:
    """Return when a worker carried out a task the last time that is known."""
    return Heartbeat.objects.filter(name=ALL).values_list("at", flat=True).first()


def is_recent(heartbeat: datetime | None, now: datetime) -> bool:
    """Return whether there was a heartbeat within the time after which a worker counts as silent."""
    return heartbeat is not None and now - heartbeat <= SILENCE


def worker_is_alive(now: datetime) -> bool:
    """Return whether a worker has been seen lately."""
    return is_recent(last_heartbeat(), now)


def sign_in(worker: str, now: datetime) -> None:
    """Store that a worker is there, by its name, and forget those that have long been gone."""
    Heartbeat.objects.update_or_create(name=_row(worker), defaults={"at": now})
    Heartbeat.objects.filter(name__startswith=EACH, at__lt=now - FORGOTTEN).delete()


def sign_out(worker: str) -> None:
    """Store that a worker has ended."""
    Heartbeat.objects.filter(name=_row(worker)).delete()


def living_workers(now: datetime) -> int:
    """Return the number of workers that gave a sign of life lately."""
    return Heartbeat.objects.filter(name__startswith=EACH, at__gte=now - SILENCE).count()


def _row(worker: str) -> str:
    return EACH + hashlib.sha256(worker.encode()).hexdigest()[:12]  # names of rows have up to 20 characters
