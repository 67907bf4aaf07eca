"""What members start is in the log: who asked for it, and for what."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.models import AuditEntry, Membership, Project
from scoring.domain.running.jobs import carry_out
from scoring.domain.running.starting import start_run
from scoring.queries import runs_of_today
from tests.annotation.test_admin import page_of, superuser_client
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
    carry_out(start_run(project=project, actor=None).pk)

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
    carry_out(start_run(project=project, actor=None).pk)
    done_release(project)
    caller = caller_of(member(project, "researcher"))
    predictions = {item.key: number**2 for number, item in enumerate(project.items.order_by("key"))}

    answer = caller.send(
        "/api/v1/projects/project/evaluations/", {"model": "mine", "release": 1, "predictions": predictions}
    )

    assert answer.status_code == 201
    assert last(project) == ("model compared", "researcher", {"release": 1, "evaluation": answer.json()["id"]})


def test_members_that_an_administrator_changes_are_in_the_log(project):
    root, person = superuser_client(), make_user("new")
    path = page_of(Project, "change", project.pk)
    fields = {"title": project.title, "language": "en", "guidelines": "G", "consent": "C"}
    inline = {"memberships-TOTAL_FORMS": "1", "memberships-INITIAL_FORMS": "0"}

    root.post(path, fields | inline | {"memberships-0-user": person.pk, "memberships-0-role": "researcher"})
    given = Membership.objects.get()
    kept = {"memberships-INITIAL_FORMS": "1", "memberships-0-id": given.pk, "memberships-0-user": person.pk}
    root.post(path, fields | inline | kept | {"memberships-0-role": "manager"})
    root.post(path, fields | inline | kept | {"memberships-0-role": "manager", "memberships-0-DELETE": "on"})

    entries = AuditEntry.objects.filter(action__contains="member") | AuditEntry.objects.filter(action="role changed")
    assert list(entries.order_by("pk").values_list("action", "actor__username", "details")) == [
        ("member added", "root", {"member": person.pk, "role": "researcher"}),
        ("role changed", "root", {"member": person.pk, "to": "manager"}),
        ("member removed", "root", {"member": person.pk, "role": "manager"}),
    ]


def test_numbers_changed_in_the_administration_are_in_the_log(project):
    root, path = superuser_client(), page_of(Project, "numbers", project.pk)
    fields = {name: field.initial for name, field in root.get(path).context["form"].fields.items()}

    root.post(path, fields | {"scale.step": "0.5"})

    assert last(project) == ("protocol changed", "root", {"numbers": {"scale.step": "0.5"}})


def test_the_log_calls_actions_and_details_by_their_names(client, project):
    AuditEntry.objects.create(project=project, action="restored", at=NOON)
    AuditEntry.objects.create(project=project, action="restored", details={"withdrawn": 7}, at=NOON)

    page = client.get("/projects/project/log/?action=restored")

    assert "<strong>taken back in</strong>" in page.text
    assert "<summary>taken back in</summary>" in page.text
    assert "<dt>place withdrawn</dt><dd>7</dd>" in page.text
    assert '<option value="restored" selected>taken back in</option>' in page.text
