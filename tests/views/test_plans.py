"""Rounds planned from the pages of a project, watched, and certified."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.domain.jobs.worker import beat_heart
from annotation.domain.participation.lifecycle import exclude
from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import add_member
from annotation.models import Item, Membership, Participation, Project, RoundPlan
from tests.best_worst import choice, tuple_round
from tests.factories import NOON, add_dialogues, add_pairs, make_project, make_user, present_screen
from tests.views.sending import HTMX, client_of, url_of

PLANS = "/projects/project/plans/"


@pytest.fixture
def client(user):
    """A client of a manager of a semrel project with twelve pairs."""
    project = make_project("semrel")
    add_pairs(project, 12)
    return manager_of(project, user)


def manager_of(project: Project, user) -> Client:
    add_member(project=project, user=user, role=Membership.Role.MANAGER)
    return client_of(user)


def asked(**values: object) -> RoundPlan:
    return Project.objects.get(key="project").plans.create(round="main", seed=0, **{"state": "done"} | values)


def test_a_round_is_planned_from_its_page(client, user, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        response = client.post(PLANS, {"round": "main", "people": "5"})

    plan = RoundPlan.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"{PLANS}{plan.pk}/")
    assert (plan.state, plan.created_by, plan.people, Participation.objects.count()) == ("done", user, 5, 5)


def test_a_plan_waits_until_a_worker_comes(client):
    response = client.post(PLANS, {"round": "main"})  # nothing is sent before the transaction ends

    page = client.get(response["Location"])

    assert RoundPlan.objects.get().state == "waiting"
    assert not Participation.objects.exists()
    assert "No worker is running. Planning will start when a worker is available." in page.text
    assert "Waiting in the queue." in page.text
    beat_heart(timezone.now())
    assert "No worker is running" not in client.get(response["Location"]).text


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"round": "R7"}, "R7 is not one of the available choices."),
        ({"round": "main", "people": "0"}, "A round can have 1 to 10000 people, not 0."),
        ({"round": "main", "people": "10001"}, "A round can have 1 to 10000 people, not 10001."),
        ({}, "This field is required."),
    ],
)
def test_a_form_with_faults_comes_back(client, fields, fault):
    page = client.post(PLANS, {"csrf": "1"} | fields)

    assert (page.status_code, fault in str(page.context["form"].errors)) == (422, True)
    assert not RoundPlan.objects.exists()


def test_a_refused_plan_says_why(client, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        response = client.post(PLANS, {"round": "main", "people": "1"})

    page = client.get(response["Location"])

    assert "<strong>Nothing was planned.</strong> Too few people (1): each tuple is answered by 4" in page.text
    assert "Failed: Too few people" in client.get(PLANS).text


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"state": "waiting"}, "Waiting in the queue."),
        ({"state": "running"}, "Planning the round…"),
        ({"state": "done", "outcome": {"places": 5}}, "<dt>Places</dt><dd>5</dd>"),
        ({"state": "failed", "problem": "Something went wrong here; the log has it."}, "the log has it."),
    ],
)
def test_a_plan_is_watched(client, values, words, headers):
    plan = asked(**values)

    page = client.get(f"{PLANS}{plan.pk}/", headers=headers)

    assert words in page.text
    assert ("<html" in page.text) is not bool(headers)
    assert ("hx-get" in page.text) is (plan.state in ("waiting", "running"))


def test_only_rounds_that_can_be_calibrated_ask_for_keys(client, user):
    manager_of(make_project("czech_news", "news"), user)

    assert "calibration" not in client.get(PLANS).context["form"].fields
    response = client.post("/projects/news/plans/", {"round": "R3", "calibration": " a, b ,"})
    plan = RoundPlan.objects.get()
    assert (response.status_code, plan.round, plan.calibration) == (302, "R3", ["a", "b"])
    assert "calibration with a, b" in client.get(response["Location"]).text


def test_the_round_of_a_link_is_chosen(user):
    page = manager_of(make_project("czech_news"), user).get(f"{PLANS}?round=R2")

    assert '<option value="R2" selected>' in page.text


@pytest.mark.parametrize("who", ["nobody", "annotator", "researcher", "manager of another"])
def test_plans_are_for_managers(db, who):
    project = make_project("semrel")
    add_pairs(project, 12)
    plan_round(project=project, round_key="main")
    plan, user = RoundPlan.objects.get(), make_user()
    if who == "researcher":
        add_member(project=project, user=user, role=Membership.Role.RESEARCHER)
    if who == "manager of another":
        manager_of(make_project(key="other"), user)
    client = Client() if who == "nobody" else client_of(user)

    responses = [
        client.get(PLANS),
        client.post(PLANS, {"round": "main"}),
        client.get(f"{PLANS}{plan.pk}/"),
        client.get(f"{PLANS}{plan.pk}/certificate.json"),
    ]

    assert {response.status_code for response in responses} == {302 if who == "nobody" else 404}
    assert RoundPlan.objects.count() == 1


def test_the_plan_of_another_project_is_not_found(client):
    other = make_project("semrel", "other")
    add_pairs(other, 12)
    plan_round(project=other, round_key="main")
    pk = RoundPlan.objects.get().pk

    pages = [client.get(f"{PLANS}{pk}/"), client.get(f"{PLANS}{pk}/certificate.json")]

    assert [page.status_code for page in pages] == [404, 404]


# The certificate


def test_the_certificate_is_told_in_words(client):
    plan_round(project=Project.objects.get(), round_key="main")
    plan = RoundPlan.objects.get()

    page = " ".join(client.get(f"{PLANS}{plan.pk}/").text.split())

    found = plan.certificate
    assert "24 tuples of 4 items each, from 12 items." in page
    assert "Each item is in 8 tuples." in page
    assert "No two tuples contain the same items. No tuple contains an item twice." in page
    assert f"{found['repeats']} repeated co-occurrences of two items." in page
    assert f"At least {found['repeats_at_least']} are unavoidable" in page
    assert "Each item appears 2 times in every position." in page
    assert "any two items are linked through tuples that share an item" in page
    assert f"<code>{found['sha256']}</code>" in page
    for times, pairs in found["pairs_together"].items():
        assert f'<tr><td class="number">{times}</td><td class="number">{pairs}</td></tr>' in page


def test_the_certificate_of_groups_is_told_in_words(user):
    project = make_project("giccs")
    add_dialogues(project, 2)
    plan_round(project=project, round_key="main")

    page = " ".join(manager_of(project, user).get(f"{PLANS}{RoundPlan.objects.get().pk}/").text.split())

    assert "20 tuples of 3 items each, from 10 items in 2 groups." in page
    assert "Items occur only with items from their own group." in page
    assert "any two items of a group are linked" in page


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"appearances_min": 7}, "Each item is in 7 to 8 tuples."),
        ({"tuples_twice": 3}, "3 tuples contain the same items as another tuple."),
        ({"items_twice": 2}, "2 tuples contain an item twice."),
        ({"groups": 2, "pairs_across_groups": 4}, "4 pairs of items from different groups occur together."),
        ({"position_min": 1, "position_spread": 1}, "An item appears 1 to 2 times in a position. For a single item,"),
        ({"connected": False, "components": 3}, "No: the items fall into 3 parts that share no tuple"),
    ],
)
def test_a_design_that_is_worth_less_says_so(client, values, words):
    plan_round(project=Project.objects.get(), round_key="main")
    plan = RoundPlan.objects.get()
    plan.certificate |= values
    plan.save()

    assert words in " ".join(client.get(f"{PLANS}{plan.pk}/").text.split())


def test_the_certificate_is_downloaded_as_stored(client):
    plan_round(project=Project.objects.get(), round_key="main")
    plan = RoundPlan.objects.get()

    response = client.get(f"{PLANS}{plan.pk}/certificate.json")

    assert response.json() == plan.certificate
    assert response["Content-Disposition"] == f'attachment; filename="project-main-certificate-{plan.pk}.json"'


def test_a_plan_without_tuples_has_no_certificate(user):
    project = make_project()
    add_pairs(project, 3)
    plan_round(project=project, round_key="main", people=2)
    client, plan = manager_of(project, user), RoundPlan.objects.get()

    assert "Design quality" not in client.get(f"{PLANS}{plan.pk}/").text
    assert client.get(f"{PLANS}{plan.pk}/certificate.json").status_code == 404


# The overview


def test_the_overview_counts_tuples_and_answers(db):
    place = tuple_round(make_user("ann"), main__people="2")
    client = manager_of(place.project, make_user("manager"))
    for _ in range(3):
        client_of(place.annotator.user).post(url_of(place), choice(present_screen_of(place)))
    counts = [overview_of(client)["shared"]]

    exclude(participation_id=place.pk, reason="Careless.", actor=None, now=NOON + timedelta(days=1))
    counts.append(overview_of(client)["shared"])

    assert counts == [
        {"tuples": 24, "wanted": 48, "answers": 3},
        {"tuples": 24, "wanted": 48, "answers": 0},
    ]


def present_screen_of(place: Participation):
    """The tuple that the person's page shows; in an open round the page lends it."""
    client_of(place.annotator.user).get(url_of(place))
    return present_screen(place)


def overview_of(client) -> dict:
    (one,) = client.get("/projects/project/").context["rounds"]
    return one


def test_the_overview_links_to_the_newest_certificate(client):
    project = Project.objects.get()
    plan_round(project=project, round_key="main", people=4)
    plan_round(project=project, round_key="main", people=6)  # more people, no new tuples
    asked(state="failed", problem="Nobody is there.")

    page = client.get("/projects/project/")

    first = project.plans.first()
    assert overview_of(client)["certificate"] == first.pk
    assert f'<a href="{PLANS}{first.pk}/">Design quality</a>' in page.text
    assert "0 of 96 answers collected for 24 tuples." in page.text
    assert [plan.state for plan in page.context["plans"]] == ["failed", "done", "done"]


def test_the_overview_links_to_planning_and_the_steps_to_practice(client, user):
    assert f'href="{PLANS}?round=main"' in client.get("/projects/project/").text
    assert 'href="/projects/project/practice/"' in client.get("/projects/project/setup/").text
    assert "/practice/" not in manager_of(make_project(key="ratings"), user).get("/projects/ratings/setup/").text


def queries_of(client, *paths: str) -> list[int]:
    found = []
    for path in paths:
        with CaptureQueriesContext(connection) as queries:
            client.get(path)
        found.append(len(queries))
    return found


def test_pages_take_the_same_queries_for_one_and_three_plans(client):
    plan_round(project=Project.objects.get(), round_key="main")
    paths = (PLANS, f"{PLANS}{RoundPlan.objects.get().pk}/", "/projects/project/")
    one = queries_of(client, *paths)
    asked(state="failed", problem="No.")
    asked(state="waiting")

    three = queries_of(client, *paths)

    assert one == three == [7, 5, 21]


def test_what_an_extension_costs_is_said_before_it_is_planned(client):
    project = Project.objects.get()
    plan_round(project=project, round_key="main")
    assert "in any tuple yet" not in client.get(PLANS).text
    Item.objects.create(project=project, key="new", position=99, sentence1="One.", sentence2="Two.")

    page = " ".join(client.get(PLANS).text.split())
    outcome = plan_round(project=project, round_key="main")

    assert f"Planning adds {outcome['new tuples']} tuples, which need {outcome['new tuples'] * 4} answers" in page
