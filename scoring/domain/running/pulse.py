"""Signs of life of whoever is at a step of a job."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.conf import settings
from django.db import Error, connections
from django.db.models import Q, QuerySet
from django.utils import timezone

logger = logging.getLogger(__name__)
SIGNS = 5  # in the time after which a worker counts as lost


def silent(now: datetime) -> Q:
    """Rows whose worker, or whose message, is taken for lost."""
    long_ago = now - timedelta(seconds=settings.WORKER_LOST_AFTER)
    return Q(heartbeat_at__isnull=True) | Q(heartbeat_at__lt=long_ago)


@contextmanager
def alive(row: QuerySet) -> Iterator[None]:
    """While the block runs, a thread with a connection of its own notes the time in the row, again and again."""
    stop = threading.Event()
    threading.Thread(target=_beat, args=(row, stop), daemon=True).start()
    try:
        yield
    finally:
        stop.set()


def _beat(row: QuerySet, stop: threading.Event) -> None:
    while not stop.wait(settings.WORKER_LOST_AFTER / SIGNS):
        try:
            row.update(heartbeat_at=timezone.now())
        except Error:
            # Whoever takes the step up meanwhile computes the same, and only one result is kept.
            logger.warning("A sign of life could not be written.", exc_info=True)
        finally:
            connections.close_all()  # this thread's own; also one that broke
