"""Writing to several people: what would happen is seen first, and a double click does no harm."""

import re
from uuid import uuid4

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.domain.planning.rounds import plan_round
from annotation.models import Broadcast, Message, Project
from tests.factories import add_pairs, join, make_project, make_user, seat_outsider
from tests.views.sending import client_of, url_of
from tests.views.test_intervening import client_with

PATH = "/projects/project/messages/"


@pytest.fixture
def project(db) -> Project:
    project = make_project()
    add_pairs(project, 2)
    plan_round(project=project, round_key="main", people=4)
    join(project, "main", make_user("one"))
    seat_outsider(project, "main", "prolific:5f")
    return project


@pytest.fixture
def client(project) -> Client:
    return client_with("manager", project)


def fields_of(page, **values: str) -> dict[str, str]:
    """What the form on the page would send."""
    return {name: str(page.context["form"][name].value() or "") for name in page.context["form"].fields} | values


def seen(client: Client, **values: str):
    """The page with who would get a message."""
    return client.post(PATH, fields_of(client.get(PATH), text="Please read 3.2.") | values)


def test_who_gets_it_is_seen_before_it_is_sent(client, project, django_capture_on_commit_callbacks):
    page = seen(client)

    assert "2 annotators will get the message." in page.text and "1 of them has no email address" in page.text
    assert not Broadcast.objects.exists()
    with django_capture_on_commit_callbacks(execute=True):
        told = client.post(PATH, fields_of(page), follow=True)
    assert "The message is being sent to 2 people." in told.text
    assert (Message.objects.count(), [letter.to for letter in mail.outbox]) == (2, [["one@example.org"]])
    person = client_of(project.annotators.get(user__username="one").user)
    assert "Please read 3.2." in person.get(url_of(Message.objects.order_by("pk").first().participation)).text


def test_a_double_click_sends_once(client, project, django_capture_on_commit_callbacks):
    fields = fields_of(seen(client))

    with django_capture_on_commit_callbacks(execute=True):
        statuses = [client.post(PATH, fields).status_code for _click in range(2)]

    assert (statuses, Broadcast.objects.count(), Message.objects.count(), len(mail.outbox)) == ([302, 302], 1, 2, 1)


def test_other_people_than_were_seen_are_seen_first(client, project):
    fields = fields_of(seen(client))
    join(project, "main", make_user("late"))

    page = client.post(PATH, fields)

    assert "The recipients have changed" in page.text and "3 annotators will get the message." in page.text
    assert not Broadcast.objects.exists()


def test_people_ticked_in_the_list_are_written_to(client, project):
    place = project.participations.get(annotator__user__username="one")
    assert f'name="place" value="{place.pk}"' in client.get("/projects/project/people/").text

    page = client.get(f"{PATH}?place={place.pk}")
    page = client.post(PATH, fields_of(page, text="Hello."))

    assert page.context["ahead"].places == (place.pk,)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"text": " "}, "This field is required."),
        ({"audience": "finished"}, "No annotators match"),
        ({"audience": "nobody"}, "Select a valid choice"),
        ({"audience": "chosen", "chosen": "1,x"}, "Select the people in the list"),
        ({"round": "R9"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_sent_says_why(client, values, said):
    page = seen(client, **values)

    assert said in page.text and not Broadcast.objects.exists()


def test_nobody_gets_nothing_even_if_it_is_sent(client):
    page = seen(client, audience="finished")

    again = client.post(PATH, fields_of(page))

    assert (again.status_code, "No annotators match" in again.text) == (422, True)


def test_what_was_sent_is_listed_and_asked_for_while_it_goes_out(client, project):
    queries = []
    for number in (1, 3):
        for _ in range(number):
            project.broadcasts.create(key=uuid4(), text="Hello.", recipients=[1, 2], created_at=project.created_at)
        with CaptureQueriesContext(connection) as captured:
            page = client.get(PATH)
        queries.append(len(captured))

    assert queries[0] == queries[1]
    assert re.search(r"0 of\s+2", page.text) and "every 2s" in page.text
    part = client.get(PATH, headers={"HX-Request": "true"}).text
    assert "<html" not in part and "Hello." in part
    Broadcast.objects.update(state="done")
    assert "every 2s" not in client.get(PATH).text
