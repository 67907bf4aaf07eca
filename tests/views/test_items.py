"""The table of a project's items, the page of an item, and what is changed from there."""

import csv
import io

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from annotation.models import Item, ItemFigures, Project
from tests.api.worlds import member
from tests.domain.best_worst import at_work, best_worst_project, choose_first
from tests.factories import add_pairs, make_project
from tests.views.sending import client_of
from tests.watching.worlds import LATER, measure_project, watched

pytestmark = pytest.mark.postgres
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
    return [row["key"] for row in page.context["rows"]]


def all_keys(client, **asked: str) -> list[str]:
    """The keys of all pages, one after the other."""
    found, cursor = [], ""
    while True:
        page = client.get(URL, asked | {"cursor": cursor})
        found += keys(page)
        cursor = page.context["page"].next
        if not cursor:
            return found


def lines(response) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))


def figures(project: Project, *, wanted: int = 4, **values: tuple) -> None:
    """Stored figures of items: answers, value and deviation by key."""
    for key, (answers, value, deviation) in values.items():
        item = project.items.get(key=key)
        own = {"wanted": wanted, "answers": answers, "value": value, "deviation": deviation}
        ItemFigures.objects.create(project=project, item=item, round="main", context="free", **own)


# the table


def test_items_are_listed_in_the_order_of_the_file(project, client):
    project.items.filter(key="p3").update(withdrawn_at=timezone.now())

    page = client.get(URL)

    assert keys(page) == ["p1", "p2", "p3"]
    assert [page.text.count(text) for text in (">Calibration</span>", ">Withdrawn</td>")] == [1, 1]
    assert '<p dir="auto">First text of pair 2.</p>' in page.text


@pytest.mark.parametrize(
    ("find", "found"), [("P2", ["p2"]), ("second TEXT of pair 3", ["p3"]), ("100%", []), (" p1 ", ["p1"])]
)
def test_items_are_found_by_id_and_text(client, find, found):
    assert keys(client.get(URL, {"find": find})) == found


def test_items_are_filtered_by_state_language_and_source(project, client):
    figures(project, p1=(4, 2.0, 0.5), p2=(1, 3.0, None), p3=(0, None, None))
    Item.objects.create(project=project, key="p4", position=4, sentence1="A.", sentence2="B.", source="SICK, 2014")
    project.items.filter(key="p1").update(language="cs")
    ItemFigures.objects.filter(item__key="p2").update(disputed=True)
    filters = [("state", state) for state in ("complete", "started", "planned", "not-planned", "disputed", "odd")]
    filters += [("language", "cs"), ("source", "sick")]

    found = [keys(client.get(URL, {name: value})) for name, value in filters]

    assert found == [["p1"], ["p2"], ["p3"], ["p4"], ["p2"], ["p1", "p2", "p3", "p4"], ["p1"], ["p4"]]


@pytest.mark.parametrize("sort", ["order", "-order", "id", "value", "-value", "answers", "-deviation", "unknown"])
def test_pages_by_cursor_show_every_item_once_in_order(project, client, sort):
    project.items.all().delete()
    made = {item.key: item for item in add_pairs(project, 120)}
    known = {f"p{number}": (number % 3, float(number % 7), None) for number in range(1, 100)}
    figures(project, **known)

    found = all_keys(client, sort=sort)

    def value(key: str) -> tuple:
        number, mean, _none = known.get(key, (None, None, None))
        by = {"value": mean, "answers": number, "deviation": None, "id": key}
        name, sign = sort.lstrip("-"), -1 if sort.startswith("-") else 1
        own = by.get(name, made[key].position)
        return (own is None, own * sign if isinstance(own, int | float) else own or "", made[key].pk)

    assert found == sorted(made, key=value)


def test_what_is_filtered_is_a_file_too(project, client):
    figures(project, p1=(4, 2.0, 0.5), p2=(1, 3.0, None))
    project.items.filter(key="p2").update(sentence1="=1+1")

    rows = lines(client.get("/projects/project/items.csv", {"sort": "-value", "find": "pair"}))

    assert [(row["item"], row["state"], row["value"], row["sd"]) for row in rows] == [
        ("p2", "started", "3.0", ""),
        ("p1", "complete", "2.0", "0.5"),
        ("p3", "not-planned", "", ""),
    ]
    assert rows[0]["text1"] == "'=1+1"  # no formula


def test_the_list_takes_the_same_queries_at_one_and_three_items(project, client, django_assert_max_num_queries):
    client.get(URL)  # after statistics are there
    counts = []
    for find in ("p1", ""):
        with django_assert_max_num_queries(12) as queries:
            client.get(URL, {"find": find})
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_the_overview_leads_to_the_items(client):
    assert f'href="{URL}"' in client.get("/projects/project/").text


# an item


def page_of(project: Project, key: str) -> str:
    return f"/projects/project/watch/items/{project.items.get(key=key).pk}/"


def test_an_item_shows_every_answer_and_whether_it_counts(db, django_assert_max_num_queries):
    project = watched()
    client = client_of(member(project, "manager"))
    project.participations.filter(seat=1).update(state="excluded", reason="Too quick.")
    measure_project(project.pk, LATER)
    url = page_of(project, project.items.first().key)
    counts = []
    for _ in range(2):
        with django_assert_max_num_queries(40) as queries:
            page = client.get(url)
        counts.append(len(queries))

    rows = page.context["rows"]
    assert sorted((row["counted"], str(row["because"])) for row in rows)[0] == (False, "the annotator is excluded")
    assert len(rows) == page.context["ratings"][0].number + 1
    assert "No: the annotator is excluded" in page.text
    assert counts[0] == counts[1]


def test_an_item_shows_the_choices_of_its_tuples(db):
    project = best_worst_project()
    client = client_of(member(project, "manager"))
    (person,) = at_work(project, "ann")
    choice = choose_first(person)

    page = client.get(page_of(project, choice.best.key))

    assert [row["best"] for row in page.context["rows"]] == [choice.best.key]
    assert "<strong>Best</strong>" in page.text


def test_an_item_shows_its_context_and_its_history(project, client):
    item = project.items.get(key="p2")
    item.context1 = "Before. <sent>First text of pair 2.</sent> <b>After.</b>"
    item.save()
    client.post("/projects/project/control/withdraw/", {"keys": "p2", "reason": "A broken text."})

    page = client.get(page_of(project, "p2"))

    assert "Before. <mark>First text of pair 2.</mark> &lt;b&gt;After.&lt;/b&gt;" in page.text
    assert [entry.action for entry in page.context["history"]] == ["items withdrawn"]
    assert "items withdrawn</strong>: A broken text." in page.text


def test_withdrawing_and_reinstating_lead_back_to_the_item(project, client):
    for action in ("withdraw", "reinstate"):
        sent = {"keys": "p2", "reason": "A slip."}
        answer = client.post(f"/projects/project/control/{action}/?keys=p2", sent)
        assert answer["Location"] == page_of(project, "p2")

    assert project.items.filter(withdrawn_at__isnull=False).count() == 0


def test_an_item_is_edited_and_deleted(project, client):
    item = project.items.get(key="p2")
    url = f"/projects/project/items/{item.pk}"

    refused = client.post(f"{url}/edit/", {"sentence1": " ", "sentence2": "B."})
    client.post(f"{url}/edit/", {"sentence1": "Better.", "sentence2": "B.", "language": "cs", "source": "me"})
    item.refresh_from_db()
    asked = client.get(f"{url}/delete/")
    deleted = client.post(f"{url}/delete/")

    assert (refused.status_code, "The value is missing" in refused.text) == (422, True)
    assert (item.sentence1, item.language, item.source) == ("Better.", "cs", "me")
    assert "This cannot be undone." in asked.text
    assert (deleted["Location"], project.items.count()) == (URL, 2)


def test_an_item_that_is_judged_is_replaced(db):
    project = watched()
    client = client_of(member(project, "manager"))
    item = project.items.get(key="p1")
    url = f"/projects/project/items/{item.pk}"

    offered = client.get(page_of(project, "p1"))
    asked = client.get(f"{url}/replace/")
    sent = {"sentence1": "Mended.", "sentence2": "B.", "again": "on", "reason": "A broken text."}
    answer = client.post(f"{url}/replace/", sent)

    assert f"{url}/replace/" in offered.text and f"{url}/edit/" not in offered.text
    assert "judgments will no longer count" in asked.text
    assert answer["Location"] == page_of(project, "p1-2")
    item.refresh_from_db()
    assert item.withdrawn_at is not None


# an import taken back


def test_an_import_is_undone_from_its_page(db, client, project, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        file = ContentFile(b"id,sentence1,sentence2\nx,A.,B.\n", "wrong.csv")
        sent = client.post("/projects/project/import/", {"file": file})
    url = sent["Location"]
    offered = client.get(url).text
    asked = client.get(f"{url}undo/").text

    answer = client.post(f"{url}undo/")

    assert f"{url}undo/" in offered
    assert (
        "Everything imported from “wrong.csv” will be deleted: 1 pair. Plans that include these items will be removed."
        in asked
    )
    assert answer["Location"] == "/projects/project/import/"
    assert keys(client.get(URL)) == ["p1", "p2", "p3"]
    assert "This import was undone" in client.get(url).text
