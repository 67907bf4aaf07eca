"""The figures of a run over the API: in words, as pictures, as data."""

import csv
import io
from hashlib import sha256

import pytest

from annotation.models import Project
from scoring.models import FigureRendering, Run, RunFigure, State
from tests.api.worlds import Caller, caller_of, done_run, member, rated_project
from tests.factories import join, make_user, rate_next

pytestmark = pytest.mark.django_db
PATH = "/api/v1/projects/project/runs/"


@pytest.fixture
def project() -> Project:
    return rated_project(6)


@pytest.fixture
def caller(project) -> Caller:
    return caller_of(member(project, "researcher"))


def test_run_that_the_workers_ended_has_its_figures(project, caller, django_capture_on_commit_callbacks):
    second = join(project, "main", make_user("second"))
    for number in range(6):
        rate_next(second, str(number % 5))
    with django_capture_on_commit_callbacks(execute=True):
        run = caller.send(PATH, {"parameters": {"splits": 5, "replicates": 5}}).json()
    assert run["figures"] is None

    run = caller.get(run["url"]).json()
    listed = caller.get(run["figures"]).json()["results"]

    told = {figure["name"]: figure for figure in listed}
    assert {"score-distribution-main-free", "score-violins-main-free"} <= told.keys()
    own = told["score-distribution-main-free"]
    assert "6 pairs" in own["description"] and own["title"].startswith("Distribution of scores")
    svg, png, table = (caller.get(own[form]) for form in ("svg", "png", "csv"))
    assert [answer["Content-Type"] for answer in (svg, png, table)] == ["image/svg+xml", "image/png", "text/csv"]
    assert svg.content.startswith(b"<svg") and png.content.startswith(b"\x89PNG\r\n")
    rows = list(csv.DictReader(io.StringIO(table.text)))
    assert sum(int(row["pairs"]) for row in rows) == 6


def test_figure_that_is_at_hand_is_not_sent_again(project, caller):
    done_run(project)
    answer = caller.get(f"{PATH}1/figures/scores.csv")
    assert answer["ETag"] == f'"{sha256(answer.content).hexdigest()}"'
    again = caller.get(f"{PATH}1/figures/scores.csv", headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    head = caller.head(f"{PATH}1/figures/scores.csv")
    assert (head.status_code, head.content, head["Content-Length"]) == (200, b"", str(len(answer.content)))


@pytest.mark.parametrize("name", ["none.svg", "scores.gif", "scores", "none.png", "%00.csv"])
def test_figure_that_is_not_there(project, caller, name):
    done_run(project)
    answer = caller.get(f"{PATH}1/figures/{name}")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert caller.get(f"{PATH}2/figures/").status_code == 404


@pytest.mark.parametrize(
    ("state", "detail"),
    [
        ({"state": State.RUNNING}, "Run 1 is not finished."),
        ({"drawn_at": None}, "The figures of run 1 are being rendered. Try again in a few seconds."),
    ],
)
def test_figures_that_are_not_drawn_are_a_conflict(project, caller, state, detail):
    done_run(project)
    Run.objects.update(**state)
    for path in ("figures/", "figures/scores.svg"):
        answer = caller.get(f"{PATH}1/{path}")
        assert (answer.status_code, answer.json()["detail"]) == (409, detail)


def test_figures_that_could_not_be_drawn_say_why(project, caller):
    run = done_run(project)
    Run.objects.update(drawn_at=None)
    FigureRendering.objects.create(run=run, state="failed", problem="OSError: no file")
    detail = caller.get(f"{PATH}1/figures/").json()["detail"]
    assert detail == "The figures of run 1 could not be rendered: OSError: no file"


def test_list_takes_as_many_queries_for_many_figures(project, caller, django_assert_max_num_queries):
    run = done_run(project)
    RunFigure.objects.bulk_create(
        RunFigure(run=run, name=f"figure-{number}", title="T", description="D", svg="", png=b"", csv="")
        for number in range(120)
    )
    with django_assert_max_num_queries(8):
        page = caller.get(f"{PATH}1/figures/").json()
    assert len(page["results"]) == 100
    assert len(caller.get(page["next"]).json()["results"]) == 21
