"""The list of projects, and the state and next step of one."""

import pytest
from django.utils import timezone

from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import add_member
from annotation.models import Project
from scoring.models import PersonStatistics
from tests.api.worlds import member
from tests.factories import add_pairs, answer_all, make_project, make_user, seat_outsider
from tests.views.sending import client_of
from tests.watching.worlds import LATER, measure_project, watched

URL = "/projects/"


def next_of(client) -> str:
    step = client.get("/projects/project/").context["step"]
    return step.title if step else ""


@pytest.mark.postgres
def test_projects_are_listed_with_state_progress_people_and_attention(db, django_assert_max_num_queries):
    user = make_user("boss")
    running = watched(key="running")
    measure_project(running.pk, LATER)
    PersonStatistics.objects.update(last_at=timezone.now())
    flagged = PersonStatistics.objects.first()
    flagged.open_flags = 1
    flagged.save()
    for key, values in (("draft", {"draft": True}), ("closed", {"closed_at": LATER}), ("paused", {"paused_at": LATER})):
        make_project(key=key)
        Project.objects.filter(key=key).update(title=key.capitalize(), **values)
    make_project(key="strange")
    for project in Project.objects.exclude(key="strange"):
        add_member(project=project, user=user, role="manager")
    client, counts = client_of(user), []

    for asked in ({"find": "runn"}, {}):
        with django_assert_max_num_queries(15) as queries:
            page = client.get(URL, asked)
        counts.append(len(queries))
    found = {one.project.key: one for one in page.context["standings"]}

    assert {key: one.project.state.label for key, one in found.items()} == {
        "running": "Running",
        "draft": "Draft",
        "closed": "Closed",
        "paused": "Paused",
    }
    one = found["running"]
    assert (one.answered, one.wanted, one.today, one.attention) == (9, 16, 3, 1)
    states = {
        state: [each.project.key for each in client.get(URL, {"state": state}).context["standings"]] for state in found
    }
    assert states == {state: [state] for state in found}
    assert counts[0] == counts[1]


def test_the_next_step_follows_the_state_of_a_project(db):
    project = make_project("stss131")
    Project.objects.update(draft=True)
    client, told = client_of(member(project, "manager")), []

    told.append(next_of(client))
    add_pairs(project, 2)
    told.append(next_of(client))
    plan_round(project=project, round_key="main", people=2)
    told.append(next_of(client))
    client.post("/projects/project/setup/launch/")
    told.append(next_of(client))
    people = [seat_outsider(project, "main", name) for name in ("a", "b")]
    answer_all(people[0])
    measure_project(project.pk, LATER)
    told.append(next_of(client))
    answer_all(people[1])
    measure_project(project.pk, LATER)
    PersonStatistics.objects.update(open_flags=1)
    told.append(next_of(client))
    PersonStatistics.objects.update(open_flags=0)
    told.append(next_of(client))
    Project.objects.update(paused_at=LATER)
    told.append(next_of(client))

    steps = ["Texts", "Plan", "Launch the project", "Recruit annotators", "Answers are coming in", "Review annotators"]
    assert told == [*steps, "Compute the results", "Resume the project"]


def test_every_role_sees_the_places_that_it_may_open(db):
    project = make_project()
    seen = {}
    for role in ("researcher", "manager", "owner"):
        page = client_of(member(project, role)).get("/projects/project/people/")
        nav = page.text.split('aria-label="Project"')[1].split("</nav>")[0]
        seen[role] = [part.split("<")[0] for part in nav.split(">")[2::2] if part.split("<")[0].strip()]

    managers = ["Overview", "Set up", "Recruit", "Monitor", "Results", "Settings"]
    assert seen == {"researcher": ["Monitor", "Results"], "manager": managers, "owner": managers}


def test_a_project_is_being_measured_until_there_are_figures(db, django_capture_on_commit_callbacks):
    project, user = watched(), make_user("boss")
    add_member(project=project, user=user, role="manager")
    client = client_of(user)

    first, step = client.get(URL).text, next_of(client)
    project.statistics.delete()
    with django_capture_on_commit_callbacks(execute=True):
        client.get(URL)

    assert ("Measuring…" in first, "data-poll" in first, step) == (True, True, "Measuring…")
    later = client.get(URL).text
    assert ("Measuring…" in later, "data-poll" in later, "9 of 16 answers" in later) == (False, False, True)
    part = client.get(URL, headers={"hx-request": "true"}).text
    assert "<html" not in part and part.strip() in later
