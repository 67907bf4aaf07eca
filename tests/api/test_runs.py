"""Runs and evaluations over the API, up to their end."""

import pytest
from django.urls import reverse

from annotation.models import Project
from scoring.models import Evaluation, Run, State
from tests.api.worlds import Caller, caller_of, done_run, member, rated_project
from tests.factories import join, make_user, rate_next

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
PATH = "/api/v1/projects/project/"


@pytest.fixture
def caller() -> Caller:
    """A manager of a project whose two people have answered."""
    project = rated_project(6)
    second = join(project, "main", make_user("second"))
    for number in range(6):
        rate_next(second, str(number % 5))
    return caller_of(member(project, "manager"))


def test_run_is_started_asked_for_and_done(caller, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as sent:
        answer = caller.send(f"{PATH}runs/", {"seed": 3, "parameters": {"splits": 5, "replicates": 5}})
    started = answer.json()
    assert (answer.status_code, started["state"], started["number"], len(sent)) == (201, "waiting", 1, 1)
    assert answer["Location"] == started["url"] == f"http://testserver{reverse('api:run', args=['project', 1])}"
    assert (started["seed"], started["parameters"]["splits"], started["parameters"]["subsets"]) == (3, 5, 200)

    for send in sent:
        send()
    ended = caller.get(started["url"]).json()

    assert (ended["state"], ended["error"]) == ("done", "")
    assert ended["progress"]["done"] == ended["progress"]["total"] > 0
    assert ended["results"] == Run.objects.get().results


def test_runs_are_listed_newest_first_without_results(caller):
    for _ in range(3):
        caller.send(f"{PATH}runs/", {})
    page = caller.get(f"{PATH}runs/", {"page_size": 2}).json()
    rest = caller.get(page["next"]).json()
    assert [row["number"] for row in page["results"] + rest["results"]] == [3, 2, 1]
    assert "results" not in page["results"][0]
    assert caller.get(f"{PATH}runs/", {"state": "done"}).json()["results"] == []


def test_run_that_is_not_there(caller):
    for number in (1, 10**17, 10**30):
        assert caller.get(f"{PATH}runs/{number}/").status_code == 404


def test_release_waits_for_a_run_that_is_done(caller):
    assert caller.send(f"{PATH}releases/", {}).status_code == 409
    assert caller.send(f"{PATH}releases/", {"run": 7}).json()["errors"][0]["field"] == "run"
    caller.send(f"{PATH}runs/", {})
    assert caller.send(f"{PATH}releases/", {"run": 1}).json()["detail"] == "Run 1 is not finished."


def test_release_is_asked_for(caller, django_capture_on_commit_callbacks):
    run = done_run(Project.objects.get())
    with django_capture_on_commit_callbacks() as sent:
        answer = caller.send(f"{PATH}releases/", {"run": run.number, "licence": "CC-BY-4.0"})
    body = answer.json()
    assert (answer.status_code, len(sent), answer["Location"]) == (201, 1, body["url"])
    assert (body["number"], body["state"], body["run"], body["licence"]) == (1, State.WAITING, 1, "CC-BY-4.0")
    assert body["files"] == []
    refused = caller.send(f"{PATH}releases/", {"licence": "as you like"})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "licence")
    split = caller.send(f"{PATH}releases/", {"options": {"apart": True}})
    assert (split.status_code, "Only best-worst" in split.json()["detail"]) == (422, True)
    assert caller.send(f"{PATH}releases/", {"options": {"size": "1"}}).json()["errors"][0]["field"] == "options.size"


def made_release(caller: Caller, callbacks) -> None:
    """The run and the release that the API makes, when the workers have done their part."""
    for path in ("runs", "releases"):
        with callbacks(execute=True):
            assert caller.send(f"{PATH}{path}/", {}).status_code == 201


def test_predictions_are_evaluated(caller, django_capture_on_commit_callbacks):
    made_release(caller, django_capture_on_commit_callbacks)
    (release,) = caller.get(f"{PATH}releases/").json()["results"]
    assert (release["state"], release["error"]) == ("done", "")
    names = [file["name"] for file in release["files"]]
    assert "manifest.json" in names and "judgments.csv" in names

    predictions = {f"p{number}": number / 7 for number in range(1, 7)}
    faulty = caller.send(f"{PATH}evaluations/", {"model": "m", "predictions": predictions | {"p99": 1}})
    assert (faulty.status_code, faulty.json()["errors"][0]["field"]) == (422, "predictions")
    answer = caller.send(f"{PATH}evaluations/", {"model": "m", "release": 1, "predictions": predictions})
    assert (answer.status_code, answer.json()["model"], answer.json()["release"]) == (201, "m", 1)
    assert caller.send(f"{PATH}evaluations/", {"model": "m", "predictions": predictions}).status_code == 409
    listed = caller.get(f"{PATH}evaluations/", {"model": "m", "release": 1}).json()["results"]
    assert listed == [answer.json()]
    spread = {item: {"mean": value, "sd": 1.0} for item, value in predictions.items()}
    answer = caller.send(f"{PATH}evaluations/", {"model": "spread", "distributions": spread})
    assert answer.status_code == 201
    (figures,) = answer.json()["results"]["scores"].values()
    assert figures["distributions"]["items"] == 6
    nothing = caller.send(f"{PATH}evaluations/", {"model": "none"})
    assert (nothing.status_code, nothing.json()["errors"][0]["field"]) == (422, "predictions")


def test_evaluations_need_a_release_that_is_done(caller):
    body = {"model": "m", "predictions": {"p1": 1}}
    assert caller.send(f"{PATH}evaluations/", body).status_code == 409
    assert caller.send(f"{PATH}evaluations/", body | {"release": 4}).json()["errors"][0]["field"] == "release"
    for wrong in ({"p1": "1"}, {"p1": True}, {"p1": None}, {}, [1], {"p\x00": 1}, {"p1": 10**400}):
        answer = caller.send(f"{PATH}evaluations/", body | {"predictions": wrong})
        assert (answer.status_code, answer.json()["errors"][0]["field"].split(".")[0]) == (422, "predictions")
    assert not Evaluation.objects.exists()
