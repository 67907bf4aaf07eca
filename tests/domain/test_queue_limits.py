"""How many jobs may wait, and how long and with how much memory each may be at work."""

import signal
import subprocess
import sys
from textwrap import dedent

import pytest

from annotation.domain.errors import Refusal
from annotation.domain.jobs import backlog
from annotation.domain.jobs.control import cancel, retry
from annotation.models import RoundPlan
from scoring.domain.runs.starting import start_run
from scoring.models import Run
from tests.api.worlds import caller_of, member
from tests.config.surroundings import ROOT
from tests.factories import NOON, make_project, make_user
from tests.importing.files import write
from tests.runs.working import Embedded
from tests.views.sending import client_of

FULL = "10 background jobs are already queued or running. Wait until one of them has finished."


def test_a_token_queues_as_many_runs_as_a_project_may_have(db):
    project = make_project()
    caller = caller_of(member(project, "researcher"))
    answers = [
        caller.post(f"/api/v1/projects/{project.key}/runs/", {}, content_type="application/json") for _ in range(13)
    ]

    assert [answer.status_code for answer in answers] == [201] * 10 + [422] * 3
    assert answers[-1].json()["detail"] == FULL
    assert Run.objects.count() == 10


def test_pages_say_why_nothing_more_is_queued(user):
    project = make_project()
    client = client_of(member(project, "manager"))
    for _ in range(backlog.MOST_OF_PROJECT):
        start_run(project=project, actor=user)
    plan = {"round": "main", "people": "2"}
    pages = [client.post(f"/projects/{project.key}/{page}/", sent) for page, sent in (("runs", {}), ("plans", plan))]

    assert [(page.status_code, FULL in page.text) for page in pages] == [(422, True)] * 2
    assert not RoundPlan.objects.exists()


@pytest.mark.postgres
def test_a_person_is_counted_in_all_projects_and_commands_nowhere(db):
    person, other = make_user("person"), make_user("other")
    for number in range(backlog.MOST_OF_PERSON):
        start_run(project=make_project(key=f"p{number}"), actor=person)
    project = make_project()

    with pytest.raises(Refusal, match="20 background jobs"):
        start_run(project=project, actor=person)
    start_run(project=project, actor=other)
    start_run(project=project, actor=None)


@pytest.mark.postgres
def test_a_job_that_ended_makes_room_and_a_retried_one_takes_it(user):
    project = make_project()
    first, *_others = [start_run(project=project, actor=user) for _ in range(backlog.MOST_OF_PROJECT)]
    cancel(job=first, actor=user, now=NOON)
    start_run(project=project, actor=user)

    with pytest.raises(Refusal, match="10 background jobs"):
        retry(job=first, actor=user, now=NOON)


ENDLESS = """
    from dataclasses import replace
    from django.utils import timezone
    from annotation.domain.jobs import engine
    from annotation.domain.jobs.kinds import kind_named, register
    from annotation.models import Project
    from tests.factories import make_project
    engine.GRACE = 0.5
    plan = make_project().plans.create(round="main", seed=0)
    register(replace(kind_named("plan"), work=lambda _job: all(each == 0 for each in iter(int, 1))))
    engine.run("plan", plan.pk, timezone.now(), 1.0)
"""


@pytest.mark.slow
def test_a_job_that_does_not_end_is_ended_with_its_process(template, tmp_path):
    data = Embedded(tmp_path, template)
    command = [sys.executable, "manage.py", "shell", "--verbosity", "0", "-c", dedent(ENDLESS)]
    ended = subprocess.run(command, cwd=ROOT, env=data.environment, timeout=60)

    assert ended.returncode == -signal.SIGKILL
    assert data.rows("SELECT state, problem FROM annotation_roundplan") == [
        ("failed", "The job took too long and was stopped.")
    ]


@pytest.mark.thorough
def test_a_job_that_fills_the_memory_fails_and_others_go_on(template, tmp_path):
    worker = Embedded(tmp_path, template, WORKER_MEMORY_LIMIT=700)
    bomb = write(tmp_path, '{"id": 1, "more": [' + "[]," * 6_000_000 + "[]]}\n")
    worker.do("from tests.runs import projects; projects.relatedness('project')")
    worker.start()
    try:
        asking = f"""
            from django.core.files.base import ContentFile
            from annotation.models import Project, ItemImport
            from annotation.tasks import run_job
            file = ContentFile(open({str(bomb)!r}, "rb").read(), "bomb.jsonl")
            job = ItemImport.objects.create(project=Project.objects.get(), file=file, name="bomb.jsonl")
            run_job.delay("import", job.pk)
            print(job.pk)
        """
        bombs = [int(line) for line in worker.do(asking)]
        assert worker.wait_for(bombs, table="annotation_itemimport") == ["failed"]
        problems = worker.rows("SELECT problem FROM annotation_itemimport WHERE id = ?", bombs[0])
        worker.kill()  # it may have ended by itself where it could start no thread; then it is started again
        worker.start()
        assert worker.wait_for(worker.start_runs({"splits": 20, "replicates": 20})) == ["done"]
    finally:
        worker.kill()

    assert "MemoryError" in problems[0][0]
