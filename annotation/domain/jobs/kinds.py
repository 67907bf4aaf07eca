"""The kinds of background work: each is one function, registered with the rules for its attempts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.module_loading import autodiscover_modules

from annotation.models import Job

Values = Mapping[str, Any]
Address = tuple[str, int]
"""The key of a kind, and the primary key of a job."""
AT_ONCE = timedelta()
A_DAY = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 480, 720))
"""Waits for a server that does not answer, in all about a day."""


def _nothing(_job: Any) -> None:
    """Do nothing: the default for what a kind does at the end of a job, or before somebody queues it again."""


def _nobody(_job: Any) -> list[Address]:
    return []


@dataclass(frozen=True, eq=False)
class Kind:
    """What the engine knows about one kind of job.

    Parameters:
        work: does the job. It returns the values with which the row ends, or None where it has called `finish` itself,
            in the transaction of what it stores.
        project: the path from the row to its project.
        waits: how long to wait before each new try after an error; when they are used up, the job has failed.
        most_tries: after which a job that loses its workers is given up.
        lost: the values with which a job ends whose worker was lost; None for a job that is tried again.
        ended: called in the transaction in which a job ends, however it ends.
        followers: the jobs to run next, once the attempt is over.
        queued_again: called in the transaction in which somebody queues a job again.
        ready: a further condition for an attempt.
        controllable: whether somebody may retry or cancel it; orders to pay money are settled elsewhere.
        listed: whether it is listed among the background jobs; parts of another job are not.
    """

    key: str
    model: type[Job]
    title: Promise
    work: Callable[[Any], Values | None]
    project: str = "project"
    waits: Sequence[timedelta] = (AT_ONCE, AT_ONCE)
    most_tries: int = 10
    lost: Callable[[Any], Values] | None = None
    ended: Callable[[Any], None] = _nothing
    followers: Callable[[Any], list[Address]] = _nobody
    queued_again: Callable[[Any], None] = _nothing
    ready: Q = field(default_factory=Q)
    controllable: bool = True
    listed: bool = True


KINDS: dict[str, Kind] = {}


def register(kind: Kind) -> Kind:
    """Add a kind to those that the sweep looks after, and return it."""
    KINDS[kind.key] = kind
    return kind


def every_kind() -> list[Kind]:
    """Return the kinds of all applications, whose tasks import the modules that register them."""
    autodiscover_modules("tasks")
    return list(KINDS.values())


def kind_named(key: str) -> Kind | None:
    """Return the kind with a key; what the others need is loaded only if it is not known yet."""
    return next((kind for kinds in _known() for kind in kinds if kind.key == key), None)


def kind_of(job: Job) -> Kind:
    """Return the kind of a job."""
    return next(kind for kinds in _known() for kind in kinds if kind.model is type(job))


def _known() -> Iterator[list[Kind]]:
    yield list(KINDS.values())
    yield every_kind()
