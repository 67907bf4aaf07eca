"""The list of a project's items."""

import pytest
from django.utils import timezone

from annotation.models import Project
from tests.api.worlds import member
from tests.factories import add_pairs, make_project
from tests.views.sending import client_of

URL = "/projects/project/items/"


@pytest.fixture
def project(db) -> Project:
    project = make_project()
    add_pairs(project, 3, calibration=1, language="en")
    add_pairs(make_project(key="other"), 1)
    return project


@pytest.fixture
def client(project):
    return client_of(member(project, "manager"))


def keys(page) -> list[str]:
    return [item.key for item in page.context["page"]]


def test_items_are_listed_in_the_order_of_the_file(project, client):
    project.items.filter(key="p3").update(withdrawn_at=timezone.now())

    page = client.get(URL)

    assert keys(page) == ["p1", "p2", "p3"]
    assert [page.text.count(f">{state}</span>") for state in ("calibration", "withdrawn")] == [1, 1]
    assert '<td lang="en" dir="auto">First text of pair 2.</td>' in page.text


@pytest.mark.parametrize(
    ("find", "found"), [("P2", ["p2"]), ("second TEXT of pair 3", ["p3"]), ("100%", []), (" p1 ", ["p1"])]
)
def test_items_are_found_by_id_and_text(client, find, found):
    assert keys(client.get(URL, {"find": find})) == found


def test_the_list_takes_the_same_queries_at_one_and_three_items(project, client, django_assert_max_num_queries):
    counts = []
    for find in ("p1", ""):
        with django_assert_max_num_queries(12) as queries:
            client.get(URL, {"find": find})
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_items_come_fifty_a_page(project, client):
    project.items.all().delete()
    add_pairs(project, 51)

    assert (keys(client.get(URL, {"page": "2"})), len(keys(client.get(URL)))) == (["p51"], 50)


def test_the_overview_leads_to_the_items(client):
    assert f'href="{URL}"' in client.get("/projects/project/").text
