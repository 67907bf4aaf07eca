"""Models as annotators over the API: how they were asked and what they answered, without keys and addresses."""

import csv
import io
import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.planning.rounds import plan_round
from annotation.models import Project
from scoring.models import Machine, MachineAnswer
from tests.api.test_lists import reader, rows_of, whole
from tests.api.worlds import HOST, SECRET, answered_by_model, rated_project
from tests.factories import add_texts, make_project
from tests.machines.server import choose_longest, serving
from tests.machines.worlds import model_of, worked

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
MODELS = "/api/v1/projects/project/models/"


@pytest.fixture
def answered() -> Machine:
    return answered_by_model(rated_project())


def chosen(settings) -> Project:
    """A best-worst round that a model has answered, after one invalid answer."""
    settings.MODELS_AT_PRIVATE_ADDRESSES = True
    project = make_project("best_worst")
    add_texts(project, 6)
    plan_round(project=project, round_key="main", people=4)
    with serving() as server:
        server.replies, server.answer = ["=1+1"], choose_longest
        worked(model_of(project, server.url))
    return project


def test_models_are_listed_with_settings_and_progress(answered):
    waiting = {"pk": 2, "round": "main", "name": "later", "model": "judge-2", "seed": 1, "url": f"https://{HOST}/v1"}
    Machine.objects.create(project=answered.project, created_at=answered.created_at, **waiting)
    first, second = rows_of(reader(answered.project), MODELS)

    assert (first["id"], first["name"], first["model"], first["seed"]) == (1, "judge", "judge-1", 5)
    assert (first["state"], first["done"], first["total"], first["budget"]) == ("done", 2, 2, None)
    assert (second["name"], second["state"], second["done"], second["total"]) == ("later", None, None, None)
    assert HOST not in str(first) and SECRET not in str(first) and {"url", "api_key"}.isdisjoint(first)


def test_ratings_of_a_model_are_listed_with_its_invalid_answers(answered):
    caller, path = reader(answered.project), f"{MODELS}1/answers/"
    rows = rows_of(caller, path, page_size=2)

    told = [(row["item"], row["attempt"], row["value"]) for row in rows]
    assert told == [("p1", 1, None), ("p1", 2, 2.0), ("p2", 1, 2.0)]
    assert [row["problem"] for row in rows] == ["Not a number.", "", ""]
    assert rows[0]["cost"] == "0.000115" and (rows[0]["tuple"], rows[0]["items"], rows[0]["best"]) == (None, [], None)
    assert [rows_of(caller, path, valid=valid) for valid in ("true", "false")] == [rows[1:], rows[:1]]


def test_choices_of_a_model_name_the_items_in_the_order_shown(settings):
    project = chosen(settings)
    path = f"{MODELS}{project.machines.get().pk}/answers/"
    caller = reader(project)
    invalid, *rows = rows_of(caller, path, page_size=3)

    assert (invalid["best"], invalid["raw"], len(invalid["items"])) == (None, "=1+1", 4)
    assert len(rows) == MachineAnswer.objects.filter(problem="").count() > 3
    for row in rows:
        said = json.loads(row["raw"])
        assert (row["best"], row["worst"]) == (row["items"][said["best"] - 1], row["items"][said["worst"] - 1])
    lines = [json.loads(line) for line in whole(caller, path, "application/x-ndjson").splitlines()]
    assert lines == [invalid, *rows]
    table = csv.DictReader(io.StringIO(whole(caller, path, "text/csv"), newline=""))
    assert [row["best"] for row in table] == [row["best"] or "" for row in lines]


def test_pages_take_as_many_queries_for_one_row_as_for_fifty(settings):
    project = chosen(settings)
    model_of(project, "https://8.8.8.8/v1", name="second")
    caller = reader(project)
    for path in (MODELS, f"{MODELS}{project.machines.first().pk}/answers/"):
        numbers = []
        for size in (1, 50):
            with CaptureQueriesContext(connection) as queries:
                assert caller.get(path, {"page_size": size}).status_code == 200
            numbers.append(len(queries))
        assert numbers[0] == numbers[1] <= 7


def test_models_of_other_projects_are_not_found(answered):
    other = rated_project(key="other")
    answer = reader(other).get(f"/api/v1/projects/other/models/{answered.pk}/answers/")
    assert answer.status_code == 404
