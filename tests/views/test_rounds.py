"""Joining, consent, guidelines, the pause, leaving."""

import re
from datetime import timedelta

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from annotation.domain.participation.lifecycle import exclude
from annotation.domain.planning.rounds import plan_round
from annotation.domain.recruiting.overview import Invitation, write_invitation
from annotation.models import Annotator, ConsentText, Participation, Project
from tests.factories import (
    NOON,
    add_pairs,
    answer_session,
    make_project,
    make_user,
    present_screen,
    rate_next,
    rating_round,
    reread,
    validation_round,
)
from tests.views.sending import client_of, url_of

EVIL = "**bold** <script>alert(1)</script> <img src=x onerror=alert(1)> [link](javascript:alert(1)) <b onclick=x>b</b>"


def invitation(people: int = 2) -> str:
    project = make_project()
    add_pairs(project, 2)
    plan_round(project=project, round_key="main", people=people)
    return f"/join/{write_invitation(Invitation('project', 'main'))}/"


def told(response) -> list[str]:
    return [str(message) for message in get_messages(response.wsgi_request)]


def resting(user, round_key: str = "R3", **until: float) -> Participation:
    """At rest, with the end of the pause so far from now."""
    participation = answer_session(validation_round(user, round_key))
    Participation.objects.update(rest_until=timezone.now() + timedelta(**until))
    return reread(participation)


def test_joining_gives_a_place_and_asks_for_consent(user):
    url = invitation()
    client = client_of(user)

    page = client.get(url)
    response = client.post(url)

    place = Participation.objects.get(annotator__user=user)
    assert (page.status_code, page.context["round"].key) == (200, "main")
    assert (response.status_code, response["Location"]) == (302, url_of(place))
    assert (place.seat, place.state, place.consented_at) == (1, "invited", None)


def test_who_has_a_place_is_led_to_it(user):
    url = invitation(people=1)
    client = client_of(user)
    client.post(url)

    place = Participation.objects.get(annotator__user=user)
    assert [client.get(url)["Location"], client.post(url)["Location"]] == [url_of(place)] * 2


def test_opening_the_link_takes_no_place(user):
    url = invitation()

    for client in (Client(), client_of(user)):
        assert client.get(url).status_code == 200
    assert Client().post(url).status_code == 200

    assert Participation.objects.filter(annotator__isnull=False).count() == 0


def test_joining_a_full_round_is_told(user):
    url = invitation(people=1)
    client_of(make_user("first")).post(url)

    response = client_of(user).post(url)

    assert (response.status_code, "are taken." in response.text) == (200, True)


def test_a_full_round_offers_no_place(user):
    url = invitation(people=1)
    client_of(make_user("first")).post(url)

    pages = [client.get(url) for client in (Client(), client_of(user))]

    assert [page.status_code for page in pages] == [200, 200]
    assert all("are taken." in page.text for page in pages)
    assert not any(">Join<" in page.text or "Start" in page.text for page in pages)


def test_the_first_page_names_time_payment_sessions_and_contact(user):
    place = validation_round(user, "R3")
    Participation.objects.update(consented_at=None, state="invited")
    facts = {"pay": "9 euros", "contact_person": "Dr. Ada Example", "contact_address": "ada@example.org"}
    Project.objects.update(ethics_approval="Ethics committee, 12/2026", guidelines="x", consent="y", **facts)

    page = client_of(user).get(url_of(place)).text

    (card,) = re.findall(r'<dl class="facts">.*?</dl>', page, re.DOTALL)
    told_facts = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", card)).strip()
    assert told_facts == (
        "Task Validation : 10 screens Time about 2 minutes Sessions 2 sessions with a pause of 72 hours between them "
        "Payment 9 euros Contact Dr. Ada Example , ada@example.org Ethics approval Ethics committee, 12/2026"
    )
    assert 'href="mailto:ada@example.org"' in card


def test_consent_keeps_the_version_of_the_text(user):
    people = [user, make_user("ben"), make_user("eve")]
    url = invitation(people=3)
    for number, person in enumerate(people):
        client_of(person).post(url)
        Project.objects.update(consent="The second text." if number == 2 else "The first text.")
        place = Participation.objects.get(annotator__user=person)
        for _repeated in range(2):
            client_of(person).post(url_of(place, "consent/"))

    versions = Participation.objects.order_by("seat").values_list("consent_version", flat=True)
    assert list(versions) == [1, 1, 2]
    texts = ConsentText.objects.values_list("number", "text")
    assert list(texts) == [(1, "The first text."), (2, "The second text.")]


def test_whoever_gets_no_place_is_no_annotator(user):
    url = invitation(people=1)
    client_of(make_user("first")).post(url)

    client_of(user).post(url)

    assert list(Annotator.objects.values_list("user__username", flat=True)) == ["first"]


def test_joining_a_closed_project_is_told(user):
    url = invitation()
    Project.objects.update(closed_at=NOON)

    for response in (client_of(user).get(url), client_of(user).post(url)):
        assert response.status_code == 410
        assert "This project is closed" in response.text


def test_a_link_to_a_round_that_is_gone_is_told(user):
    make_project()

    response = client_of(user).get(f"/join/{write_invitation(Invitation('project', 'R7'))}/")

    assert (response.status_code, "This link is incomplete" in response.text) == (404, True)


def test_a_changed_link_is_told(user):
    response = client_of(user).get(invitation()[:-2] + "/")

    assert response.status_code == 404
    assert "This link is incomplete" in response.text


def test_a_link_to_a_project_that_is_gone_is_not_found(user):
    url = invitation()
    Participation.objects.all().delete()
    Project.objects.all().delete()

    assert client_of(user).get(url).status_code == 404


def test_consent_is_asked_for_before_the_first_screen(user):
    participation = rating_round(user)
    Participation.objects.update(consented_at=None, state="invited")
    client = client_of(user)

    before = client.get(url_of(participation))
    response = client.post(url_of(participation, "consent/"))

    assert (before.context["screens"], before.context["round"].key) == (4, "main")
    assert url_of(participation, "consent/") in before.text
    assert (response.status_code, response["Location"]) == (302, url_of(participation))
    assert client.get(url_of(participation)).context["assignment"].position == 1


def test_no_answer_without_consent(user):
    participation = rating_round(user)
    screen = present_screen(participation)
    Participation.objects.update(consented_at=None, state="invited")

    response = client_of(user).post(url_of(participation), {"assignment": screen.pk, "key": "0" * 32, "value": "2"})

    assert (response.status_code, screen.judgments.count()) == (409, 0)


@pytest.mark.parametrize("page", ["", "guidelines/"])
def test_markdown_of_managers_runs_nothing(user, page):
    participation = rating_round(user)
    Project.objects.update(guidelines=EVIL, consent=EVIL)
    if not page:
        Participation.objects.update(consented_at=None, state="invited")

    text = client_of(user).get(url_of(participation, page)).text.partition("<main")[2]

    assert "<strong>bold</strong>" in text
    for word in ("<script", "onerror", 'href="javascript:', "onclick"):
        assert word not in text


@pytest.mark.parametrize("round_key", ["R2", "R3"])
def test_the_pause_tells_when_it_ends_and_whether_it_is_enforced(user, round_key):
    participation = resting(user, round_key, hours=5)

    page = client_of(user).get(url_of(participation))

    here = page.context["here"]
    assert (page.status_code, here.until, here.enforced) == (200, participation.rest_until, round_key == "R3")
    assert (url_of(participation, "begin/") in page.text) is (round_key == "R2")
    assert url_of(participation, "pause.ics") in page.text


def test_the_pause_is_told_in_the_zone_of_the_person(user):
    participation = answer_session(validation_round(user))
    Participation.objects.update(rest_until="2031-03-30T01:30:00Z")
    client = client_of(user)

    shown = {}
    for cookie, account in [
        ("", ""),
        ("Europe/Prague", ""),
        ("", "America/New_York"),
        ("Asia/Kathmandu", "Europe/Prague"),
        ("Nowhere/At-all", "Europe/Prague"),
    ]:
        type(user).objects.update(time_zone=account)
        client.cookies["time_zone"] = cookie
        text = client.get(url_of(participation)).text
        shown[cookie, account] = [time for time in ("01:30", "03:30", "07:15", "21:30") if time in text]

    assert list(shown.values()) == [["01:30"], ["03:30"], ["21:30"], ["07:15"], ["03:30"]]


def test_beginning_too_early_is_refused_by_page_and_by_post(user):
    participation = resting(user, seconds=60)
    client = client_of(user)

    response = client.post(url_of(participation, "begin/"))

    assert (response.status_code, response["Location"]) == (302, url_of(participation))
    (message,) = told(response)
    assert message.startswith("The pause lasts until 20")
    assert reread(participation).state == "resting"
    assert "assignment" not in client.get(url_of(participation)).context


@pytest.mark.parametrize(("round_key", "until"), [("R2", 60), ("R3", -1), ("R3", 0)])
def test_beginning_the_next_session(user, round_key, until):
    participation = resting(user, round_key, seconds=until)
    client = client_of(user)

    response = client.post(url_of(participation, "begin/"))

    assert (response.status_code, told(response)) == (302, [])
    assert client.get(url_of(participation)).context["assignment"].session == 2


def test_beginning_twice_is_told(user):
    participation = resting(user, seconds=0)
    client = client_of(user)
    client.post(url_of(participation, "begin/"))

    assert told(client.post(url_of(participation, "begin/"))) == ["This session has already started."]


def test_the_calendar_file_has_the_end_of_the_pause(user):
    participation = resting(user, hours=5)

    response = client_of(user).get(url_of(participation, "pause.ics"))

    calendar = Calendar.from_ical(response.content)
    (event,) = calendar.walk("VEVENT")
    (alarm,) = calendar.walk("VALARM")
    until = participation.rest_until.replace(microsecond=0)
    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="next-session.ics"'
    assert (event.decoded("dtstart"), event.decoded("dtend")) == (until, until + timedelta(minutes=30))
    assert str(event["summary"]) == "project: you can start the next session"
    assert str(event["url"]) == f"http://testserver{url_of(participation)}"
    assert (str(event["uid"]), alarm.decoded("trigger")) == (f"project-{participation.pk}@semblance", timedelta(0))


def test_the_calendar_file_of_nothing_is_not_found(user):
    assert client_of(user).get(url_of(rating_round(user), "pause.ics")).status_code == 404


def test_leaving_asks_first_and_keeps_the_reason(user):
    participation = rating_round(user)
    rate_next(participation)
    client = client_of(user)

    page = client.get(url_of(participation, "leave/"))
    assert (page.status_code, reread(participation).state) == (200, "active")
    response = client.post(url_of(participation, "leave/"), {"reason": "No time.\nSorry."})

    left = reread(participation)
    assert (response["Location"], left.state, left.reason) == (url_of(participation), "left", "No time.\nSorry.")
    assert left.refill.assignments.count() == 3
    assert "You have left this round." in client.get(url_of(participation)).text


@pytest.mark.parametrize("reason", ["x" * 1001, "half\x00a character"])
def test_a_reason_that_cannot_be_stored_is_told(user, reason):
    participation = rating_round(user)

    response = client_of(user).post(url_of(participation, "leave/"), {"reason": reason})

    assert list(response.context["form"].errors) == ["reason"]
    assert reread(participation).state == "active"


def test_leaving_after_the_end_is_told(user):
    participation = rating_round(user)
    exclude(participation_id=participation.pk, reason="Careless.", actor=None, now=NOON)

    response = client_of(user).post(url_of(participation, "leave/"), {"reason": ""})

    assert told(response) == ["This round has already ended for you."]
    assert reread(participation).state == "excluded"
