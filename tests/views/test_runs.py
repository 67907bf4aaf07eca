"""Runs on pages: started by whoever may read the data, watched, and read as a report."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import Heartbeat, Project
from scoring.domain.figures.render_figures import stored_figures
from scoring.domain.runs.starting import start_run
from scoring.models import FigureRendering, Run, State
from scoring.summaries.tree import SHAPE
from tests.api.worlds import done_run, member
from tests.factories import make_project, make_user
from tests.releases.making import run_of
from tests.releases.worlds import WORLDS
from tests.views.sending import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture(params=["manager", "researcher"])
def client(request, project):
    return client_of(member(project, request.param))


def page_of(project: Project) -> str:
    return reverse("project-runs", args=[project.key])


def report_page(run: Run) -> str:
    return reverse("project-run", args=[run.project.key, run.number])


def test_run_is_started_from_the_page(project, client, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as sent:
        answer = client.post(page_of(project), {"seed": "7", "splits": "20", "replicates": "", "subsets": "30"})
    run = Run.objects.get()
    assert (answer.status_code, answer["Location"], len(sent)) == (302, report_page(run), 1)
    assert (run.seed, run.parameters) == (7, {"splits": 20, "replicates": 1000, "subsets": 30, "slices": 4})
    assert run.created_by.username in ("manager", "researcher")


def test_empty_form_takes_the_usual_numbers(project, client):
    client.post(page_of(project), {})
    assert (Run.objects.get().seed, Run.objects.get().parameters["splits"]) == (project.seed, 1000)


@pytest.mark.parametrize("wrong", [{"seed": "-1"}, {"splits": "0"}, {"replicates": "1"}, {"subsets": "many"}])
def test_numbers_that_no_run_has_are_refused(project, client, wrong):
    answer = client.post(page_of(project), wrong)
    assert (answer.status_code, Run.objects.count()) == (422, 0)
    assert "errorlist" in answer.text and '<details class="more" open>' in answer.text


def test_others_learn_nothing(project):
    run = done_run(project)
    stranger = client_of(member(make_project(key="other"), "manager", "stranger"))
    for path in (page_of(project), report_page(run), f"{report_page(run)}drawings/"):
        assert stranger.get(path).status_code == 404
    assert stranger.post(page_of(project), {}).status_code == 404
    assert Run.objects.count() == 1


def test_run_that_waits_says_so_and_asks_again(project, client):
    client.post(page_of(project), {})
    run = Run.objects.get()
    assert "No worker is running" in client.get(report_page(run)).text
    Heartbeat.objects.create(name="worker", at=timezone.now())
    page = client.get(report_page(run)).text
    assert "Waiting in the queue." in page and f'hx-get="{report_page(run)}"' in page


def test_progress_is_told_in_parts_and_the_report_comes_by_itself(project, client):
    client.post(page_of(project), {})
    run = Run.objects.get()
    Run.objects.update(state=State.RUNNING, done=1, total=2)
    answer = client.get(report_page(run), headers={"HX-Request": "true"})
    assert "1 of 2 parts computed." in answer.text and "<html" not in answer.text
    assert "HX-Refresh" not in answer
    Run.objects.update(state=State.DONE, results={}, ended_at=timezone.now())
    assert client.get(report_page(run), headers={"HX-Request": "true"})["HX-Refresh"] == "true"


@pytest.mark.parametrize(("shape", "told"), [(SHAPE, False), (SHAPE - 1, True)])
def test_results_of_an_earlier_version_say_so(project, client, shape, told):
    run = done_run(project)
    Run.objects.filter(pk=run.pk).update(results={"kind": "ratings", "shape": shape})

    assert ("from an earlier version of Semblance" in client.get(report_page(run)).text) == told


def test_run_that_failed_says_why(project, client):
    client.post(page_of(project), {})
    Run.objects.update(state=State.FAILED, problem="MemoryError: too much", ended_at=timezone.now())
    assert "MemoryError: too much" in client.get(report_page(Run.objects.get())).text


def test_list_takes_as_many_queries_for_many_runs(project, client, django_assert_max_num_queries):
    for _ in range(30):
        start_run(project=project, actor=None)
    project.runs.update(created_by=make_user("whoever"))
    with django_assert_max_num_queries(9):
        page = client.get(page_of(project)).text
    assert page.count('<th scope="row">') == 25 and "Page 1 of 2" in page


@pytest.mark.parametrize("world", WORLDS)
def test_report_has_methods_tables_and_figures(world, django_assert_max_num_queries):
    project = WORLDS[world]()
    run = run_of(project)
    drawn = list(stored_figures(run))
    client = client_of(member(project, "researcher", "reader"))
    with django_assert_max_num_queries(20):
        page = client.get(report_page(run)).text
    assert "<strong>Protocol.</strong>" in page and "<strong>Computation.</strong>" in page
    assert page.count("<caption>") >= 4
    sources = re.findall(r'<img src="(/api/v1/[^"]+\.svg)"', page)
    assert len(sources) == len(drawn) > 0
    assert client.get(sources[0])["Content-Type"] == "image/svg+xml"
    assert re.findall(r"Figure (\d+)\.</strong>", page) == [str(number + 1) for number in range(len(drawn))]


def test_report_without_figures_waits_for_them(project):
    run = run_of(WORLDS["dscs"]())
    client = client_of(member(run.project, "researcher", "reader"))
    assert "Rendering figures" in client.get(report_page(run)).text
    asked = client.get(f"{report_page(run)}drawings/")
    assert "HX-Refresh" not in asked and "Rendering figures" in asked.text
    stored_figures(run)
    assert client.get(f"{report_page(run)}drawings/")["HX-Refresh"] == "true"


def test_report_of_a_run_whose_snapshot_is_gone_says_what_it_cannot_tell():
    run = run_of(WORLDS["dscs"]())
    run.snapshot.delete(save=False)
    FigureRendering.objects.update(state="failed", problem="FileNotFoundError: gone")
    page = client_of(member(run.project, "researcher", "reader")).get(report_page(run)).text
    assert "The methods cannot be described" in page and "The figures could not be rendered." in page
    assert "agreement" in page
