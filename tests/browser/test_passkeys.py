"""Passkeys beside authenticator apps, with a virtual authenticator of the browser."""

import pytest
from allauth.mfa.models import Authenticator
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, violations
from tests.browser.managing import press
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db(transaction=True)
DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def site(live_server) -> str:
    """Passkeys belong to a name, never to a number."""
    return live_server.url.replace("127.0.0.1", "localhost")


def with_device(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})


def type_password(page: Page) -> None:
    page.get_by_label("Password").fill(PASSWORD)
    with page.expect_navigation():
        page.keyboard.press("Enter")


@pytest.mark.parametrize("view", [{}, {"viewport": PHONE, "color_scheme": "dark"}])
def test_a_passkey_is_added_and_signs_in_without_a_password(open_browser, site, view):
    make_user()
    page = open_browser(**view).new_page()
    with_device(page)
    page.goto(f"{site}/account/login/")
    found = violations(page)
    page.get_by_label("Email").fill("ann@example.org")
    type_password(page)

    page.goto(f"{site}/account/2fa/webauthn/add/")
    type_password(page)  # once more
    found += violations(page)
    page.get_by_label("Use as a passkey").check()
    press(page, "Add")
    assert Authenticator.objects.filter(type="webauthn").count() == 1
    page.goto(f"{site}/account/2fa/")
    expect(page.get_by_text("1 security key")).to_be_visible()
    found += violations(page)

    page.context.clear_cookies()
    page.goto(f"{site}/account/login/")
    press(page, "Sign in with a passkey")

    page.goto(f"{site}/account/data/")
    expect(page.get_by_role("heading", name="My data")).to_be_visible()
    assert found == []


def test_a_passkey_is_the_second_step_after_the_password(open_browser, site):
    make_user()
    page = open_browser().new_page()
    with_device(page)
    page.goto(f"{site}/account/login/")
    page.get_by_label("Email").fill("ann@example.org")
    type_password(page)
    page.goto(f"{site}/account/2fa/webauthn/add/")
    type_password(page)
    press(page, "Add")
    page.context.clear_cookies()

    page.goto(f"{site}/account/login/")
    page.get_by_label("Email").fill("ann@example.org")
    type_password(page)
    assert "/2fa/authenticate/" in page.url
    assert violations(page) == []
    press(page, "Use a security key")

    page.goto(f"{site}/account/data/")
    expect(page.get_by_role("heading", name="My data")).to_be_visible()
