"""Cookies over https: only this host can set them, and an upgrade signs nobody out."""

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils import timezone

from annotation.domain.recruiting.guests import nameless_guest
from annotation.models import BrowserSession
from annotation.views.browsers import is_browser_of, remember_browser
from tests.factories import make_project
from tests.views.sending import client_of


@pytest.fixture
def https(settings):
    settings.HTTPS = settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    settings.COOKIE_PREFIX = "__Host-"
    settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
    settings.LANGUAGE_COOKIE_NAME, settings.LANGUAGE_COOKIE_SECURE = "__Host-django_language", True


@pytest.fixture
def guest(db):
    return nameless_guest(project=make_project(), language="en")


def test_all_cookies_are_for_this_host_only(https, user, client):
    user.set_password("a long enough password")
    user.save()
    client.get("/account/login/", secure=True)
    form = {"login": user.email, "password": "a long enough password"}
    client.post("/account/login/", form, secure=True)
    client.post("/language/", {"language": "cs"}, secure=True)

    names = {"sessionid", "csrftoken", "known_browser", "messages", "django_language"}
    assert set(client.cookies) == {f"__Host-{name}" for name in names}
    for cookie in client.cookies.values():
        assert cookie["path"] == "/" and cookie["secure"] and not cookie["domain"]


def test_names_over_http_are_as_before(user, client):
    client.force_login(user)
    client.get("/")

    assert set(client.cookies) == {"sessionid", "csrftoken"}


def test_a_session_from_before_goes_on_under_the_new_name(user, request):
    earlier = client_of(user, enforce_csrf_checks=True)
    earlier.get("/account/sessions/")
    BrowserSession.objects.update(began_at=None)
    request.getfixturevalue("https")

    sent = {"time_zone": "Europe/Prague"}
    token = earlier.cookies["csrftoken"].value
    options = {"headers": {"X-CSRFToken": token, "Referer": "https://testserver/"}, "secure": True}
    first, second = (earlier.post("/time-zone/", sent, **options) for _ in range(2))

    assert (first.status_code, second.status_code) == (204, 204)
    assert first.cookies["__Host-sessionid"]["secure"] and first.cookies["__Host-csrftoken"]["secure"]
    assert not first.cookies["sessionid"].value  # deleted


def test_a_session_of_now_is_not_taken_from_a_cookie_that_others_can_set(https, user, client):
    client.cookies["sessionid"] = client_of(user).session.session_key

    assert BrowserSession.objects.get().began_at <= timezone.now()
    assert client.get("/account/sessions/", secure=True).status_code == 302


@pytest.mark.parametrize("before", [True, False])
def test_a_browser_keeps_its_place(guest, request, before):
    if not before:
        request.getfixturevalue("https")
    answer = HttpResponse()
    remember_browser(answer, guest)
    if before:
        request.getfixturevalue("https")
    visit = RequestFactory().get("/crowd/")
    visit.COOKIES = {name: cookie.value for name, cookie in answer.cookies.items()}

    assert is_browser_of(visit, guest.user)
    (name,) = visit.COOKIES
    assert name == f"{'' if before else '__Host-'}place-{guest.user.pk}"
    assert answer.cookies[name]["path"] == ("/crowd/" if before else "/")


def test_the_api_is_refused_over_http_and_pages_lead_to_https(settings, client, db):
    settings.SECURE_SSL_REDIRECT = True
    refused = client.get("/api/v1/projects/", headers={"Authorization": "Token x"})

    assert refused.status_code == 403 and "Use https" in refused.json()["detail"]
    assert refused["Content-Type"] == "application/problem+json"
    assert client.get("/api/v1/projects/", secure=True).status_code == 401
    for page in ("/account/login/", "/api/v1/docs/"):
        assert client.get(page).url == f"https://testserver{page}"
