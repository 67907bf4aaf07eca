"""The pages of the project “large”, one after the other, as JSON; for `benchmarks.growth`, in a process of its own."""

import json
import os
import re
import time
from collections.abc import Callable
from datetime import timedelta
from statistics import median
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
django.setup()

from django.db import connection  # noqa: E402 - models need the settings first
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.utils import timezone  # noqa: E402

from annotation.domain.jobs.engine import run  # noqa: E402
from annotation.models import Annotator, Assignment, Participation, Project, User  # noqa: E402
from scoring.models import ProjectStatistics  # noqa: E402

RUNS = 5
SCREENS = 40
FIELD = re.compile(r'<input[^>]*\bname="(assignment|key)"[^>]*\bvalue="([^"]*)"')
BEST = re.compile(r'<input[^>]*\bname="best"[^>]*\bvalue="(\d+)"')


def main() -> None:
    project = Project.objects.get(key="large")
    Project.objects.update(launched_at=timezone.now())
    client = Client(headers={"hx-request": "true"})
    client.force_login(User.objects.create_superuser("boss", "boss@example.org", "a very long password"))
    person = project.participations.order_by("seat").first()
    rows = [answering(project)]
    rows.append(shown("pulse", lambda: pulse(project), runs=1))
    ProjectStatistics.objects.update(created_at=timezone.now() + timedelta(hours=1))
    place, api = f"/projects/{project.key}", f"/api/v1/projects/{project.key}"
    for name, path in {
        "progress": f"{place}/watch/",
        "people": f"{place}/people/",
        "one annotator": f"{place}/people/{person.pk}/",
        "one item": f"{place}/watch/items/{project.items.first().pk}/",
        "excluding an annotator": f"{place}/people/{person.pk}/exclude/",
        "API, progress": f"{api}/progress/",
        "API, judgments": f"{api}/judgments/",
        "API, items": f"{api}/items/",
    }.items():
        if client.get(path).status_code == 200:  # single texts, for one, have no page of an item
            rows.append(shown(name, lambda path=path: client.get(path)))
    print(json.dumps(rows))


def answering(project: Project) -> dict[str, Any]:
    """Measure an answer with the next screen, of somebody who begins."""
    user = User.objects.create_user("ann", "ann@example.org")
    person = Annotator.objects.create(project=project, user=user, external_id="ann", pseudonym="ann")
    seat = Participation.objects.create(
        project=project, round="main", seat=1_000_000, annotator=person, state="active", consented_at=timezone.now()
    )
    compares = project.tuples.exists()
    shown_ones = project.tuples.order_by("pk")[:SCREENS] if compares else project.items.order_by("pk")[:SCREENS]
    of = {"context": "free", "block": "main", "session": 1, "participation": seat}
    own = [{"tuple": one, "order": "1234"} if compares else {"item": one} for one in shown_ones]
    Assignment.objects.bulk_create(
        Assignment(position=at, lent_until=timezone.now() + timedelta(days=1) if compares else None, **of, **what)
        for at, what in enumerate(own, start=1)
    )
    client, path = Client(headers={"hx-request": "true"}), f"/my-work/{seat.pk}/"
    client.force_login(user)
    page = [client.get(path).content.decode()]

    def answer() -> None:
        given = BEST.findall(page[0])
        what = {"best": given[0], "worst": given[1]} if compares else {"value": "1"}
        page[0] = client.post(path, dict(FIELD.findall(page[0])) | what).content.decode()

    row = shown("answer", answer, runs=20)
    if seat.assignments.exclude(answered_at=None).count() != 21:
        raise SystemExit("The answers were not saved.")
    return row


def pulse(project: Project) -> None:
    """Take the statistics as after a new answer."""
    row, _ = ProjectStatistics.objects.update_or_create(project=project, defaults={"basis": None, "state": "waiting"})
    run("statistics", row.pk, timezone.now())


def shown(name: str, work: Callable[[], object], *, runs: int = RUNS) -> dict[str, Any]:
    """Return the median of some runs, after one whose queries are counted."""
    with CaptureQueriesContext(connection) as queries:
        start = time.process_time(), time.perf_counter()
        work()
        used = [(time.process_time() - start[0], time.perf_counter() - start[1])]
    number = len(queries)  # the next request empties the list
    if runs > 1:
        used = [timed(work) for _ in range(runs)]
    processor, elapsed = (median(each) for each in zip(*used, strict=True))
    return {"name": name, "processor": processor, "elapsed": elapsed, "further": f"{number} queries"}


def timed(work: Callable[[], object]) -> tuple[float, float]:
    start = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - start[0], time.perf_counter() - start[1]


if __name__ == "__main__":
    main()
