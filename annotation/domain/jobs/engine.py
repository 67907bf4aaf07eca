"""One attempt at a job: claimed, carried out with a heartbeat, and ended."""

import logging
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import Error, OperationalError, connections, transaction
from django.db.models import Case, F, Q, QuerySet, When
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.jobs.kinds import Address, Kind, every_kind, kind_named, kind_of
from annotation.domain.languages import speaking_to
from annotation.models import Job, JobState
from annotation.models.jobs import ENDED

logger = logging.getLogger(__name__)
BEATS = 5  # heartbeats within the time after which a worker counts as lost
WAITED_FOR_PARTS = Q(state=JobState.RUNNING, heartbeat_at=None)
GRACE = 10.0  # seconds in which an attempt may end by itself after its time was up
OF_THE_DATABASE = (timedelta(seconds=30), timedelta(minutes=2), timedelta(minutes=10))
"""Waits before further tries where the database was at fault, such as by a full disk, and not the job."""
PAUSE = 0.1  # seconds between two looks at a job that another worker runs


class Overtaken(Exception):
    """The job is no longer this worker's: it was cancelled, deleted, or given to another worker."""


class TryLater(Exception):
    """The attempt came to nothing through nobody's fault; the message says why."""


def silent_since(now: datetime) -> datetime:
    """Return the moment since when a worker that is still at its job must have given a sign."""
    return now - timedelta(seconds=settings.WORKER_LOST_AFTER)


def abandoned(now: datetime) -> Q:
    """Return the condition of a job whose worker is taken for lost."""
    return Q(state=JobState.RUNNING, heartbeat_at__lt=silent_since(now))


def claimable(kind: Kind, now: datetime) -> QuerySet[Any]:
    """Return the jobs of a kind of which an attempt may begin."""
    queued = Q(Q(not_before=None) | Q(not_before__lte=now), state=JobState.WAITING)
    parts_done = Q(WAITED_FOR_PARTS, not_before__lte=now)
    few = Q(attempts__lt=F("attempts_before") + (1 if kind.lost else kind.most_tries))
    return kind.model._default_manager.filter(queued | abandoned(now) | parts_done, few, kind.ready)


def run(key: str, pk: int, now: datetime, longest: float | None = None) -> list[Address] | None:
    """Make one attempt at a job. Return the jobs to run next, or None if there was nothing to claim.

    Parameters: longest, seconds after which the job has failed and this process ends; None for a process that somebody
    started to do the job, and can stop.
    """
    kind = kind_named(key)
    job = _claim(kind, pk, now) if kind else None
    if kind is None or job is None:
        return None
    with speaking_to(job.created_by):
        try:
            with _heartbeat(job, longest):
                values = kind.work(job)
            if values is not None:
                finish(job, **values)
        except Overtaken:
            return []
        except Refusal as refusal:
            _end_if_held(job, state=JobState.FAILED, problem=str(refusal))
        except Exception as error:
            _note_error(kind, job, error)
    return kind.followers(job)


def _claim(kind: Kind, pk: int, now: datetime) -> Any | None:
    with transaction.atomic():
        claimed = (
            claimable(kind, now)
            .filter(pk=pk)
            .update(
                state=JobState.RUNNING,
                attempts=F("attempts") + 1,
                # A job that goes on after its parts began earlier.
                started_at=Case(When(WAITED_FOR_PARTS, then=F("started_at")), default=now),
                heartbeat_at=now,
                not_before=None,
            )
        )
        return kind.model._default_manager.select_related("created_by").get(pk=pk) if claimed else None


def _held(job: Job) -> QuerySet[Any]:
    return type(job)._default_manager.filter(pk=job.pk, state=JobState.RUNNING, attempts=job.attempts)


def note(job: Job, **values: Any) -> None:
    """Store how far an attempt is: its step, what is done of how much, or what it has found out.

    Raises:
        Overtaken: the job is no longer this worker's.
    """
    if not _held(job).update(**values, heartbeat_at=timezone.now()):
        raise Overtaken
    _set(job, values)


@transaction.atomic
def finish(job: Job, *, state: JobState = JobState.DONE, **values: Any) -> None:
    """Store the end of an attempt: what it found, and the state in which it leaves the job.

    Raises:
        Overtaken: the job is no longer this worker's; whatever the same transaction has stored is to be undone.
    """
    values = {"problem": "", "heartbeat_at": None, "state": state} | values
    if state in ENDED:
        values["ended_at"] = timezone.now()
    if not _held(job).update(**values):
        raise Overtaken
    _set(job, values)
    if state in ENDED:
        kind_of(job).ended(job)


def _set(job: Job, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(job, name, value)


def _end_if_held(job: Job, **values: Any) -> None:
    with suppress(Overtaken):
        finish(job, **values)


def _note_error(kind: Kind, job: Job, error: Exception) -> None:
    """Queue the job again, or end it where it has been tried often enough."""
    if isinstance(error, TryLater):
        logger.info("%s, attempt %s: %s", job, job.attempts, error)
        problem = str(error)
    else:
        logger.exception("%s %s failed.", kind.key, job.pk)
        problem = _("Something went wrong (%(error)s). The server log has the details.")
        problem %= {"error": f"{type(error).__name__}: {error}"}
    waits = (*kind.waits, *OF_THE_DATABASE) if isinstance(error, OperationalError) else kind.waits
    if kind.lost:
        _end_if_held(job, **{**kind.lost(job), "problem": problem})
    elif job.tries > len(waits):
        _end_if_held(job, state=JobState.FAILED, problem=problem)
    else:
        again_at = (job.started_at or timezone.now()) + waits[job.tries - 1]
        _end_if_held(job, state=JobState.WAITING, problem=problem, not_before=again_at)


@contextmanager
def _heartbeat(job: Job, longest: float | None) -> Iterator[None]:
    """Store, while the block runs, the time in the row again and again, in a thread with a connection of its own.

    A block that runs for longer than it may is ended with its process: nothing else stops a loop of a library.
    """
    stop = threading.Event()
    # A run that has begun to wait for its parts has no heartbeat: a late one would make it look abandoned.
    beating = _held(job).exclude(heartbeat_at=None)
    threading.Thread(target=_beat, args=(beating, stop), daemon=True).start()
    timer = threading.Timer(longest or 0, _stop_for_good, (job, stop))
    timer.daemon = True
    if longest:
        timer.start()
    try:
        yield
    finally:
        stop.set()
        timer.cancel()


def _stop_for_good(job: Job, stopped: threading.Event) -> None:
    """Store that the time of an attempt was up, and end this process if the attempt does not end by itself."""
    kind = kind_of(job)
    try:
        with speaking_to(job.created_by):
            own = kind.model._default_manager.get(pk=job.pk, attempts=job.attempts)
            failed = {"state": JobState.FAILED, "problem": _("The job took too long and was stopped.")}
            _end_if_held(own, **(kind.lost(own) if kind.lost else failed))
    except (Error, kind.model.DoesNotExist):
        logger.warning("A job that took too long could not be stopped.", exc_info=True)
    finally:
        connections.close_all()  # this thread's own
    if not stopped.wait(GRACE):
        logger.error("%s %s took too long: this process is killed and a new one starts.", kind.key, job.pk)
        os.kill(os.getpid(), signal.SIGKILL)


def _beat(row: QuerySet[Any], stop: threading.Event) -> None:
    while not stop.wait(settings.WORKER_LOST_AFTER / BEATS):
        try:
            row.update(heartbeat_at=timezone.now())
        except Error:
            # Another worker may take the job up; then the result of one of them is kept.
            logger.warning("The heartbeat could not be stored.", exc_info=True)
        finally:
            connections.close_all()  # this thread's own; also one that broke


def queue_again(ended: QuerySet[Any], **values: Any) -> int:
    """Queue jobs that have ended, with all their attempts before them. Return how many."""
    again = {"state": JobState.WAITING, "attempts_before": F("attempts"), "problem": "", "not_before": None}
    again |= {"step": "", "done": 0, "total": 0, "ended_at": None}
    return ended.filter(state__in=ENDED).update(**again | values)


def give_up(now: datetime) -> None:
    """End the jobs that lost their worker and are not tried again."""
    for kind in every_kind():
        exhausted = Q() if kind.lost else Q(attempts__gte=F("attempts_before") + kind.most_tries)
        for job in kind.model._default_manager.filter(abandoned(now), exhausted).select_related("created_by"):
            with speaking_to(job.created_by):
                failed = {"state": JobState.FAILED, "problem": _("The worker stopped responding in every attempt.")}
                _end_if_held(job, **(kind.lost(job) if kind.lost else failed))


def due(now: datetime) -> Iterator[Address]:
    """Yield the jobs to send to workers: those not sent lately, and those whose worker was lost."""
    give_up(now)
    for kind in every_kind():
        unsent = Q(heartbeat_at=None) | Q(heartbeat_at__lt=silent_since(now))
        found = list(claimable(kind, now).filter(unsent).order_by("pk").values_list("pk", flat=True))
        # What is sent now is left alone by the next sweep.
        if found:
            kind.model._default_manager.filter(pk__in=found, state=JobState.WAITING).update(heartbeat_at=now)
        yield from ((kind.key, pk) for pk in found)


def complete(job: Any) -> Any:
    """Do all of a job in this process, except what workers are doing, and return the job as it ended."""
    kind = kind_of(job)
    while job.state not in ENDED:
        now = timezone.now()
        outcomes = [run(*address, now) for address in [(kind.key, job.pk), *kind.followers(job)]]
        if all(outcome is None for outcome in outcomes):
            give_up(now)
            time.sleep(PAUSE)
        job.refresh_from_db()
    return job
