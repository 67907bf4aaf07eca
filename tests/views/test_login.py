"""A login that runs out loses nothing."""

import pytest
from django.test import Client

from annotation.models import User
from annotation.permissions import LONGEST_ANSWER
from tests.factories import PASSWORD, answer_session, make_user, present_screen, rating_round, reread, validation_round
from tests.views.sending import HTMX, client_of, rating, stored_values, url_of


def sign_in(client: Client, user: User, location: str):
    """Through the login page that a redirect leads to, and on to the page that it came from."""
    return client.get(client.post(location, {"login": user.email, "password": PASSWORD})["Location"])


@pytest.mark.parametrize("page", ["", "back/", "consent/", "begin/", "leave/"])
def test_a_script_is_told_and_keeps_the_answer_itself(user, page):
    participation = rating_round(user)
    client = Client()
    fields = rating(present_screen(participation))

    responses = [client.post(url_of(participation, page), fields, headers=HTMX), client.get("/", headers=HTMX)]

    assert [response.status_code for response in responses] == [401, 200]
    assert responses[0].text == "You've been signed out."
    assert (stored_values(participation), dict(client.session)) == ([], {})


def test_a_plain_answer_waits_for_the_login_and_is_stored_then(user):
    participation = rating_round(user)
    client, screen = Client(), present_screen(participation)
    client.get("/account/login/")

    refused = client.post(url_of(participation), rating(screen, "2.5"))
    assert stored_values(participation) == []
    back = sign_in(client, user, refused["Location"])

    assert refused["Location"] == f"/account/login/?next={url_of(participation)}"
    assert (back.status_code, back["Location"]) == (302, url_of(participation))
    assert stored_values(participation) == [2.5]
    assert client.get(url_of(participation)).context["assignment"].position == 2
    assert stored_values(participation) == [2.5]


def test_an_answer_at_fault_is_told_after_the_login(user):
    participation = rating_round(user)
    client = Client()
    refused = client.post(url_of(participation), rating(present_screen(participation), "9"))

    back = sign_in(client, user, refused["Location"])

    assert (back.status_code, back.context["chosen"]) == (422, "9")
    assert stored_values(participation) == []


def test_an_answer_overtaken_by_another_tab_changes_nothing_after_the_login(user):
    participation = rating_round(user)
    client, screen = Client(), present_screen(participation)
    refused = client.post(url_of(participation), rating(screen, "1"))
    client_of(user).post(url_of(participation), rating(screen, "3"))

    back = sign_in(client, user, refused["Location"])

    assert (back.status_code, stored_values(participation)) == (409, [3.0])


def test_an_answer_that_waits_is_not_stored_for_somebody_else(user):
    other = make_user("other")
    mine, theirs = rating_round(user), rating_round(other, key="other")
    client = Client()
    refused = client.post(url_of(mine), rating(present_screen(mine)))

    back = sign_in(client, other, refused["Location"])
    page = client.get(url_of(theirs))

    assert (back.status_code, page.status_code) == (404, 200)
    assert (stored_values(mine), stored_values(theirs)) == ([], [])
    client.post("/account/logout/")
    client.force_login(user)
    client.get(url_of(mine))
    assert stored_values(mine) == []


@pytest.mark.parametrize("fields", [{"value": "2"}, {"value": "2", "assignment": "1", "more": "x" * LONGEST_ANSWER}])
def test_nothing_but_an_answer_waits_for_the_login(user, fields):
    participation = rating_round(user)
    client = Client()

    response = client.post(url_of(participation), fields)

    assert (response.status_code, dict(client.session)) == (302, {})


@pytest.mark.parametrize("page", ["consent/", "begin/", "leave/"])
def test_any_other_page_leads_back_to_where_the_person_is(user, page):
    """What was meant is asked for once more; only answers are kept."""
    participation = answer_session(validation_round(user, "R2"))
    client = Client()
    refused = client.post(url_of(participation, page), {"reason": "Ill."})

    back = sign_in(client, user, refused["Location"])

    expected = (200, None) if page == "leave/" else (302, url_of(participation))
    assert (back.status_code, back.get("Location")) == expected
    assert reread(participation).state == "resting"
