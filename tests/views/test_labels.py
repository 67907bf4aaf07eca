"""Known labels of pairs, changed on a page."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.errors import Refusal
from annotation.domain.material.labels import set_label
from annotation.models import AuditEntry, Project
from tests.api.worlds import member
from tests.factories import NOON, add_pairs, make_project
from tests.views.sending import client_of

pytestmark = pytest.mark.django_db
PAGE = "/projects/project/labels/"


@pytest.fixture
def project() -> Project:
    project = make_project("semrel")
    add_pairs(project, 3)
    return project


@pytest.fixture
def client(project):
    return client_of(member(project, "manager"))


def labels(project) -> list[bool | None]:
    return list(project.items.order_by("position").values_list("gold", flat=True))


def test_labels_are_added_listed_changed_and_removed_in_a_draft(project, client):
    Project.objects.update(draft=True)
    first, second, _third = project.items.order_by("position")

    client.post(PAGE, {"item": first.key, "label": "similar"})
    client.post(PAGE, {"item": second.key, "label": "similar"})
    client.post(PAGE, {"item": second.key, "label": "dissimilar"})
    assert labels(project) == [True, False, None]
    page = client.get(PAGE, {"item": second.key}).text
    assert page.count("<td data-label=") == 2
    assert '<option value="dissimilar" selected>' in page

    client.post(PAGE, {"item": first.key, "label": "none"})
    assert labels(project) == [None, False, None]
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.details) == (
        "known label changed",
        {"items": [first.key], "from": "similar", "to": ""},
    )


def test_after_the_launch_a_reason_is_needed_and_kept(project, client):
    Project.objects.update(draft=False)
    key = project.items.first().key

    refused = client.post(PAGE, {"item": key, "label": "similar", "reason": " "})
    assert (refused.status_code, labels(project)) == (422, [None] * 3)
    client.post(PAGE, {"item": key, "label": "similar", "reason": "Two experts agree."})

    assert labels(project)[0] is True
    assert AuditEntry.objects.latest("pk").reason == "Two experts agree."
    assert "Two experts agree." in client.get(f"/projects/project/watch/items/{project.items.first().pk}/").text


def test_an_unknown_item_is_named(project, client):
    page = client.post(PAGE, {"item": "nowhere", "label": "similar", "reason": "x"})

    assert page.status_code == 422 and "There is no item with the ID “nowhere”" in page.text


def test_the_same_label_again_is_no_change(project):
    given = {"key": project.items.first().key, "reason": "x", "actor": None, "now": NOON}
    set_label(project=project, label=True, **given)
    set_label(project=project, label=True, **given)

    assert AuditEntry.objects.count() == 1


def test_only_pairs_have_labels(db):
    project = make_project("giccs")

    assert client_of(member(project, "manager")).get(PAGE).status_code == 404
    with pytest.raises(Refusal, match="Only pairs"):
        set_label(project=project, key="x", label=True, reason="x", actor=None, now=NOON)


def test_the_list_takes_as_many_queries_for_three_labels_as_for_one(project, client):
    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            client.get(PAGE)
        return len(found)

    project.items.filter(pk=project.items.first().pk).update(gold=True)
    client.get(PAGE)
    one = queries()
    project.items.update(gold=False)

    assert queries() == one
