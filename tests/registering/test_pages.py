"""The pages on which a plan is written and registered, and what the API says of it."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.project.creation import add_member
from annotation.models import Membership, Project
from scoring.forms.registrations import ADDED, LABELS, TITLES
from scoring.models import Registration, RegistrationDraft
from scoring.summaries.registered.questions import QUESTIONS, SECTIONS, TEXTS
from tests.api.test_lists import reader, rows_of
from tests.factories import add_incidents, add_pairs, make_project
from tests.registering.worlds import answers, registered
from tests.views.sending import client_of

pytestmark = pytest.mark.django_db
PAGE = "/projects/project/registrations/"


@pytest.fixture
def project(user) -> Project:
    project = make_project()
    add_pairs(project, 4)
    add_member(project=project, user=user, role=Membership.Role.OWNER)
    return project


def filled(**changes):
    texts = {"hypotheses": "H1: <b>people</b> agree.", "models": "Alpha above 0.7."}
    return texts | {"items": "4", "people.main": "3", "analyses": ["scores", "agreement"]} | changes


def test_a_plan_is_written_and_registered_after_a_question(client, user, project):
    client.force_login(user)
    page = client.get(PAGE).content.decode()
    assert "Nothing is registered yet." in page and "What are the hypotheses?" in page

    client.post(PAGE, filled())
    assert RegistrationDraft.objects.get().answers["people"] == {"main": 3}
    assert not Registration.objects.exists()
    asked = client.post(PAGE, filled(register="1"), follow=True)
    assert "nobody can change or delete it" in asked.content.decode()
    done = client.post(f"{PAGE}register/", follow=True).content.decode()

    made = Registration.objects.get()
    assert made.document["analyses"] == ["scores", "agreement"] and made.registered_by == user
    assert made.sha256 in done and "The plan is registered." in done
    shown = client.get(f"{PAGE}1/").content.decode()
    assert made.sha256 in shown and "<b>people</b> agree." in shown


def test_a_plan_without_hypotheses_is_refused_on_the_page(client, user, project):
    client.force_login(user)
    client.post(PAGE, {})

    page = client.post(f"{PAGE}register/")

    assert "Describe the hypotheses" in page.content.decode()
    assert not Registration.objects.exists()


def test_wrong_numbers_are_refused(client, user, project):
    client.force_login(user)

    page = client.post(PAGE, filled(items="0", analyses=["correlations"]))

    assert page.status_code == 422 and not RegistrationDraft.objects.exists()


def test_the_files_are_the_plan_and_its_text(client, user, project):
    client.force_login(user)
    made = registered(project)

    files = {form: client.get(f"{PAGE}1/plan.{form}") for form in ("json", "md", "html", "pdf")}

    assert files["json"].content.decode() == made.plan
    assert files["md"].content.decode().startswith("# Registered plan: ")
    assert files["html"].content.decode().count("<h4") == len(QUESTIONS)
    assert 'filename="project-registration-1.json"' in files["json"]["Content-Disposition"]
    assert files["pdf"].status_code == 404


def test_incidents_are_planned_where_they_are_the_material(client, user):
    project = make_project("czech_news")
    add_incidents(project, 2)
    add_member(project=project, user=user, role=Membership.Role.OWNER)
    client.force_login(user)

    page = client.get(PAGE).content.decode()

    assert "Planned number of incidents" in page and "Planned annotators in round R3" in page


def test_every_question_and_section_has_its_label():
    assert {name: str(label) for name, label in LABELS.items()} == {name: QUESTIONS[name] for name in TEXTS}
    assert {title: str(shown) for title, shown in TITLES.items()} == {title: title for title in SECTIONS}
    assert set(ADDED) <= set(TEXTS)


def test_the_list_takes_the_same_queries_with_one_and_with_three(user, project):
    client = client_of(user)
    numbers = []
    for number in (1, 2, 3):
        registered(project, items=number)
        if number != 2:
            with CaptureQueriesContext(connection) as queries:
                assert client.get(PAGE).content.decode().count("Registration ") >= number
            numbers.append(len(queries))

    assert numbers[0] == numbers[1]


@pytest.mark.postgres
def test_registrations_are_read_over_the_api(project):
    made = registered(project)
    registered(project, texts=answers(project).texts | {"other": "More."})
    caller = reader(project)

    listed = rows_of(caller, "/api/v1/projects/project/registrations/")
    one = caller.get("/api/v1/projects/project/registrations/1/").json()

    assert [(row["number"], row["sha256"] == made.sha256) for row in listed] == [(1, True), (2, False)]
    assert one["plan"] == json.loads(made.plan) and one["sha256"] == made.sha256
    assert caller.get("/api/v1/projects/project/registrations/3/").status_code == 404
