"""Where a person is signed in: shown with browser and times, and ended in one browser or in all others."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from annotation.domain.account.own_data import own_data
from annotation.domain.account.sessions import describe_browser, end_sessions
from annotation.models import BrowserSession, SecurityEvent
from tests.factories import make_user
from tests.views.sending import asked_again, client_of

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1"
EDGE = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0"


def signed_in_with(user, browser):
    """A client that signed in on the page, with what this browser says of itself."""
    client = client_of(user)
    BrowserSession.objects.filter(pk=client.session.session_key).update(browser=describe_browser(browser))
    return client


@pytest.mark.parametrize(
    ("header", "words"),
    [
        (FIREFOX, "Firefox (Linux)"),
        (IPHONE, "Safari (iPhone)"),
        (EDGE, "Edge (Windows)"),
        ("Mozilla/5.0 (Linux; Android 16) Chrome/141.0 Mobile Safari/537.36", "Chrome (Android)"),
        ("curl/8.5.0", ""),
    ],
)
def test_a_browser_is_named_in_words(header, words):
    assert describe_browser(header) == words


def test_signing_in_stores_account_browser_and_time(user, client):
    user.set_password("a long enough password")
    user.save()
    form = {"login": user.email, "password": "a long enough password"}
    client.get("/account/login/")
    client.post("/account/login/", form, HTTP_USER_AGENT=FIREFOX)

    (session,) = BrowserSession.objects.filter(user=user)
    assert session.pk == client.cookies["sessionid"].value
    assert session.browser == "Firefox (Linux)"
    assert timezone.now() - session.began_at < timedelta(minutes=1)
    client.post("/account/logout/")
    assert not BrowserSession.objects.filter(user=user).exists()


def test_people_see_where_they_are_signed_in_and_no_key(user):
    here, _elsewhere, stranger = (
        signed_in_with(user, FIREFOX),
        signed_in_with(user, IPHONE),
        signed_in_with(make_user("other"), EDGE),
    )
    page = here.get("/account/sessions/").text

    assert "Firefox (Linux)" in page and "Safari (iPhone)" in page and "Edge" not in page
    assert page.count("Sign out there") == 1
    assert not [session.pk for session in BrowserSession.objects.all() if session.pk in page]
    assert "Sign out everywhere else" not in stranger.get("/account/sessions/").text
    assert '"browser": "Safari (iPhone)"' in "".join(own_data(user))


def test_signing_out_there_takes_the_password_and_ends_that_session_only(user):
    here, elsewhere, third = (signed_in_with(user, browser) for browser in (FIREFOX, IPHONE, EDGE))
    reference = BrowserSession.objects.get(browser="Safari (iPhone)").reference
    assert "reauthenticate" in here.post("/account/sessions/", {"end": reference}).url
    assert elsewhere.get("/account/data/").status_code == 200

    said = asked_again(here).post("/account/sessions/", {"end": reference}, follow=True).text

    assert "Signed out of Safari (iPhone)." in said
    assert [client.get("/account/data/").status_code for client in (here, elsewhere, third)] == [200, 302, 200]
    assert SecurityEvent.objects.get(kind="sessions ended").details == {"sessions": 1}
    assert "no longer signed in" in here.post("/account/sessions/", {"end": reference}, follow=True).text


def test_nobody_ends_the_sessions_of_others_or_their_own_by_its_reference(user):
    here, stranger = asked_again(client_of(user)), client_of(make_user("other"))
    for session in BrowserSession.objects.all():
        here.post("/account/sessions/", {"end": session.reference})

    assert [client.get("/account/data/").status_code for client in (here, stranger)] == [200, 200]


def test_signing_out_everywhere_else(user):
    here, *others, stranger = (client_of(who) for who in (user, user, user, make_user("other")))

    said = asked_again(here).post("/account/sessions/", {"end": "others"}, follow=True).text

    assert "Signed out of 2 browsers." in said
    assert [client.get("/account/data/").status_code for client in (here, *others, stranger)] == [200, 302, 302, 200]


def test_ending_sessions_reads_none_of_the_site(user, django_assert_max_num_queries):
    for number in range(3):
        client_of(make_user(f"other-{number}"))
    client_of(user)
    with django_assert_max_num_queries(2):
        assert end_sessions(user) == 1


def test_the_last_use_is_written_every_few_minutes_only(user, django_assert_num_queries):
    client = client_of(user)
    key = client.session.session_key
    with django_assert_num_queries(1):
        type(client.session)(key).load()
    BrowserSession.objects.update(used_at=timezone.now() - timedelta(minutes=6))
    type(client.session)(key).load()

    assert timezone.now() - BrowserSession.objects.get().used_at < timedelta(minutes=1)


@pytest.mark.postgres
def test_sessions_of_earlier_versions_go_on(user, client):
    signed_in, store = dict(client_of(user).session.items()), SessionStore()
    BrowserSession.objects.all().delete()
    soon, over = timezone.now() + timedelta(days=1), timezone.now() - timedelta(days=1)
    for key, data, end in (("a" * 32, signed_in, soon), ("b" * 32, {"x": 1}, soon), ("c" * 32, {}, over)):
        Session.objects.create(session_key=key, session_data=store.encode(data), expire_date=end)

    import_module("annotation.migrations.0051_browser_sessions").carry_over(apps, None)

    rows = BrowserSession.objects.order_by("pk").values_list("pk", "user", "began_at")
    assert list(rows) == [("a" * 32, user.pk, None), ("b" * 32, None, None)]
    assert not Session.objects.exists()
    client.cookies["sessionid"] = "a" * 32
    assert client.get("/account/sessions/").status_code == 200


def test_a_session_without_use_ends_when_the_operator_wants_it(user, settings):
    client = client_of(user)
    BrowserSession.objects.update(used_at=timezone.now() - timedelta(hours=3))
    settings.SESSION_IDLE_AGE = timedelta(hours=4)
    assert client.get("/account/sessions/").status_code == 200

    for hours, status in ((3, 200), (5, 302)):
        BrowserSession.objects.update(used_at=timezone.now() - timedelta(hours=hours))
        assert client.get("/account/sessions/").status_code == status
