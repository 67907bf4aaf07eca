"""The pages of models that answer as annotators: added, started after a question, watched and stopped; results."""

from decimal import Decimal

import pytest
from django.utils import timezone

from annotation.domain.jobs.worker import beat_heart
from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import add_member
from annotation.domain.simulation.answers import Behaviour
from annotation.domain.simulation.rounds import simulate_round
from annotation.models import AuditEntry, Membership
from scoring.domain.machines.jobs import start_machine
from scoring.models import Machine, MachineAnswer, MachineRun
from tests.factories import NOON, add_pairs, make_project, make_user
from tests.machines.conftest import server as server
from tests.machines.server import KEY, MODEL
from tests.machines.worlds import model_of, worked
from tests.releases.making import run_of
from tests.views.sending import HTMX, client_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
MODELS = "/projects/project/models/"
FIELDS = {
    "round": "main",
    "name": "judge",
    "model": MODEL,
    "version": "May",
    "api_key": KEY,
    "price_prompt": "10",
    "price_answer": "100",
    "budget": "1",
    "repeats": "1",
    "temperature": "0",
    "seed": "5",
    "max_tokens": "200",
    "token_limit": "max_tokens",
    "per_minute": "6000",
    "epsilon": "0.15",
}


@pytest.fixture
def project():
    made = make_project()
    add_pairs(made, 3)
    plan_round(project=made, round_key="main", people=2)
    return made


@pytest.fixture
def owner(project):
    add_member(project=project, user=make_user("boss"), role=Membership.Role.OWNER)
    return client_of(Membership.objects.get(project=project).user)


def path_of(machine, page=""):
    return f"{MODELS}{machine.pk}/{page}"


def test_from_an_empty_list_to_the_results(project, owner, server, django_capture_on_commit_callbacks):
    list(simulate_round(project=project, round_key="main", people=2, behaviour=Behaviour(), seed=1, now=NOON))
    assert "No models yet" in owner.get(MODELS).text

    response = owner.post(f"{MODELS}new/", FIELDS | {"url": server.url})
    machine = Machine.objects.get()
    assert response["Location"] == path_of(machine)
    page = owner.get(path_of(machine))
    assert "Not started yet." in page.text and "Still to do: 3 screens" in page.text
    assert KEY not in page.text
    asked = owner.get(path_of(machine, "start/"))
    assert "The model answers 3 screens of round main" in asked.text and "Budget: 1.00" in asked.text
    assert not server.received
    with django_capture_on_commit_callbacks(execute=True):
        owner.post(path_of(machine, "start/"))
    page = owner.get(path_of(machine))

    assert "All 3 screens are done." in page.text
    assert "0.0060 of 1.00" in page.text
    assert "<code>{&quot;rating&quot;:" in page.text
    assert "The next scoring run compares its answers" in page.text
    run_of(project)
    assert "Models that answered as annotators" in owner.get(path_of(machine)).text
    started = AuditEntry.objects.get(action="model started")
    assert (started.actor.username, started.details) == ("boss", {"name": "judge"})


def test_screens_without_a_valid_answer_are_named(project, owner, server):
    server.replies = ["I would say 3."] * 3
    machine = model_of(project, server.url)
    worked(machine)

    assert "Screens done: 3. Without a valid answer: 1." in owner.get(path_of(machine)).text


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"url": "https://10.0.0.1/v1"}, "private network"),
        ({"url": "http://models.example.org/v1"}, "begin with https"),
        ({"url": "https://models.example.org/v1", "budget": ""}, "Set a budget"),
        ({"url": "https://models.example.org/v1", "seed": "-1"}, "greater than or equal to 0"),
        ({"url": "https://models.example.org/v1", "name": "taken"}, "already has a model named “taken”"),
        ({"url": "https://models.example.org/v1", "round": "R9"}, "R9 is not one of the available choices"),
    ],
)
def test_a_form_with_faults_comes_back(project, owner, fields, fault):
    model_of(project, "https://models.example.org/v1", name="taken")

    page = owner.post(f"{MODELS}new/", FIELDS | fields)

    assert (page.status_code, fault in str(page.context["form"].errors)) == (422, True)
    assert KEY not in page.text
    assert Machine.objects.count() == 1


def test_a_model_is_watched_stopped_and_continued(project, owner, server):
    machine = model_of(project, server.url)
    start_machine(machine=machine, actor=None, now=NOON)
    beat_heart(timezone.now())

    page = owner.get(path_of(machine))
    assert "hx-get" in page.text and "Stop model" in page.text and "Waiting in the queue." in page.text
    assert "<html" not in owner.get(path_of(machine), headers=HTMX).text
    owner.post(path_of(machine, "stop/"))

    assert MachineRun.objects.get().state == "cancelled"
    part = owner.get(path_of(machine), headers=HTMX)
    assert part["HX-Refresh"] == "true"
    page = owner.get(path_of(machine))
    assert "It continues where it stopped" in page.text and "Continue" in page.text
    worked(Machine.objects.get())
    assert "All 3 screens are done." in owner.get(path_of(machine)).text


def test_budget_and_key_can_be_changed_and_nothing_else(project, owner):
    machine = model_of(project, "https://models.example.org/v1", price_answer=Decimal(1), budget=Decimal(2))

    owner.post(path_of(machine, "budget/"), {"budget": "7.5", "api_key": "", "model": "other"})
    found = Machine.objects.get()
    assert (found.budget, found.api_key, found.model) == (Decimal("7.5"), KEY, MODEL)
    owner.post(path_of(machine, "budget/"), {"budget": "7.5", "api_key": "sk-new"})
    assert Machine.objects.get().api_key == "sk-new"
    refused = owner.post(path_of(machine, "budget/"), {"budget": ""})
    assert refused.status_code == 422


def test_removing_asks_first(project, owner, server):
    machine = model_of(project, server.url)
    worked(machine)

    assert "This cannot be undone" in owner.get(path_of(machine, "remove/")).text
    assert MachineAnswer.objects.count() == 3
    owner.post(path_of(machine, "remove/"))
    assert (Machine.objects.count(), MachineAnswer.objects.count()) == (0, 0)


def test_researchers_see_results_and_neither_address_nor_buttons(project, server):
    machine = model_of(project, server.url)
    worked(machine)
    add_member(project=project, user=make_user("reader"), role=Membership.Role.RESEARCHER)
    reader = client_of(Membership.objects.get(project=project).user)

    page, listed = reader.get(path_of(machine)), reader.get(MODELS)

    assert "All 3 screens are done." in page.text
    assert server.url not in page.text and "Remove model" not in page.text
    assert "Add model" not in listed.text


@pytest.mark.parametrize("number", [1, 3])
def test_the_pages_take_the_same_queries_for_any_number(project, owner, server, django_assert_num_queries, number):
    for place in range(number):
        machine = model_of(project, server.url, name=f"judge {place}", repeats=number)
        worked(machine)
    for url, queries in ((MODELS, 5), (path_of(machine), 12)):
        owner.get(url)
        with django_assert_num_queries(queries):
            owner.get(url)
