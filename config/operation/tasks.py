"""Workers: the request ID travels with a task, the log stays Django's, and each worker gives signs of life."""

import logging
import resource
from importlib import import_module
from typing import Any

from celery import bootsteps, signals
from django.conf import settings
from django.db import Error, connections
from django.utils import timezone

from config.operation.context import REQUEST_ID, TASK

logger = logging.getLogger(__name__)
EVERY = 30.0  # seconds between two signs of life
LIBRARIES = "scipy.optimize", "scipy.signal", "scipy.sparse.csgraph", "scipy.sparse.linalg", "scipy.special"
"""What scipy would load when a job first uses it."""


@signals.worker_init.connect
def load_libraries(**_signal: Any) -> None:
    """Load what jobs compute with while there is one thread: two that load it together can wait for each other.

    Processes that the worker forks share the memory.
    """
    for name in LIBRARIES:
        import_module(name)


@signals.worker_init.connect
def limit_memory(**_signal: Any) -> None:
    """Let a job that takes too much memory fail alone; processes that the worker forks have the same limit."""
    most, (_soft, hard) = settings.WORKER_MEMORY_LIMIT * 1024**2, resource.getrlimit(resource.RLIMIT_DATA)
    if hard == resource.RLIM_INFINITY or most < hard:
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


@signals.before_task_publish.connect
def send_request_id(headers: dict[str, Any], **_signal: Any) -> None:
    """Send the ID of the request, or of the task that sends, with a task."""
    if number := REQUEST_ID.get():
        headers["request_id"] = number


@signals.task_prerun.connect
def take_request_id(task_id: str, task: Any, **_signal: Any) -> None:
    """Log under the ID that came with the task; a task of the schedule has only its own."""
    TASK.set(task.name)
    if not task.request.is_eager:
        received = getattr(task.request, "request_id", None)
        REQUEST_ID.set(received or task_id)
        logger.log(logging.INFO if received else logging.DEBUG, "task")


@signals.task_postrun.connect
def forget_request_id(task: Any, **_signal: Any) -> None:
    if not task.request.is_eager:
        REQUEST_ID.set("")
    TASK.set("")


@signals.setup_logging.connect
def keep_logging(**_signal: Any) -> None:
    """Keep the log as the settings say: without a receiver Celery adds handlers and formats of its own."""


class SignsOfLife(bootsteps.StartStopStep):
    """A part of a worker that stores, as long as its loop runs, that it is there."""

    requires = ("celery.worker.components:Timer",)

    def __init__(self, worker: Any, **options: Any) -> None:
        super().__init__(worker, **options)
        self.timer: Any = None

    def start(self, worker: Any) -> None:
        self._sign_in(worker.hostname)
        self.timer = worker.timer.call_repeatedly(EVERY, self._sign_in, (worker.hostname,))

    def stop(self, worker: Any) -> None:
        if self.timer:
            self.timer.cancel()
        self._store("sign_out", worker.hostname)

    def _sign_in(self, name: str) -> None:
        self._store("sign_in", name, timezone.now())

    def _store(self, act: str, *values: Any) -> None:
        # Models are not loaded when the application is made.
        from annotation.domain.jobs import worker as workers  # noqa: PLC0415

        try:
            getattr(workers, act)(*values)
        except Error:
            logger.warning("The heartbeat could not be stored.", exc_info=True)
        finally:
            connections.close_all()  # processes that this one forks must not share its connection
