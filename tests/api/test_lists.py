"""Pages, filters, and the same rows as CSV and as JSON Lines."""

import csv
import io
import json
from base64 import b64encode
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.api.items import ItemSerializer
from annotation.api.judgments import JudgmentSerializer
from annotation.api.rendering import cell
from annotation.domain.judgment.saving import choose
from annotation.models import Item, Judgment, Project, User
from tests.api.worlds import Caller, answered_by_model, caller_of, member, rated_project
from tests.best_worst import dialogue_round, items_shown
from tests.factories import (
    NOON,
    add_texts,
    answer_to,
    join,
    make_project,
    present_screen,
    rate_next,
    select_next,
    selection_round,
)

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
LISTS = ("items", "judgments", "participations", "runs", "releases", "evaluations", "models", "models/1/answers")


def rated() -> Project:
    return rated_project(7)


def chosen() -> Project:
    """Two best-worst choices."""
    participation = dialogue_round(User.objects.create_user("ann-project"), open="false")
    for _ in range(2):
        screen = present_screen(participation)
        best, *_, worst = items_shown(screen)
        choose(participation_id=participation.pk, answer=answer_to(screen), best=best, worst=worst, now=NOON)
    return participation.project


def selected() -> Project:
    """Two selections."""
    participation = selection_round(User.objects.create_user("ann-project"))
    for _ in range(2):
        select_next(participation)
    return participation.project


WORLDS = {"rated": rated, "chosen": chosen, "selected": selected}


def reader(project: Project) -> Caller:
    return caller_of(member(project, "researcher"), scope="read")


def rows_of(caller: Caller, path: str, **parameters: object) -> list[dict]:
    """All rows, page by page."""
    page = caller.get(path, parameters).json()
    rows = page["results"]
    while page["next"]:
        page = caller.get(page["next"]).json()
        rows += page["results"]
    return rows


def whole(caller: Caller, path: str, media_type: str) -> str:
    answer = caller.get(path, headers={"Accept": media_type})
    assert (answer.status_code, answer["Content-Type"]) == (200, f"{media_type}; charset=utf-8")
    return b"".join(answer).decode()


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("what", ["items", "judgments"])
def test_csv_and_json_lines_have_the_rows_of_the_pages(world, what):
    project = WORLDS[world]()
    caller, path = reader(project), f"/api/v1/projects/project/{what}/"
    rows = rows_of(caller, path, page_size=3)

    lines = [json.loads(line) for line in whole(caller, path, "application/x-ndjson").splitlines()]
    table = list(csv.DictReader(io.StringIO(whole(caller, path, "text/csv"), newline="")))

    assert len(rows) >= 2 and lines == rows
    assert table == [{name: "" if value is None else str(cell(value)) for name, value in row.items()} for row in rows]


def test_rating_is_told_under_a_pseudonym():
    project = rated()
    caller = reader(project)
    first = rows_of(caller, "/api/v1/projects/project/judgments/")[0]
    stored = Judgment.objects.order_by("pk").select_related("assignment__item").first()
    assert list(first) == list(JudgmentSerializer().fields)
    assert first["annotator"] == stored.assignment.participation.annotator.pseudonym
    assert (first["item"], first["value"], first["round"]) == (stored.assignment.item.key, 2.0, "main")
    assert (first["saved_at"], first["counted"], first["items"]) == ("2026-03-02T12:00:00Z", True, [])


def test_choice_names_its_items_in_the_order_shown():
    project = chosen()
    first = rows_of(reader(project), "/api/v1/projects/project/judgments/")[0]
    stored = Judgment.objects.order_by("pk").first()
    shown = [project.items.get(pk=pk).key for pk in items_shown(stored.assignment)]
    assert first["items"] == shown
    assert (first["best"], first["worst"], first["value"]) == (shown[0], shown[-1], None)


def test_selection_has_its_three_pairs():
    first = rows_of(reader(selected()), "/api/v1/projects/project/judgments/")[0]
    pairs = [(pair["role"], pair["value"]) for pair in first["selections"]]
    assert pairs == [("A", 6.0), ("B", 3.0), ("C", 0.0)]
    assert (first["incident"] is None, first["sentence"], first["item"]) == (False, 0, None)


def test_items_are_told_whole():
    first = rows_of(reader(rated()), "/api/v1/projects/project/items/")[0]
    assert list(first) == [name for name in ItemSerializer().fields if name != "text"]
    assert (first["item"], first["sentence1"], first["group"]) == ("p1", "First text of pair 1.", None)


def test_single_texts_are_named_as_such():
    project = make_project("best_worst")
    add_texts(project, 3, source="a lexicon", extra={"topic": "weather"})
    first = rows_of(reader(project), "/api/v1/projects/project/items/")[0]
    assert first == {
        "id": project.items.first().pk,
        "item": "t1",
        "position": 1,
        "text": "Single text 1.",
        "language": "",
        "source": "a lexicon",
        "extra": {"topic": "weather"},
    }


def test_filters_leave_what_they_say():
    project = rated()
    caller, path = reader(project), "/api/v1/projects/project/judgments/"
    rows = rows_of(caller, path)
    pseudonym = rows[0]["annotator"]
    later = (NOON + timedelta(seconds=1)).isoformat()
    found = {
        name: len(rows_of(caller, path, **parameters))
        for name, parameters in {
            "item": {"item": "p3"},
            "not in the release": {"item": "p99"},
            "round": {"round": "main"},
            "another round": {"round": "R1"},
            "annotator": {"annotator": pseudonym, "context": rows[0]["context"], "block": "main"},
            "reassigned": {"annotator": "nobody"},
            "since": {"since": NOON.isoformat()},
            "since later": {"since": later},
        }.items()
    }
    assert found == {
        "item": 1,
        "not in the release": 0,
        "round": 7,
        "another round": 0,
        "annotator": 7,
        "reassigned": 0,
        "since": 7,
        "since later": 0,
    }
    lines = whole(caller, f"{path}?item=p3", "application/x-ndjson").splitlines()
    assert [json.loads(line)["item"] for line in lines] == ["p3"]


def test_choices_and_selections_are_found_by_any_item_that_was_shown():
    project = chosen()
    rows = rows_of(reader(project), "/api/v1/projects/project/judgments/")
    for item in project.items.values_list("key", flat=True):
        found = rows_of(caller_of(User.objects.get(username="researcher")), _judgments(), item=item)
        assert [row["id"] for row in found] == [row["id"] for row in rows if item in row["items"]]


def _judgments() -> str:
    return "/api/v1/projects/project/judgments/"


def test_superseded_answers_come_when_asked_for():
    project = rated()
    old = Judgment.objects.order_by("pk").first()
    Judgment.objects.filter(pk=old.pk).update(superseded_at=timezone.now())
    caller = reader(project)
    assert old.pk not in [row["id"] for row in rows_of(caller, _judgments())]
    told = {row["id"]: row["counted"] for row in rows_of(caller, _judgments(), superseded="true")}
    assert told[old.pk] is False and sum(told.values()) == 6


def test_answers_to_withdrawn_items_do_not_count():
    project = rated()
    Item.objects.filter(key="p1").update(withdrawn_at=NOON)
    told = {row["item"]: row["counted"] for row in rows_of(reader(project), _judgments())}
    assert [item for item, counted in told.items() if not counted] == ["p1"]


def test_rows_that_come_in_between_pages_move_no_others(user):
    project = rated_project(6)
    caller = reader(project)
    before = list(Judgment.objects.order_by("pk").values_list("pk", flat=True))
    first = caller.get(_judgments(), {"page_size": 4}).json()
    new = rate_next(join(project, "main", user))
    second = rows_of(caller, first["next"])
    assert [row["id"] for row in first["results"] + second] == [*before, new.pk]
    back = caller.get(caller.get(first["next"]).json()["previous"]).json()
    assert back["results"] == first["results"]


@pytest.mark.parametrize("what", LISTS)
@pytest.mark.parametrize(
    "parameters",
    [{"page_size": "0"}, {"page_size": "1001"}, {"page_size": "x"}, {"contxt": "free"}],
)
def test_faulty_parameters_are_named(what, parameters):
    project = rated_project(1)
    answered_by_model(project)
    answer = reader(project).get(f"/api/v1/projects/project/{what}/", parameters)
    assert answer.status_code == 400
    assert [fault["field"] for fault in answer.json()["errors"]] == list(parameters)


@pytest.mark.parametrize("cursor", ["x", "cD1h", "é", b64encode(b"p=" + b"9" * 5000).decode()])
def test_page_that_is_not_there(cursor):
    answer = reader(rated_project(1)).get(_judgments(), {"cursor": cursor})
    assert (answer.status_code, answer.json()["detail"][:7]) == (404, "cursor:")


@pytest.mark.parametrize("media_type", ["application/json", "text/csv"])
@pytest.mark.parametrize("what", ["items", "judgments", "participations"])
@pytest.mark.parametrize("world", WORLDS)
def test_page_takes_as_many_queries_for_one_row_as_for_fifty(world, what, media_type):
    project = WORLDS[world]()
    caller, path = reader(project), f"/api/v1/projects/project/{what}/"
    if what == "participations":
        media_type = "application/json"
    numbers = []
    for size in (1, 50):
        with CaptureQueriesContext(connection) as queries:
            assert b"".join(caller.get(path, {"page_size": size}, headers={"Accept": media_type}))
        numbers.append(len(queries))
    assert numbers[0] == numbers[1] <= 7


def test_progress_counts_screens_and_people():
    project = rated_project(3)
    rate = reader(project).get("/api/v1/projects/project/progress/").json()
    (main,) = rate["rounds"]
    assert (rate["items"], main["round"], main["places"], main["free"]) == (3, "main", 2, 1)
    assert (main["screens"], main["answered"], main["people"]["finished"], main["tuples"]) == (6, 3, 1, None)


def test_participations_tell_how_far_each_has_come():
    project = rated_project(3)
    rows = rows_of(reader(project), "/api/v1/projects/project/participations/", state="finished")
    (row,) = rows
    assert (row["seat"], row["screens"], row["answered"], row["state"]) == (1, 3, 3, "finished")
    assert row["annotator"] == project.annotators.get().pseudonym


@pytest.mark.parametrize(
    ("role", "shown"), [("manager", {"Age?": "30", "Where?": "here"}), ("researcher", {"Where?": "here"})]
)
def test_participations_tell_what_people_told_as_far_as_it_may_be_seen(role, shown):
    project = rated_project(3)
    for position, (text, published) in enumerate({"Age?": False, "Where?": True}.items(), start=1):
        question = project.questions.create(position=position, text=text, published=published)
        question.answers.create(annotator=project.annotators.get(), text=shown.get(text, "30"))
    caller = caller_of(member(project, role))
    rows = rows_of(caller, "/api/v1/projects/project/participations/")
    assert [row["about"] for row in rows] == [shown, {}]
