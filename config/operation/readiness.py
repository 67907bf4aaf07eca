"""Checks of everything that an installation needs, each with its state and how long it took."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection
from django.utils import timezone

from annotation.domain.jobs.worker import is_recent, last_heartbeat
from config.celery import app
from config.operation.privacy import without_personal_data

OK, DEGRADED, FAILING = "ok", "degraded", "failing"
LASTS = 5.0  # seconds for which what was found is not looked up again, however many ask
STORAGE_LASTS = 60.0  # a check of a bucket is billed
LONGEST_PROBLEM = 300  # characters


@dataclass(frozen=True)
class Check:
    """What was found of one part of the installation; `needed` if no page can be served without it."""

    name: str
    needed: bool
    problem: str
    milliseconds: float

    def as_json(self) -> dict[str, Any]:
        state = {"name": self.name, "state": FAILING if self.problem else OK, "ms": self.milliseconds}
        return state | ({"problem": self.problem} if self.problem else {})


@dataclass(frozen=True)
class Readiness:
    """What was found of all parts."""

    checks: Sequence[Check]

    @property
    def status(self) -> str:
        """Return `failing` if no page can be served, `degraded` if something else is wrong, else `ok`."""
        failing = [check for check in self.checks if check.problem]
        return FAILING if any(check.needed for check in failing) else DEGRADED if failing else OK


def _check_database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM django_migrations")
        return "" if cursor.fetchone()[0] else "The database has no tables. Run manage.py migrate."


def _check_broker() -> str:
    with app.connection_for_write() as broker:
        broker.ensure_connection(max_retries=1, timeout=2)
    return ""


def _check_worker() -> str:
    last, now = last_heartbeat(), timezone.now()
    if is_recent(last, now):
        return ""
    if last is None:
        return "No worker has responded yet."
    return f"No worker has responded for {(now - last).total_seconds():.0f} s."


def _check_storage() -> str:
    name = default_storage.save(f"health/{uuid4().hex}", ContentFile(b"x" * 4096))
    default_storage.delete(name)
    return ""


PARTS: tuple[tuple[str, bool, float, Callable[[], str]], ...] = (
    ("database", True, LASTS, _check_database),
    ("broker", False, LASTS, _check_broker),
    ("worker", False, LASTS, _check_worker),
    ("storage", False, STORAGE_LASTS, _check_storage),
)
_lock = threading.Lock()
_found: dict[str, tuple[float, Check]] = {}


def readiness() -> Readiness:
    """Return what was found of every part, as a rule at most a few seconds ago.

    One thread at a time checks. The others do not wait for it, except for the first time: a part that does not answer
    must not keep all threads of a process.
    """
    known = len(_found) == len(PARTS)
    if _lock.acquire(blocking=not known):
        try:
            for part in PARTS:
                _look_at(*part)
        finally:
            _lock.release()
    return Readiness([_found[name][1] for name, *_rest in PARTS])


def forget() -> None:
    """Check everything anew the next time."""
    _found.clear()


def _look_at(name: str, needed: bool, lasts: float, check: Callable[[], str]) -> None:
    if name in _found and time.monotonic() < _found[name][0]:
        return
    if check is _check_worker and _found["database"][1].problem:
        found = Check(name, needed, "Unknown while the database does not respond.", 0.0)
    else:
        found = _checked(name, needed, check)
    _found[name] = (time.monotonic() + (LASTS if found.problem else lasts), found)


def _checked(name: str, needed: bool, check: Callable[[], str]) -> Check:
    begun = time.perf_counter()
    try:
        problem = check()
    except Exception as error:  # whatever is wrong is what is asked for
        problem = without_personal_data(f"{type(error).__name__}: {error}")[:LONGEST_PROBLEM]
    return Check(name, needed, problem, round(1000 * (time.perf_counter() - begun), 1))
