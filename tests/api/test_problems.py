"""Every error is a problem in JSON, whatever was accepted; and too many requests are refused."""

import pytest
from django.core.cache import cache

from annotation.api.throttling import OfStranger, OfToken
from annotation.models import Project
from tests.api.worlds import Caller, caller_of, member
from tests.factories import make_project

pytestmark = pytest.mark.django_db
RUNS = "/api/v1/projects/project/runs/"
ITEMS = "/api/v1/projects/project/items/"


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def caller(project) -> Caller:
    return caller_of(member(project, "manager"))


def told(answer) -> dict:
    assert answer["Content-Type"] == "application/problem+json"
    body = answer.json()
    assert body["status"] == answer.status_code and body["type"] == "about:blank"
    return body


@pytest.mark.parametrize("accept", ["*/*", "text/csv", "application/x-ndjson", "text/html"])
@pytest.mark.parametrize("path", ["/api/v1/nothing/", "/api/v1/projects/none/items/"])
def test_what_is_not_there_is_a_problem_for_every_reader(caller, path, accept):
    expected = 406 if accept == "text/html" and path.endswith("items/") else 404
    assert told(caller.get(path, headers={"Accept": accept}))["status"] == expected


def test_media_type_that_cannot_be_had(caller):
    assert told(caller.get(RUNS, headers={"Accept": "text/csv"}))["status"] == 406


def test_body_that_is_no_json_is_told_by_its_line(caller):
    answer = caller.post(RUNS, '{\n"seed": 1,\n]', content_type="application/json")
    body = told(answer)
    assert (body["status"], body["errors"][0]["line"]) == (400, 3)


@pytest.mark.parametrize("content", [b"[" * 100_000, b"\xff", b'{"seed": NaN}', b"{"])
def test_broken_bodies_are_refused(caller, content):
    assert told(caller.post(RUNS, content, content_type="application/json"))["status"] == 400


def test_body_of_another_media_type(caller):
    assert told(caller.post(RUNS, "seed=1", content_type="text/plain"))["status"] == 415


def test_body_that_is_too_large(caller, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10
    assert told(caller.send(RUNS, {"seed": 123456}))["status"] == 413


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"seed": -1}, ["seed"]),
        ({"seed": "1"}, ["seed"]),
        ({"sead": 1}, ["sead"]),
        ({"parameters": {"splits": 0, "slice": 2}}, ["parameters.slice"]),
        ({"parameters": {"splits": 0, "subsets": True}}, ["parameters.splits", "parameters.subsets"]),
        ([], [None]),
    ],
)
def test_values_are_refused_by_field(caller, body, fields):
    faults = told(caller.send(RUNS, body))
    assert (faults["status"], [fault.get("field") for fault in faults["errors"]]) == (422, fields)


def test_unforeseen_error_is_a_problem_too(caller, monkeypatch):
    monkeypatch.setattr("scoring.api.progress.progress_of", lambda project, now: 1 / 0)
    assert told(caller.get("/api/v1/projects/project/progress/"))["status"] == 500


def test_page_outside_the_api_that_is_not_there_is_a_page(client):
    assert client.get("/nothing/")["Content-Type"].startswith("text/html")


def test_too_many_requests_have_to_wait(caller, monkeypatch):
    cache.clear()
    monkeypatch.setattr(OfToken, "get_rate", lambda self: "2/min")
    statuses = [caller.get(ITEMS).status_code for _ in range(3)]
    answer = caller.get(ITEMS)
    assert statuses == [200, 200, 429]
    assert told(answer)["status"] == 429 and 1 <= int(answer["Retry-After"]) <= 61
    assert caller_of(member(Project.objects.get(), "researcher")).get(ITEMS).status_code == 200


def test_strangers_are_counted_also_with_made_up_tokens(project, monkeypatch):
    cache.clear()
    monkeypatch.setattr(OfStranger, "get_rate", lambda self: "2/min")
    callers = (Caller(), Caller("0" * 64), Caller("1" * 64))
    assert [one.get(ITEMS).status_code for one in callers] == [401, 401, 429]
    cache.clear()
