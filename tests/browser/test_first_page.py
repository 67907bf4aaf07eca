"""What first pages load from the embedded server: counts and bytes, how long browsers may keep it, and that it runs."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from playwright.sync_api import Browser, BrowserContext, Response, expect

from annotation.domain.participation.lifecycle import consent
from annotation.management.commands.serve import listen
from annotation.models import User
from tests.best_worst import tuple_round
from tests.browser.conftest import WIDE, sign_in
from tests.browser.managing import of_boss
from tests.browser.screens import rate_all
from tests.browser.test_practice import seated
from tests.config.test_serve import Server
from tests.factories import NOON, rating_round, selection_round, validation_round
from tests.practice_sets import pairs_project

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

MOST_REQUESTS, MOST_BYTES = 12, 60_000
FOR_EVER = "max-age=315360000, public, immutable"
HASHED = re.compile(r"/static/.+\.[0-9a-f]{12}\.(js|css|svg|woff2)$")
PACKED = re.compile(r"(early\.[0-9a-f]{12}\.js|\.svg|\.woff2)$")  # too small to gain, or compressed already
SCRIPT = re.compile(r"/static/js/pages/(\w+)\.[0-9a-f]{12}\.js$")


@dataclass(frozen=True)
class Screen:
    """A page, the script that it loads, and what that script or the server has put on it."""

    path: str
    script: str
    sign: str


def screens(user: User, boss: User) -> list[Screen]:
    """Make a place in a round of every kind, and return what the person meets there."""
    ratings = rating_round(user, pairs=30, key="ratings")
    of_boss(ratings.project, boss)
    context = validation_round(user, key="context")
    selection = selection_round(user, key="selection")
    choice = tuple_round(user, key="choice")
    agreement = seated(user, pairs_project(key="agreement"), "semrel")
    practice = seated(user, pairs_project(key="practice"), "semrel")
    consent(participation_id=practice.pk, now=NOON)
    return [
        Screen("/", "common", "li.card"),
        Screen(f"/my-work/{agreement.pk}/", "common", "form[action$='/consent/'] button"),
        Screen(f"/my-work/{ratings.pk}/", "rating", ".slider-track[role=slider]"),
        Screen(f"/my-work/{context.pk}/", "rating", ".slider-track[role=slider]"),
        Screen(f"/my-work/{selection.pk}/", "selection", ".sentence > p[role=button]"),
        Screen(f"/my-work/{choice.pk}/", "choice", ".option .texts[role=button]"),
        Screen(f"/my-work/{practice.pk}/", "choice", ".option .texts[role=button]"),
    ]


@pytest.fixture
def embedded(transactional_db: None, tmp_path: Path) -> Iterator[Server]:
    """`manage.py serve`, to be started when the test's rows are there."""
    if connection.vendor != "sqlite":
        pytest.skip("The embedded server has its rows in SQLite.")
    with closing(listen("127.0.0.1", 23400)) as free:
        server = Server(tmp_path, free.getsockname()[1])
    server.environment["SECRET_KEY"] = settings.SECRET_KEY  # for the sessions of the test
    yield server
    if server.process:
        server.process.terminate()
        server.process.wait(30)


def serve_rows(server: Server) -> str:
    """Start the server with a copy of the test's rows, and return its address."""
    with closing(sqlite3.connect(server.folder / "semblance.sqlite3")) as copy:
        connection.connection.backup(copy)
    return server.start()


@dataclass
class Visit:
    """What a page loaded, in a browser that had nothing of it."""

    responses: list[Response]
    bytes: int
    trouble: list[str]


def visit(context: BrowserContext, screen: Screen) -> Visit:
    """Open the page as a first one, and wait until its script has run."""
    page = context.new_page()
    seen = Visit([], 0, [])
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.on("Network.loadingFinished", lambda event: add_bytes(seen, event))
    page.on("response", lambda response: seen.responses.append(response))
    page.on("console", lambda message: seen.trouble.append(message.text))
    page.on("pageerror", lambda error: seen.trouble.append(str(error)))
    page.goto(screen.path, wait_until="networkidle")
    expect(page.locator(screen.sign).first).to_be_visible()
    return seen


def add_bytes(seen: Visit, event: dict[str, float]) -> None:
    seen.bytes += int(event["encodedDataLength"])


def check(screen: Screen, seen: Visit) -> None:
    files = [response for response in seen.responses if "/static/" in response.url]
    assert seen.trouble == []
    assert len(seen.responses) <= MOST_REQUESTS
    assert 20_000 < seen.bytes <= MOST_BYTES
    assert [found[1] for response in files if (found := SCRIPT.search(response.url))] == [screen.script]
    for response in files:
        assert HASHED.search(response.url)
        assert response.header_value("cache-control") == FOR_EVER
        assert response.header_value("content-encoding") == "gzip" or PACKED.search(response.url)
    assert seen.responses[0].header_value("content-encoding") == "gzip"


def test_first_pages_are_small_and_their_files_are_kept_for_ever(chromium: Browser, embedded, user, boss):
    shown = screens(user, boss)
    board = Screen("/projects/ratings/watch/", "project", "#watch-board h2")
    address = f"http://localhost:{embedded.port}"
    stranger, worker, manager = (chromium.new_context(base_url=address, viewport=WIDE) for _ in range(3))
    sign_in(worker, user, address)
    sign_in(manager, boss, address)
    with stranger, worker, manager:
        assert serve_rows(embedded) == address
        visits = {Screen("/account/login/", "common", "input[name=login]"): stranger, board: manager}
        for screen, context in {**visits, **dict.fromkeys(shown, worker)}.items():
            check(screen, visit(context, screen))


@pytest.mark.thorough
def test_a_screen_that_htmx_puts_in_works_with_joined_scripts(chromium: Browser, embedded, user):
    place = rating_round(user, pairs=3)
    address = f"http://localhost:{embedded.port}"
    with chromium.new_context(base_url=address, viewport=WIDE) as context:
        sign_in(context, user, address)
        serve_rows(embedded)
        page = context.new_page()
        page.goto(f"/my-work/{place.pk}/", wait_until="networkidle")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.resource_type))
        rate_all(page, 2)
        expect(page.locator(".slider-track[role=slider]")).to_be_visible()
        assert asked.count("xhr") == 2
        assert not {"document", "script", "stylesheet"} & set(asked)
