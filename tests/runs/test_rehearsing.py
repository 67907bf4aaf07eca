"""Rehearsals: simulated people in a copy, which leaves no trace in the project."""

import pytest

from annotation.domain.errors import Refusal
from annotation.domain.jobs.engine import run
from annotation.domain.project.creation import add_member
from annotation.models import Annotator, Item, Judgment, Membership, Participation, Project, RoundPlan
from scoring.domain.rehearsals.jobs import discard_rehearsal, request_rehearsal
from scoring.models import Rehearsal, Run
from tests.factories import NOON, add_incidents, add_pairs, make_project, make_user
from tests.jobs import LOST, attempt, claimable_of, swept
from tests.practice_sets import add_tasks
from tests.views.sending import HTMX, client_of


@pytest.fixture
def project(db) -> Project:
    project = make_project("semrel", people="2", tuples_a_person="8")
    add_pairs(project, 8)
    return project


def asked_for(project: Project, people: int | None = None) -> Rehearsal:
    return request_rehearsal(project=project, people=people, seed=1, actor=None)


def rehearsed(project: Project, people: int | None = None) -> Rehearsal:
    rehearsal = asked_for(project, people)
    assert attempt(rehearsal, NOON) == "done"
    return rehearsal


def test_simulated_people_do_everything_in_a_copy_and_nothing_in_the_project(project):
    add_tasks(project, practice=2, check=2)
    project.questions.create(position=1, text="?")

    rehearsal = rehearsed(project)

    (round_,) = rehearsal.results["rounds"]
    assert (rehearsal.state, round_["answers"], round_["people"]) == ("done", 32, 4)
    assert round_["hours"] > 0 and round_["minutes"] > 0
    assert {figure["name"] for figure in rehearsal.results["figures"]} == {
        *("split-half", "full-length", "alpha-best", "alpha-worst")
    }
    (spread,) = rehearsal.results["spreads"]
    assert sum(count for _label, count in spread["bars"]) == 8
    own = (project.participations, project.annotators, project.plans, project.runs, project.tuples)
    assert [rows.count() for rows in own] == [0, 0, 0, 0, 0]
    assert list(project.audit_entries.values_list("action", flat=True)) == ["project rehearsed"]


def test_ratings_have_figures_of_their_own(db):
    project = make_project("stss131", people="3")
    add_pairs(project, 6)

    results = rehearsed(project).results

    assert {figure["name"] for figure in results["figures"]} == {"icc", "pearson", "split-half", "full-length"}
    assert results["rounds"][0]["answers"] == 18


def test_round_follows_round_up_to_one_that_cannot_be_planned(db):
    project = make_project("czech_news", R1__incidents="2", R2__tuples="3", R3__annotators="8")
    add_incidents(project, 4)

    rounds = rehearsed(project).results["rounds"]

    assert [(one["round"], "problem" in one) for one in rounds] == [("R1", False), ("R2", False), ("R3", True)]


def test_fewer_people_leave_the_rest_open(project):
    (round_,) = rehearsed(project, people=1).results["rounds"]

    assert (round_["people"], round_["answers"]) == (1, 8)


def test_the_same_seed_gives_the_same_figures(project):
    first, second = rehearsed(project), rehearsed(project)

    assert first.results["figures"] == second.results["figures"]


def test_a_rehearsal_needs_texts(db):
    with pytest.raises(Refusal, match="no items to rehearse with yet"):
        asked_for(make_project())


def test_one_rehearsal_at_a_time(project):
    asked_for(project)

    with pytest.raises(Refusal, match="already running"):
        asked_for(project)


def test_discarding_removes_the_copy_and_nothing_else(project):
    rehearsal = rehearsed(project)
    assert Project.objects.filter(rehearsal_of=project).count() == 1

    discard_rehearsal(rehearsal=rehearsal, actor=None, now=NOON)

    assert list(Project.objects.all()) == [project]
    gone = (Rehearsal, Participation, Annotator, Judgment, RoundPlan, Run)
    assert [model.objects.count() for model in gone] == [0] * 6
    assert Item.objects.count() == 8


def test_one_at_work_is_not_discarded(project):
    with pytest.raises(Refusal, match="running"):
        discard_rehearsal(rehearsal=asked_for(project), actor=None, now=NOON)


def test_who_comes_second_leaves_it_alone(project):
    rehearsal = rehearsed(project)

    assert (run("rehearsal", rehearsal.pk, NOON), claimable_of("rehearsal", NOON)) == (None, [])


def test_one_whose_worker_was_lost_begins_again_with_a_new_copy(project):
    rehearsal = rehearsed(project)
    Rehearsal.objects.update(state="running", heartbeat_at=NOON, ended_at=None)

    assert [claimable_of("rehearsal", now) for now in (NOON, NOON + 2 * LOST)] == [[], [rehearsal.pk]]
    assert attempt(rehearsal, NOON + 2 * LOST) == "done"
    assert Project.objects.filter(rehearsal_of=project).count() == 1


def test_one_that_always_loses_its_worker_ends(project):
    rehearsal = asked_for(project)
    Rehearsal.objects.update(state="running", attempts=3, heartbeat_at=NOON)

    assert swept("rehearsal", NOON + 2 * LOST) == []
    rehearsal.refresh_from_db()
    assert (rehearsal.state, rehearsal.problem) == ("failed", "The worker stopped responding in every attempt.")


def test_one_that_is_refused_says_why(project):
    rehearsal = asked_for(project)
    Project.objects.create(key=f"project-rehearsal-{rehearsal.pk}", title="In the way", protocol_json={})

    assert attempt(rehearsal, NOON) == "failed"
    assert "already" in rehearsal.problem


def test_a_rehearsal_from_its_page(project, django_capture_on_commit_callbacks):
    boss = make_user("boss")
    add_member(project=project, user=boss, role=Membership.Role.OWNER)
    client, url = client_of(boss), "/projects/project/rehearsals/"

    with django_capture_on_commit_callbacks(execute=True):
        response = client.post(url, {"seed": "1"})
    one = project.own_rehearsals.get()
    page, part = client.get(response["Location"]), client.get(response["Location"], headers=HTMX)

    assert "Rehearsal complete" in page.text and "<html" not in part.text
    assert client.get(f"/projects/{one.copy.key}/").status_code == 404
    assert "project-rehearsal" not in client.get("/").text
    assert "Rehearsals" in client.get(url).text
    client.post(f"{response['Location']}discard/")
    assert not Rehearsal.objects.exists()


@pytest.mark.parametrize("state", ["waiting", "running"])
def test_the_page_of_one_at_work_says_how_far_it_is(project, state):
    add_member(project=project, user=make_user("boss"), role=Membership.Role.OWNER)
    one = asked_for(project)
    Rehearsal.objects.update(state=state, step="main", done=1, total=4)
    client = client_of(make_user("root", is_superuser=True))

    page = client.get(f"/projects/project/rehearsals/{one.pk}/")
    refused = client.post(f"/projects/project/rehearsals/{one.pk}/discard/", follow=True)
    again = client.post("/projects/project/rehearsals/", {"seed": "1"})

    assert ("main: 1 of 4" in page.text) is (state == "running")
    assert "No worker is running" in page.text and "running" in refused.text
    assert again.status_code == 422


def test_the_list_of_rehearsals_costs_the_same_with_few_and_many(project, django_assert_max_num_queries):
    client = client_of(make_user("root", is_superuser=True))
    Rehearsal.objects.bulk_create(Rehearsal(project=project, state="done") for _ in range(45))

    with django_assert_max_num_queries(12):
        page = client.get("/projects/project/rehearsals/?page=2")

    assert len(page.context["page"].object_list) == 20
