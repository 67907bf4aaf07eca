"""A real browser, signed in, on a real server."""

import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.conf import settings
from django.core.management import call_command
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
WIDE_AND_DARK_PHONE = [
    pytest.param({"viewport": WIDE}, marks=pytest.mark.thorough),
    {"viewport": PHONE, "color_scheme": "dark"},
]
"""What does not fit shows on the phone first."""
DARK_AND_PHONE = [
    pytest.param({"viewport": WIDE, "color_scheme": "dark"}, marks=pytest.mark.thorough),
    {"viewport": PHONE},
]
AXE_OPTIONS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
MILLISECONDS = 30_000  # before the browser gives up waiting for something


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


@pytest.fixture(scope="session", autouse=True)
def collected() -> None:
    """Pages load the files as they are joined, named and compressed for use."""
    call_command("collectstatic", verbosity=0, interactive=False, clear=True)


@pytest.fixture(scope="session")
def unused(chromium: Browser) -> dict[str, list[BrowserContext]]:
    """Windows that earlier tests are done with, by their options. Making one takes longer than emptying it."""
    return defaultdict(list)


@pytest.fixture
def open_browser(chromium: Browser, unused, live_server) -> Iterator[Callable[..., BrowserContext]]:
    """A browser window that knows nothing; `user` is signed in, other options are those of Playwright's contexts."""
    opened: list[tuple[str, BrowserContext]] = []

    def open_one(user: User | None = None, **options: object) -> BrowserContext:
        kind = repr(sorted(options.items()))
        window = unused[kind].pop() if unused[kind] else new_window(chromium, live_server.url, options)
        opened.append((kind, window))
        if user is not None:
            sign_in(window, user, live_server.url)
        return window

    yield open_one
    for kind, window in opened:
        forget(window, live_server.url)
        unused[kind].append(window)


def new_window(chromium: Browser, url: str, options: dict[str, object]) -> BrowserContext:
    context = chromium.new_context(**{"viewport": WIDE, "base_url": url} | options)
    context.set_default_timeout(MILLISECONDS)
    return context


def forget(context: BrowserContext, url: str) -> None:
    """Leave the window as a new one would be: no pages, no cookies, nothing stored, and the network there."""
    context.set_offline(False)
    page = context.new_page()
    for other in context.pages:
        if other != page:
            other.close()
    everything = {"origin": url, "storageTypes": "all"}
    context.new_cdp_session(page).send("Storage.clearDataForOrigin", everything)
    page.close()
    context.clear_cookies()


def sign_in(context: BrowserContext, user: User, url: str) -> None:
    client = Client()
    client.force_login(user)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": url}])


def sign_out(context: BrowserContext) -> None:
    context.clear_cookies(name=settings.SESSION_COOKIE_NAME)


def violations(page: Page) -> list[str]:
    """What axe finds against accessibility on the page, one line each."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate("options => axe.run(options)", AXE_OPTIONS)
    return [f"{one['id']}: {node['target']}" for one in found["violations"] for node in one["nodes"]]


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
