"""Pages of accounts and of administration, generated from the URL configuration: a new one without a rule fails."""

import re

import pytest
from django.test import Client

from tests.factories import make_user
from tests.fuzz.addresses import every_path
from tests.views.sending import client_of

# Pages that take no account. Of all others a stranger sees nothing but the login.
PUBLIC = {
    "/account/2fa/authenticate/",
    "/account/confirm-email/",
    "/account/confirm-email/MQ:1abc:xyz/",
    "/account/inactive/",
    "/account/login/",
    "/account/login/code/confirm/",
    "/account/logout/",
    "/account/password/reset/",
    "/account/password/reset/done/",
    "/account/password/reset/key/1-abc-123/",
    "/account/password/reset/key/done/",
    "/account/signup/",
}


def paths(before: str) -> list[str]:
    found = [path for path in every_path() if path.startswith(before)]
    return [re.sub(r"<slug:key>|<[^>]*>", "1", path) for path in found]


@pytest.mark.parametrize("method", ["get", "post"])
def test_strangers_see_no_account_page_but_the_public_ones(db, method):
    answers = {path: getattr(Client(), method)(path) for path in paths("/account/")}
    to_login = {path for path, answer in answers.items() if answer.get("Location", "").startswith("/account/login/")}

    assert (
        answers.keys() - to_login - PUBLIC - {path for path, one in answers.items() if one.status_code == 405} == set()
    )
    assert all(answer.status_code < 500 for answer in answers.values())


@pytest.mark.parametrize("method", ["get", "post"])
def test_administration_is_for_administrators(db, method):
    somebody, root = client_of(make_user("somebody")), client_of(make_user("root", is_superuser=True, is_staff=True))
    pages = [path for path in paths("/admin/") if not path.endswith(("/jsi18n/", "/login/", "/logout/"))]
    seen = {
        path
        for client in (Client(), somebody)
        for path in pages
        if getattr(client, method)(path).status_code not in (302, 403, 404)
    }

    assert seen == set()
    assert root.get("/admin/").status_code == 200
    assert len(pages) > 40


PAGES = ["/", "/account/login/", "/nothing/", "/api/v1/schema/", "/api/v1/projects/", "/admin/"]


@pytest.mark.parametrize("path", PAGES)
def test_pages_have_the_headers_that_protect_them(db, path):
    answer = Client().get(path)
    policy = answer["Content-Security-Policy"]

    assert all(part in policy for part in ("object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"))
    assert (answer["X-Content-Type-Options"], answer["Referrer-Policy"]) == ("nosniff", "same-origin")
