"""Answers that are stored in another order than that of their ids: a release holds what its run read, and nothing else.

On PostgreSQL an id is drawn before the answer is stored for good; a transaction that is slow to end brings a smaller
id after a greater one.
"""

import csv
import json
import threading
from contextlib import contextmanager
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from annotation.domain.judgment.saving import rate
from annotation.domain.planning.rounds import plan_round
from annotation.models import AuditEntry, Judgment
from scoring.queries import runs_of_today
from scoring.summaries.storing import TABLES
from tests.factories import NOON, add_pairs, answer_to, join, make_project, make_user, rate_next
from tests.releases.making import contents, released, run_of
from tests.releases.worlds import semrel


@pytest.fixture
def people():
    """Two people with three pairs each; both have rated one."""
    project = make_project("stss131")
    add_pairs(project, 3)
    plan_round(project=project, round_key="main", people=2)
    return [started(project, name) for name in ("early", "late")]


def started(project, name):
    place = join(project, "main", make_user(name))
    rate_next(place, "1")
    return place


def values(release):
    return [row["value"] for row in csv.DictReader(StringIO(contents(release)["judgments.csv"].decode()))]


def kept(run):
    """What a release of the run is made of, as the run counted it."""
    return run.results["overview"]["ratings"]


@contextmanager
def unended(work):
    """Does the work in a transaction of another thread, which ends for good only with the block."""
    stored, may_end = threading.Event(), threading.Event()

    def answer():
        try:
            with transaction.atomic():
                work()
                stored.set()
                may_end.wait(60)
        finally:
            stored.set()
            connection.close()

    thread = threading.Thread(target=answer)
    thread.start()
    try:
        stored.wait(60)
        yield
    finally:
        may_end.set()
        thread.join()


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
def test_an_answer_that_was_under_way_while_the_run_read_is_not_in_its_releases(people):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time: ids are stored in their order")
    early, late = people
    first = early.assignments.get(answered_at__isnull=False)

    def slow():
        rate(participation_id=early.pk, answer=answer_to(first, again=True), value="4.0", now=NOON)
        rate_next(early, "2")

    with unended(slow):
        greater = rate_next(late, "3")
        run = run_of(early.project)
    smaller = Judgment.objects.filter(assignment__participation=early).order_by("pk").last()
    assert smaller.pk < greater.pk

    before = released(early.project, run)
    assert (before.state, sorted(values(before))) == ("done", ["1.0", "1.0", "3.0"])
    assert kept(run) == 3
    assert list(runs_of_today(early.project)) == []
    after = released(early.project)
    assert sorted(values(after)) == ["1.0", "1.0", "2.0", "3.0", "4.0"]  # with the superseded one


@pytest.mark.django_db
@pytest.mark.postgres
def test_ids_stored_out_of_order(people):
    early, late = people
    rate_next(late, "3")
    free = Judgment.objects.order_by("-pk").first().pk + 1
    Judgment.objects.filter(pk=rate_next(early, "2").pk).update(id=free + 7)
    run = run_of(early.project)
    made = released(early.project, run)

    # Of a smaller id, and one that takes the place of an answer that the run read.
    screen = late.assignments.filter(answered_at__isnull=True).first()
    Judgment.objects.create(pk=free, key=answer_to(screen).key, assignment=screen, value=2.5, saved_at=NOON)
    old = late.assignments.filter(answered_at__isnull=False).first().judgments.get()
    Judgment.objects.filter(pk=old.pk).update(superseded_at=NOON)
    again = answer_to(old.assignment)
    Judgment.objects.create(pk=free + 1, key=again.key, assignment=old.assignment, value=3.5, saved_at=NOON)

    assert contents(released(early.project, run)) == contents(made)
    assert list(runs_of_today(early.project)) == []
    assert sorted(values(released(early.project))) == ["1.0", "1.0", "2.0", "2.5", "3.0", "3.5"]


@pytest.mark.django_db
@pytest.mark.postgres
def test_judgments_that_are_gone_are_told(people):
    run = run_of(people[0].project)
    Judgment.objects.first().delete()
    release = released(people[0].project, run)
    assert release.state == "failed"
    assert release.problem.endswith("The scoring run read 2 judgments, but now there are only 1. Start a new run.")


@pytest.mark.django_db
@pytest.mark.postgres
def test_a_run_of_an_earlier_version_cannot_be_released_and_says_so(people, monkeypatch):
    with monkeypatch.context() as earlier:
        earlier.setattr("scoring.summaries.storing.TABLES", {k: v for k, v in TABLES.items() if k != "sources"})
        run = run_of(people[0].project)
    release = released(people[0].project, run)
    assert (run.state, release.state) == ("done", "failed")
    assert release.problem.endswith("written by another version of Semblance. Start a new scoring run.")


@pytest.mark.django_db
def test_a_log_of_the_future_starts_no_run_twice(tmp_path, capsys):
    """Simulated people answer in a time to come, and so do their entries of the log."""
    project = semrel()
    AuditEntry.objects.create(project=project, action="left", at=timezone.now() + timedelta(days=30))
    for _ in range(2):
        call_command("release", project.key, "--out", str(tmp_path))
    assert project.runs.count() == 1

    AuditEntry.objects.create(project=project, action="left", at=timezone.now() - timedelta(days=30))
    call_command("release", project.key, "--out", str(tmp_path))
    assert project.runs.count() == 2
    assert json.loads((tmp_path / "manifest.json").read_text())["run"]["number"] == 2
