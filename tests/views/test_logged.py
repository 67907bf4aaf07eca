"""What members start is in the log: who asked for it, and for what."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.domain.jobs.engine import complete
from annotation.models import AuditEntry, Project
from scoring.domain.runs.starting import start_run
from scoring.queries import runs_of_today
from tests.api.worlds import caller_of, done_release, member, rated_project
from tests.factories import NOON, add_pairs, make_project, make_user, rate_next, rating_round
from tests.views.sending import client_of


@pytest.fixture
def project(db) -> Project:
    project = make_project()
    add_pairs(project, 2)
    return project


@pytest.fixture
def client(project) -> Client:
    return client_of(member(project, "manager"))


def last(project: Project) -> tuple[str, str, dict]:
    return project.audit_entries.order_by("-pk").values_list("action", "actor__username", "details").first()


def test_a_plan_that_is_asked_for_is_in_the_log(client, project):
    client.post("/projects/project/plans/", {"round": "main", "people": "3"})

    details = {"plan": project.plans.get().pk, "round": "main", "people": 3, "calibration": []}
    assert last(project) == ("plan asked for", "manager", details)


def test_an_import_is_in_the_log(client, project):
    file = SimpleUploadedFile("more.csv", b"id,sentence1,sentence2\nx,One.,Two.\n")

    client.post("/projects/project/import/", {"file": file})

    details = {"import": project.imports.get().pk, "file": "more.csv"}
    assert last(project) == ("import asked for", "manager", details)


def test_runs_and_releases_are_in_the_log_and_leave_a_run_up_to_date(db):
    project = rated_project()
    client = client_of(member(project, "manager"))
    complete(start_run(project=project, actor=None))

    client.post("/projects/project/releases/", {"run": "1", "licence": "CC-BY-4.0"})
    assert last(project) == ("release asked for", "manager", {"release": 1, "run": 1, "licence": "CC-BY-4.0"})
    assert runs_of_today(project).get().number == 1
    client.post("/projects/project/runs/", {"seed": "7"})
    assert last(project) == ("run started", "manager", {"run": 2, "seed": 7})


def test_a_model_that_is_compared_is_in_the_log(db):
    place = rating_round(make_user("ann"), 5)
    for value in "01234":
        rate_next(place, value)
    project = place.project
    complete(start_run(project=project, actor=None))
    done_release(project)
    caller = caller_of(member(project, "researcher"))
    predictions = {item.key: number**2 for number, item in enumerate(project.items.order_by("key"))}

    answer = caller.send(
        "/api/v1/projects/project/evaluations/", {"model": "mine", "release": 1, "predictions": predictions}
    )

    assert answer.status_code == 201
    assert last(project) == ("model compared", "researcher", {"release": 1, "evaluation": answer.json()["id"]})


def test_the_log_calls_actions_and_details_by_their_names(client, project):
    AuditEntry.objects.create(project=project, action="restored", at=NOON)
    AuditEntry.objects.create(project=project, action="restored", details={"withdrawn": 7}, at=NOON)

    page = client.get("/projects/project/log/?action=restored")

    assert "<strong>reinstated</strong>" in page.text
    assert "<summary>reinstated</summary>" in page.text
    assert "<dt>place withdrawn</dt><dd>7</dd>" in page.text
    assert '<option value="restored" selected>reinstated</option>' in page.text
