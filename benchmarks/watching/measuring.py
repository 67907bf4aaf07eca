"""Both projects in a database of their own, and every page of managers requested by Django's test client."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from statistics import median
from typing import Any

from django.core.management import call_command
from django.db import connection
from django.http import HttpResponseBase
from django.test import Client
from django.test.utils import CaptureQueriesContext, setup_databases, teardown_databases
from django.utils import timezone

from annotation.domain.jobs.worker import beat_heart
from annotation.models import Project, User
from benchmarks.watching.addresses import addresses
from benchmarks.watching.surroundings import surround
from benchmarks.watching.world import make_project
from scoring.models import ProjectStatistics

RUNS = 5
Sizes = dict[str, int]


@dataclass(frozen=True)
class Row:
    """A page: its queries in the small and in the large project, and the median times there in milliseconds: on the
    clock, and of the processor in the web process and in PostgreSQL. size: bytes of the answer, of a download only
    those that come first."""

    name: str
    few: int
    many: int
    milliseconds: float
    web: float
    database: float
    size: int

    @property
    def processor(self) -> float:
        return self.web + self.database


def measured(kind: str, small: Sizes, large: Sizes) -> list[Row]:
    """Return the pages that both projects have, in the order of their addresses."""
    logging.disable(logging.WARNING)  # a page that is not for GET is no surprise
    with own_database():
        call_command("collectstatic", verbosity=0, interactive=False)
        projects = {key: sized(kind, key, sizes) for key, sizes in {"small": small, "large": large}.items()}
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
            cursor.execute("SET max_parallel_workers_per_gather = 0")  # one process of PostgreSQL does all its work
        client = signed_in()
        found = {key: addresses(project) for key, project in projects.items()}
        return [row for name in found["large"] if (row := page(client, name, found))]


@contextmanager
def own_database() -> Iterator[None]:
    databases = setup_databases(verbosity=0, interactive=False)
    try:
        yield
    finally:
        teardown_databases(databases, verbosity=0)


def sized(kind: str, key: str, sizes: Sizes) -> Project:
    project = make_project(kind, key, **sizes)
    surround(project, sizes["rows"])
    # As new as they can be: pages show them, and request no others.
    ProjectStatistics.objects.filter(project=project).update(created_at=timezone.now() + timedelta(hours=1))
    return project


def signed_in() -> Client:
    client = Client(headers={"host": "testserver"})
    client.force_login(User.objects.create_superuser("boss", "boss@example.org", "a very long password"))
    return client


def page(client: Client, name: str, found: dict[str, dict[str, str]]) -> Row | None:
    """Return what a page takes; None of one that is not there, leads elsewhere, or is only for POST."""
    beat_heart(timezone.now())
    answers = {key: first_bytes(client, urls[name]) for key, urls in found.items()}
    if any(size is None for size in answers.values()):
        return None
    queries = {key: queries_of(client, urls[name]) for key, urls in found.items()}
    times = [timed(client, found["large"][name]) for _ in range(RUNS)]
    milliseconds = (1000 * median(each) for each in zip(*times, strict=True))
    return Row(name, queries["small"], queries["large"], *milliseconds, size=answers["large"] or 0)


def queries_of(client: Client, url: str) -> int:
    """Return the number of queries; the smaller of two, as some things are looked up only now and then."""
    numbers = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            first_bytes(client, url)
        numbers.append(len(queries))
    return min(numbers)


def timed(client: Client, url: str) -> tuple[float, float, float]:
    """Return the seconds of a request: on the clock, of the web process, and of its process of PostgreSQL."""
    start = time.perf_counter(), time.process_time(), database_time()
    first_bytes(client, url)
    return time.perf_counter() - start[0], time.process_time() - start[1], database_time() - start[2]


def database_time() -> float:
    """Return the processor time of this connection's process of PostgreSQL, which must run on this machine."""
    connection.ensure_connection()
    pid = connection.connection.info.backend_pid
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def first_bytes(client: Client, url: str) -> int | None:
    """Return the size of a page, or of the first piece of a download; None without one."""
    response: Any = client.get(url, secure=True)
    if response.status_code != HTTPStatus.OK:
        return None
    return len(first_piece(response))


def first_piece(response: HttpResponseBase) -> bytes:
    if not response.streaming:
        return response.content
    piece = next(iter(response.streaming_content), b"")
    response.close()
    return piece
