"""A real browser, signed in, on a real server."""

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from annotation.models import Participation, User
from tests.browser.managing import of_boss
from tests.factories import answer_all, join, make_user, rating_round

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
MILLISECONDS = 15_000  # before the browser gives up waiting for something


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser" in str(item.path):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = os.environ.get("SEMBLANCE_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("No Chromium on this machine; script/test installs one.")
    expect.set_options(timeout=MILLISECONDS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def open_browser(chromium: Browser, live_server) -> Iterator[Callable[..., BrowserContext]]:
    """A fresh browser window; `user` is signed in, other options are those of Playwright's contexts."""
    contexts: list[BrowserContext] = []

    def open_one(user: User | None = None, **options: object) -> BrowserContext:
        context = chromium.new_context(**{"viewport": WIDE, "base_url": live_server.url} | options)
        context.set_default_timeout(MILLISECONDS)
        contexts.append(context)
        if user is not None:
            sign_in(context, user, live_server.url)
        return context

    yield open_one
    for context in contexts:
        context.close()


def sign_in(context: BrowserContext, user: User, url: str) -> None:
    client = Client()
    client.force_login(user)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": url}])


def sign_out(context: BrowserContext) -> None:
    context.clear_cookies(name=settings.SESSION_COOKIE_NAME)


def violations(page: Page) -> list[str]:
    """What axe finds against accessibility on the page, one line each."""
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]})
    return [f"{one['id']}: {node['target']}" for one in found.response["violations"] for node in one["nodes"]]


@pytest.fixture
def page_errors() -> list[str]:
    return []


@pytest.fixture
def boss(db) -> User:
    return make_user("boss")


@pytest.fixture
def place(user, boss) -> Participation:
    """Somebody at work in a round of the boss, where somebody else has answered everything."""
    place = rating_round(user)
    of_boss(place.project, boss)
    answer_all(join(place.project, "main", make_user("ben")))
    return place
