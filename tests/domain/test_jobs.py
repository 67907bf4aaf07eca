"""The engine of background work: claims, ends, retries, and what people do about jobs."""

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from django.core.files.base import ContentFile
from django.db import OperationalError
from django.utils import timezone

from annotation.domain.errors import Refusal
from annotation.domain.jobs import engine
from annotation.domain.jobs.control import cancel, listed_jobs, retry
from annotation.domain.jobs.engine import Overtaken, finish, note
from annotation.domain.jobs.kinds import KINDS
from annotation.models import AuditEntry, BonusPayment, Item, ItemImport, RoundPlan
from scoring.domain.runs.starting import start_run
from scoring.models import Delivery, Rehearsal, Release
from tests.crowds import make_study
from tests.factories import NOON, add_pairs, at_once, make_project
from tests.jobs import LOST, SECOND, attempt, claimable_of, swept
from tests.runs.projects import relatedness

PAIRS = "id,sentence1,sentence2\np1,One.,Two.\n"
pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return make_project()


def an_import(project, text=PAIRS, **values) -> ItemImport:
    return project.imports.create(file=ContentFile(text.encode(), "pairs.csv"), name="pairs.csv", **values)


def claimed(job, now=NOON):
    """The job as the worker has it that has just claimed it."""
    return engine._claim(engine.kind_of(job), job.pk, now)


@pytest.mark.django_db(transaction=True)
def test_one_of_many_workers_claims_a_job():
    job = an_import(make_project())
    attempts = at_once(*[partial(claimed, job)] * 4)
    assert [one.attempts for one in attempts if one is not None] == [1]


def test_whoever_was_taken_for_lost_can_store_nothing(project):
    first = claimed(an_import(project))
    second = claimed(first, NOON + LOST + SECOND)
    for late in (partial(finish, first, imported=9), partial(note, first, step="late")):
        with pytest.raises(Overtaken):
            late()
    finish(second, imported=1)
    second.refresh_from_db()
    assert (second.state, second.imported, second.attempts) == ("done", 1, 2)


def test_a_job_waits_until_its_time(project):
    job = an_import(project, not_before=NOON)
    assert [claimable_of("import", now) for now in (NOON - SECOND, NOON)] == [[], [job.pk]]


def test_a_sweep_sends_what_waits_and_then_leaves_it_alone_for_a_while(project):
    job = an_import(project)
    sent = [swept("import", NOON + wait) for wait in (timedelta(), LOST, LOST + SECOND)]
    assert sent == [[job.pk], [], [job.pk]]


def test_a_failed_import_is_retried(project, user):
    job = an_import(project, "id,sentence1\n")
    assert attempt(job) == "failed"
    job.file.save("pairs.csv", ContentFile(PAIRS.encode()))
    retry(job=job, actor=user, now=NOON)
    assert (attempt(job), job.attempts, job.tries, job.problem, job.problems) == ("done", 2, 1, "", [])
    entry = AuditEntry.objects.get(action="job retried")
    assert (entry.actor, entry.details) == (user, {"kind": "import", "job": job.pk})


def test_a_cancelled_job_stores_nothing(project, user):
    job = claimed(an_import(project))
    cancel(job=ItemImport.objects.get(), actor=user, now=NOON)
    engine.kind_of(job)
    with pytest.raises(Overtaken):
        engine.kind_of(job).work(job)
    job.refresh_from_db()
    assert (job.state, Item.objects.count()) == ("cancelled", 0)
    assert AuditEntry.objects.get().action == "job cancelled"


@pytest.mark.parametrize("state", ["done", "failed", "uncertain", "cancelled"])
def test_what_has_ended_is_not_cancelled(project, user, state):
    job = an_import(project, state=state)
    with pytest.raises(Refusal, match="cannot be cancelled"):
        cancel(job=job, actor=user, now=NOON)
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("state", ["waiting", "running", "asking", "done", "uncertain"])
def test_only_what_failed_or_was_cancelled_is_retried(project, user, state):
    job = an_import(project, state=state)
    with pytest.raises(Refusal, match="cannot be retried"):
        retry(job=job, actor=user, now=NOON)


@pytest.mark.parametrize("state", ["waiting", "running", "failed", "uncertain"])
def test_money_is_neither_retried_nor_cancelled(user, state):
    payment = BonusPayment.objects.create(study=make_study(), state=state)
    for act in (retry, cancel):
        with pytest.raises(Refusal):
            act(job=payment, actor=user, now=NOON)
    payment.refresh_from_db()
    assert payment.state == state


def test_a_cancelled_run_ends_with_its_parts_and_begins_anew(user):
    run = start_run(project=relatedness("project"), actor=None, parameters={"splits": 4, "replicates": 4})
    parts = [pk for _kind, pk in engine.run("run", run.pk, timezone.now())]
    cancel(job=run, actor=user, now=NOON)
    assert engine.run("part", parts[0], timezone.now()) is None
    retry(job=run, actor=user, now=NOON)
    assert (engine.complete(run).state, run.attempts) == ("done", 3)
    assert not run.parts.filter(pk__in=parts).exists()


def test_a_rehearsal_is_not_retried_beside_another(project, user):
    job = Rehearsal.objects.create(project=project, state="failed")
    Rehearsal.objects.create(project=project)
    with pytest.raises(Refusal, match="already running"):
        retry(job=job, actor=user, now=NOON)
    job.refresh_from_db()
    assert job.state == "failed"


def test_jobs_of_all_kinds_are_listed_in_one_query(project, django_assert_num_queries):
    run = start_run(project=project, actor=None)
    hook = project.webhooks.create(url="https://example.org/", secret="s")
    others = [
        an_import(project, state="failed", problem="No."),
        RoundPlan.objects.create(project=project, round="main", seed=0),
        Rehearsal.objects.create(project=project),
        Release.objects.create(project=project, number=1, run=run, code_version="1"),
        Delivery.objects.create(webhook=hook, event="test", key="1", payload={}),
    ]
    an_import(make_project(key="other"))
    with django_assert_num_queries(1):
        rows = list(listed_jobs(project=project))
    kinds = [engine.kind_of(job).key for job in (run, *others)]
    assert [(row["kind"], row["project_key"]) for row in rows] == [(kind, "project") for kind in reversed(kinds)]
    assert len(listed_jobs()) == len(rows) + 1
    assert [row["problem"] for row in listed_jobs(state="failed")] == ["No."]


def test_an_error_of_the_program_is_told_and_logged(project, caplog):
    add_pairs(project, 1)
    job = RoundPlan.objects.create(project=project, round="main", seed=0)
    type(project).objects.update(seed=-1)  # what no generator takes
    assert attempt(job) == "failed"
    assert job.problem.startswith("Something went wrong (ValueError: ")
    assert f"plan {job.pk} failed." in caplog.text


def test_a_job_outlasts_a_database_without_space(project, monkeypatch):
    job = an_import(project)

    def full(_job):
        raise OperationalError("could not extend file: No space left on device")

    monkeypatch.setitem(KINDS, "import", replace(engine.kind_of(job), work=full))
    now, states = NOON, []
    for _ in range(4):
        engine.run("import", job.pk, now)
        job.refresh_from_db()
        states.append(job.state)
        now = job.not_before or now
    assert states == ["waiting"] * 3 + ["failed"]
    assert now - NOON == sum(engine.OF_THE_DATABASE, timedelta())
