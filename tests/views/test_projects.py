"""A project as its managers see it, and items brought in from a page."""

import pytest
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from annotation.domain.jobs.worker import beat_heart
from annotation.domain.participation.lifecycle import leave
from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import add_member
from annotation.domain.recruiting.overview import Invitation, read_invitation
from annotation.models import Item, ItemImport, Membership, Project
from tests.factories import NOON, add_incidents, add_pairs, make_project, rating_round, seat_outsider
from tests.views.sending import HTMX, client_of

PAIRS = "id,sentence1,sentence2\np1,One.,Two.\np2,Three.,Four.\n"


@pytest.fixture
def client(user):
    """A client of a manager of the project of that key."""
    add_member(project=make_project(), user=user, role=Membership.Role.MANAGER)
    return client_of(user)


def invitations(page) -> list[Invitation]:
    tokens = [link["url"].split("/")[-2] for one in page.context["rounds"] for link in one["links"]]
    return [read_invitation(token) for token in tokens]


def upload(client, on_commit, **fields: object) -> ItemImport:
    with on_commit(execute=True):
        response = client.post("/projects/project/import/", fields)
    assert response.status_code == 302, response.context["form"].errors
    job = ItemImport.objects.latest("pk")
    assert response["Location"] == f"/projects/project/import/{job.pk}/"
    return job


def test_overview_counts_people_by_state(client, user):
    project = Project.objects.get()
    add_pairs(project, 2)
    plan_round(project=project, round_key="main", people=5)
    place = seat_outsider(project, "main", "W1")
    seat_outsider(project, "main", "W2")
    leave(participation_id=place.pk, reason="", now=NOON)

    page = client.get("/projects/project/")

    (one,) = page.context["rounds"]
    assert one["counts"] == {
        "round": "main",
        "places": 5,
        "free": 4,
        "invited": 1,
        "active": 0,
        "resting": 0,
        "finished": 0,
        "excluded": 0,
        "left": 1,
    }
    assert (page.context["items"], page.context["incidents"]) == (2, 0)
    assert [plan.round for plan in page.context["plans"]] == ["main"]


@pytest.mark.parametrize(
    ("preset", "rounds"),
    [
        ("stss131", [("main", "raters")]),
        ("dscs", [("main", "students"), ("main", "crowd")]),
        ("czech_news", [("R1", ""), ("R2", ""), ("R3", "")]),
    ],
)
def test_overview_has_a_link_for_every_round_and_pool(user, preset, rounds):
    project = make_project(preset)
    add_incidents(project, 1)
    add_member(project=project, user=user, role=Membership.Role.MANAGER)

    page = client_of(user).get("/projects/project/")

    assert invitations(page) == [Invitation("project", *one) for one in rounds]


def test_a_file_comes_in(client, django_capture_on_commit_callbacks):
    job = upload(client, django_capture_on_commit_callbacks, file=SimpleUploadedFile("pairs.csv", PAIRS.encode()))

    page = client.get(f"/projects/project/import/{job.pk}/")

    assert (job.state, job.imported, job.name, job.created_by.username) == ("done", 2, "pairs.csv", "ann")
    assert list(Item.objects.values_list("key", "sentence1")) == [("p1", "One."), ("p2", "Three.")]
    assert (page.status_code, page.context["job"]) == (200, job)


def test_rows_typed_in_come_in(client, django_capture_on_commit_callbacks):
    job = upload(client, django_capture_on_commit_callbacks, rows=PAIRS)

    assert (job.state, job.imported, job.name) == ("done", 2, "typed-in.csv")


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_the_problems_of_a_file_are_listed(client, django_capture_on_commit_callbacks, headers):
    job = upload(client, django_capture_on_commit_callbacks, rows="id,sentence1,sentence2\np1,<b>One</b>,\np1,x,y\n")

    page = client.get(f"/projects/project/import/{job.pk}/", headers=headers)

    assert (job.state, Item.objects.count()) == ("failed", 0)
    assert job.problems[0] == {"line": 2, "column": "sentence2", "reason": "The value is missing."}
    assert all(problem["reason"] in page.text for problem in job.problems)
    assert ("<html" in page.text) is not bool(headers)


def test_items_after_planning_are_refused(client, django_capture_on_commit_callbacks):
    project = Project.objects.get()
    add_pairs(project, 1)
    plan_round(project=project, round_key="main", people=1)

    job = upload(client, django_capture_on_commit_callbacks, rows=PAIRS)

    assert job.problem.startswith("Items can't be imported any more")


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"rows": "  \n"},
        {"rows": PAIRS, "file": SimpleUploadedFile("pairs.csv", PAIRS.encode())},
    ],
)
def test_neither_or_both_is_asked_for_once_more(client, fields):
    page = client.post("/projects/project/import/", {"csrf": "1"} | fields)

    assert (page.status_code, ItemImport.objects.count()) == (422, 0)
    assert "Either choose a file" in str(page.context["form"].errors)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (PAIRS.encode(), "The file is too large (52\xa0bytes). The maximum is 20\xa0bytes."),
        (b"", "The submitted file is empty."),
    ],
    ids=["too large", "empty"],
)
def test_a_file_that_is_too_large_or_empty_is_refused(client, settings, content, reason):
    settings.UPLOAD_MAX_BYTES = 20

    page = client.post("/projects/project/import/", {"file": SimpleUploadedFile("pairs.csv", content)})

    assert (page.status_code, ItemImport.objects.count()) == (422, 0)
    assert page.context["form"].errors == {"file": [reason]}


@pytest.mark.parametrize("alive", [False, True])
def test_a_waiting_import_says_whether_a_worker_listens(client, alive):
    job = ItemImport.objects.create(project=Project.objects.get(), file=ContentFile(b"", "pairs.csv"), name="pairs.csv")
    if alive:
        beat_heart(timezone.now())

    page = client.get(f"/projects/project/import/{job.pk}/")

    assert page.context["worker_alive"] is alive
    assert ("No worker is running" in page.text) is not alive


def test_the_import_of_another_project_is_not_found(client, user):
    other = rating_round(user, key="other").project
    job = ItemImport.objects.create(project=other, file=ContentFile(b"", "pairs.csv"), name="pairs.csv")

    assert client.get(f"/projects/project/import/{job.pk}/").status_code == 404


def test_earlier_imports_are_listed(client, django_capture_on_commit_callbacks):
    job = upload(client, django_capture_on_commit_callbacks, rows=PAIRS)

    assert list(client.get("/projects/project/import/").context["imports"]) == [job]
