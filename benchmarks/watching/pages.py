"""A large project in the middle of the work, and the pages that watch it."""

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from statistics import median
from uuid import UUID

import numpy as np
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, setup_databases, teardown_databases
from django.utils import timezone
from numpy.typing import NDArray

from annotation.domain.jobs.engine import run
from annotation.domain.project.creation import create_project, preset_values
from annotation.models import Annotator, Assignment, Item, Judgment, Participation, Project, User
from scoring.models import ProjectStatistics

PEOPLE, ITEMS, FURTHER_ITEMS, RUNS = 500, 200, 99_800, 9
NEWER = {
    "overview": "",
    "items": "items/",
    "items by mean": "items/?sort=-value",
    "items with a text": "items/?find=further",
    "answers": "answers/",
    "answers of one item": "answers/?item=p7",
    "known labels": "labels/",
    "waiting list": "recruiting/waiting/",
    "quotas": "recruiting/quotas/",
    "crowd platforms": "recruiting/studies/",
    "new Prolific study": "recruiting/studies/prolific/",
    "addresses": "recruiting/addresses/",
    "setup": "setup/",
    "audit log": "log/",
}
ELSEWHERE = {
    "projects": "/projects/",
    "notifications": "/account/notifications/",
    "administration": "/administration/",
    "accounts": "/administration/accounts/",
}
BEGIN = datetime(2026, 3, 2, tzinfo=UTC)


def main() -> None:
    databases = setup_databases(verbosity=0, interactive=False)
    try:
        print(
            f"{connection.vendor}, {PEOPLE} annotators, {PEOPLE * ITEMS:,} judgments, {ITEMS + FURTHER_ITEMS:,} items; "
            f"median and maximum of {RUNS} runs, and the median of the web process alone"
        )
        measure(make_project())
    finally:
        teardown_databases(databases, verbosity=0)


def make_project() -> Project:
    """A project in the middle of the work: most people are done, some are at it, some want a look."""
    generator = np.random.default_rng(0)
    project = create_project(key="large", now=BEGIN, **preset_values("stss131"))
    items = Item.objects.bulk_create(
        Item(project=project, key=f"p{place}", position=place, sentence1="One.", sentence2="Two.")
        for place in range(ITEMS)
    )
    Item.objects.bulk_create(
        Item(
            project=project,
            key=f"f{place}",
            position=ITEMS + place,
            sentence1="A further one.",
            sentence2="Two.",
            gold=place % 100 == 0 or None,
        )
        for place in range(FURTHER_ITEMS)
    )
    people = Annotator.objects.bulk_create(
        Annotator(project=project, external_id=f"person-{place}", pseudonym=f"A{place:04}") for place in range(PEOPLE)
    )
    seats = Participation.objects.bulk_create(
        Participation(project=project, round="main", seat=place, annotator=person, state="active", pool="raters")
        for place, person in enumerate(people, start=1)
    )
    truth = generator.random(ITEMS) * 4
    for seat in seats:
        rate_all(seat, items, truth, generator)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return project


def rate_all(
    seat: Participation, items: Sequence[Item], truth: NDArray[np.float64], generator: np.random.Generator
) -> None:
    """Every item rated by one person, near its true value, at some time within two days."""
    begun = BEGIN + timedelta(hours=float(generator.random() * 48))
    times = [begun + timedelta(seconds=7 * place) for place in range(len(items))]
    assignments = Assignment.objects.bulk_create(
        Assignment(
            participation=seat,
            session=1,
            context="free",
            block="main",
            position=place,
            item=item,
            shown_at=shown,
            answered_at=shown + timedelta(seconds=6),
        )
        for place, (item, shown) in enumerate(zip(items, times, strict=True), start=1)
    )
    values = np.clip(np.round(truth + generator.normal(0, 0.4, len(items)), 1), 0, 4).tolist()
    Judgment.objects.bulk_create(
        Judgment(
            assignment=assignment,
            key=UUID(bytes=generator.bytes(16)),
            value=value,
            saved_at=assignment.answered_at,
            answered_ms=6000,
            active_ms=5500,
        )
        for assignment, value in zip(assignments, values, strict=True)
    )


def measure(project: Project) -> None:
    client = Client(headers={"hx-request": "true"})
    client.force_login(User.objects.create_superuser("boss", "boss@example.org", "a very long password"))
    show("computing the statistics (worker)", lambda: take_anew(project), runs=3)
    ProjectStatistics.objects.update(created_at=timezone.now() + timedelta(hours=1))
    person = project.participations.first().pk
    watch = f"/projects/{project.key}/watch/"
    for name, path in {
        "progress page": watch,
        "people": f"/projects/{project.key}/people/",
        "annotators by active time": f"/projects/{project.key}/people/?sort=-active",
        "flagged annotators": f"/projects/{project.key}/people/?only=flagged",
        "one annotator": f"/projects/{project.key}/people/{person}/",
        "excluding an annotator": f"/projects/{project.key}/people/{person}/exclude/",
        **{name: f"/projects/{project.key}/{path}" for name, path in NEWER.items()},
        **ELSEWHERE,
        "one item": f"{watch}items/{project.items.first().pk}/",
    }.items():
        assert client.get(path).status_code == 200, path
        show(name, lambda path=path: client.get(path))
    effect = f"/projects/{project.key}/people/{person}/exclude/effect/"
    show("effect of an exclusion, loaded afterwards", lambda: client.get(effect), runs=3)


def show(name: str, work: Callable[[], object], *, runs: int = RUNS) -> None:
    seconds, processor = [], []
    for _ in range(runs):
        start = time.perf_counter(), time.process_time()
        work()
        seconds.append(time.perf_counter() - start[0])
        processor.append(time.process_time() - start[1])
    with CaptureQueriesContext(connection) as queries:
        work()
    print(
        f"{name:28} {1000 * median(seconds):7.0f} ms {1000 * max(seconds):7.0f} ms "
        f"{1000 * median(processor):7.0f} ms of processor {len(queries):3} queries",
        flush=True,
    )


def take_anew(project: Project) -> None:
    """As after a new answer: the same basis again would be no work."""
    values = {"basis": None, "state": "waiting"}
    row, _created = ProjectStatistics.objects.update_or_create(project=project, defaults=values)
    run("statistics", row.pk, timezone.now())
