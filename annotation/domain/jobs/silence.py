"""The notice that no worker answers, looked up so seldom that managers' pages can always ask for it."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from annotation.domain.jobs.backlog import Backlog, backlog
from annotation.domain.jobs.worker import is_recent, last_heartbeat
from annotation.models import Project

LOOKED_UP_EVERY = timedelta(seconds=20)
MOST_REMEMBERED = 1000  # projects


@dataclass(frozen=True)
class Silence:
    """No worker answers: since when, if one ever did, and what waits for it."""

    since: datetime | None
    waiting: Sequence[Backlog]


_lock = threading.Lock()
_remembered: dict[int | None, tuple[datetime, Silence | None]] = {}


def silence(now: datetime, project: Project | None) -> Silence | None:
    """Return the silence of the workers with what waits in a project, or in all; None while they answer.

    What was found is remembered by the process for a while, so that a page takes no query for it as a rule.
    """
    while_all_is_well = _remembered.get(None)
    if while_all_is_well and while_all_is_well[1] is None and now - while_all_is_well[0] < LOOKED_UP_EVERY:
        return None
    key = project.pk if project else None
    at, found = _remembered.get(key, (None, None))
    if at is None or now - at >= LOOKED_UP_EVERY:
        found = _look(now, project)
        _remember(key, now, found)
    return found


def remember_answer(at: datetime) -> None:
    """Take it that a worker has answered; until LOOKED_UP_EVERY has passed nobody asks."""
    with _lock:
        _remembered.clear()
        _remembered[None] = (at, None)


def forget() -> None:
    """Look it up the next time."""
    with _lock:
        _remembered.clear()


def _look(now: datetime, project: Project | None) -> Silence | None:
    last = last_heartbeat()
    if is_recent(last, now):
        return None
    return Silence(last, [each for each in backlog(now, project) if each.waiting and each.kind.listed])


def _remember(key: int | None, now: datetime, found: Silence | None) -> None:
    if found is None:
        remember_answer(now)
        return
    with _lock:
        if len(_remembered) >= MOST_REMEMBERED:
            _remembered.clear()
        _remembered[key] = (now, found)
