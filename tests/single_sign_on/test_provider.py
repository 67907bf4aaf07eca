"""Single sign-on with a real provider: npm's oidc-provider, and Semblance as it is served."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
from contextlib import closing
from email.utils import parsedate_to_datetime
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
import requests
from django.db import connection
from playwright.sync_api import sync_playwright

from annotation.management.commands.serve import listen
from tests.operation.servers import Server

pytestmark = [pytest.mark.thorough, pytest.mark.slow]

PACKAGE = "oidc-provider@9.13.3"
CACHE = Path(tempfile.gettempdir(), "semblance-tests", PACKAGE)
FIELD = re.compile(r'name="(\w+)"[^>]*value="([^"]*)"')
ACCOUNTS = """
from annotation.models import User
for name, superuser, verified in (("root", True, True), ("ben", False, True), ("squatted", False, False)):
    user = User.objects.create_user(name, name + "@example.org", "a long enough password")
    user.is_superuser = user.is_staff = superuser
    user.save()
    user.emailaddress_set.create(email=user.email, verified=verified, primary=True)
"""


@pytest.fixture(scope="module")
def package() -> Path:
    """The folder of the package, installed by the first test on this machine that needs it."""
    if not (shutil.which("node") and shutil.which("npm")):
        pytest.skip("node and npm are needed for a provider of identities")
    if not (CACHE / "node_modules").is_dir():
        CACHE.mkdir(parents=True, exist_ok=True)
        (CACHE / "package.json").write_text("{}")
        command = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", PACKAGE]
        done = subprocess.run(command, cwd=CACHE, capture_output=True, text=True, timeout=120)
        if done.returncode:
            shutil.rmtree(CACHE)
            pytest.skip(f"npm did not install {PACKAGE}: {done.stderr[-200:]}")
    return CACHE


@pytest.fixture(scope="module", params=[{}, {"OIDC_ONLY": "1"}], ids=["with passwords", "without"])
def server(request, package, template, tmp_path_factory):
    if connection.vendor != "sqlite":
        pytest.skip("rows are looked up in the file")
    folder = tmp_path_factory.mktemp("sso")
    with closing(listen("127.0.0.1", 8421)) as free:
        port = free.getsockname()[1]
    groups = {"OIDC_ADMIN_GROUP": "admins", "OIDC_PROJECTS_GROUP": "researchers"}
    client = {"OIDC_CLIENT_ID": "semblance", "OIDC_CLIENT_SECRET": "a-secret-of-the-client", "OIDC_NAME": "Example ID"}
    semblance = Server(folder, template, OIDC_URL=f"http://127.0.0.1:{port}", **groups, **client, **request.param)
    semblance.folder, semblance.url = folder, f"http://127.0.0.1:{semblance.port}"
    semblance.manage("shell", "-v0", "-c", ACCOUNTS)
    script = shutil.copy(Path(__file__).with_name("provider.mjs"), package / f"provider-{port}.mjs")
    back = f"{semblance.url}/account/oidc/sso/login/callback/"
    command = ["node", script, str(port), back, str(folder / "people.json")]
    provider = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert provider.stdout.readline() == b"listening\n"
        semblance.start_web(workers=1)
        yield semblance
    finally:
        provider.send_signal(signal.SIGTERM)
        provider.wait(10)
        Path(script).unlink()
        semblance.stop()


@pytest.fixture
def only(server) -> bool:
    return "OIDC_ONLY" in server.environment


def rows(server, query: str, *values: object) -> list[tuple]:
    with closing(sqlite3.connect(server.folder / "semblance.sqlite3")) as database:
        return database.execute(query, values).fetchall()


def rights(server, address: str) -> list[tuple]:
    return rows(server, "SELECT is_superuser, opens_projects FROM annotation_user WHERE email = ? ORDER BY id", address)


def submit(browser: requests.Session, page: requests.Response, **values: str) -> requests.Response:
    """Send the first form of a page, with its hidden fields, and follow all redirects."""
    action = unescape(re.search(r'<form[^>]*action="([^"]*)"', page.text)[1])
    return browser.post(urljoin(page.url, action), dict(FIELD.findall(page.text)) | values)


def start(browser: requests.Session, server, **values: str) -> requests.Response:
    """Press the button of the sign-in page and return the provider's page."""
    page = browser.get(f"{server.url}/account/login/")
    assert "Sign in with Example ID" in page.text
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]*)"', page.text)[1]
    form = {"csrfmiddlewaretoken": token} | values
    return browser.post(f"{server.url}/account/oidc/sso/login/", form, headers={"Referer": page.url})


def finish(server, browser: requests.Session, page: requests.Response, who: str) -> requests.Response:
    """Sign in at the provider, as in "ann verified group", consent, and return the page of Semblance that follows."""
    name, confirmed, *groups = who.split()
    people = {name: {"email_verified": confirmed == "verified", "groups": groups}}
    (server.folder / "people.json").write_text(json.dumps(people))
    page = submit(browser, page, login=name, password="x")
    return submit(browser, page) if "/interaction/" in page.url else page


def sign_in(server, who: str, browser: requests.Session | None = None) -> tuple[requests.Session, requests.Response]:
    browser = browser or requests.Session()
    return browser, finish(server, browser, start(browser, server), who)


def signed_in(browser: requests.Session, server) -> bool:
    return browser.get(f"{server.url}/account/data/", allow_redirects=False).status_code == 200


def test_new_people_get_an_account_and_the_rights_of_their_groups_at_each_sign_in(server):
    browser, _page = sign_in(server, "ann verified admins researchers")
    assert signed_in(browser, server)
    assert rights(server, "ann@example.org") == [(1, 1)]

    sign_in(server, "ann verified staff")
    assert rights(server, "ann@example.org") == [(0, 0)]
    assert rows(server, "SELECT provider, uid, extra_data FROM socialaccount_socialaccount WHERE uid = 'ann'") == [
        ("sso", "ann", "{}")
    ]
    assert rows(server, "SELECT count(*) FROM annotation_securityevent WHERE kind = 'groups applied'") == [(2,)]


def test_the_way_there_has_pkce_state_and_a_nonce(server):
    browser = requests.Session()
    browser.max_redirects = 10
    asked = start(browser, server).history[0].headers["Location"]
    query = parse_qs(urlsplit(asked).query)

    assert query["code_challenge_method"] == ["S256"]
    assert all(len(query[name][0]) > 15 for name in ("code_challenge", "state", "nonce"))
    assert set(query["scope"][0].split()) == {"openid", "email"}


@pytest.mark.browser
def test_the_button_leads_a_browser_to_the_provider_and_back(server):
    """The Content-Security-Policy of the sign-in page also decides where its form may be redirected to."""
    (server.folder / "people.json").write_text(json.dumps({"zoe": {"email_verified": True}}))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["SEMBLANCE_CHROMIUM"])
        page = browser.new_page()
        page.goto(f"{server.url}/account/login/")
        page.get_by_role("button", name="Sign in with Example ID").click()
        page.fill("input[name=login]", "zoe")
        page.fill("input[name=password]", "x")
        page.click("button[type=submit]")
        page.click("button[type=submit]")
        page.wait_for_url(f"{server.url}/**")
        page.goto(f"{server.url}/account/single-sign-on/")
        assert page.get_by_text("You can sign in with Example ID.").is_visible()
        browser.close()


def test_a_confirmed_address_finds_its_account_and_an_unconfirmed_one_does_not(server):
    browser, _page = sign_in(server, "id-ben verified")
    assert signed_in(browser, server)
    assert rights(server, "ben@example.org") == [(0, 0)]  # the account that was there

    stranger, page = sign_in(server, "thief-ben unverified admins")
    assert "did not confirm an email address" in page.text
    assert not signed_in(stranger, server)


def test_an_account_that_did_not_confirm_the_address_is_not_taken_over(server):
    browser, _page = sign_in(server, "squatted verified")

    assert signed_in(browser, server)
    assert len(rights(server, "squatted@example.org")) == 2


def test_an_administrator_is_not_found_by_address(server):
    browser, page = sign_in(server, "thief-root verified")

    assert "Administrators must connect" in page.text
    assert not signed_in(browser, server)
    assert rights(server, "root@example.org") == [(1, 0)]


def test_an_administrator_connects_it_after_signing_in(server, only):
    if only:
        pytest.skip("there are no passwords")
    browser = requests.Session()
    page = browser.get(f"{server.url}/account/login/")
    submit(browser, page, login="root@example.org", password="a long enough password")
    page = browser.get(f"{server.url}/account/single-sign-on/")
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]*)"', page.text)[1]
    there = browser.post(
        f"{server.url}/account/oidc/sso/login/",
        {"csrfmiddlewaretoken": token, "process": "connect"},
        headers={"Referer": page.url},
    )
    asked = finish(server, browser, there, "root verified admins")
    assert "/account/reauthenticate/" in asked.url
    form = {"csrfmiddlewaretoken": re.search(r'name="csrfmiddlewaretoken" value="([^"]*)"', asked.text)[1]}
    browser.post(asked.url, form | {"password": "a long enough password"}, headers={"Referer": asked.url})

    again, _page = sign_in(server, "root verified admins")
    assert signed_in(again, server)
    assert rows(server, "SELECT count(*) FROM socialaccount_socialaccount WHERE uid = 'root'") == [(1,)]


def test_an_answer_of_the_provider_works_once_and_only_where_it_was_asked_for(server):
    first = requests.Session()
    _browser, page = sign_in(server, "eve verified", first)
    came = next(each.url for each in page.history if "/login/callback/" in each.url)

    for browser in (requests.Session(), first):
        assert "Signing in did not work" in browser.get(came).text
    assert not signed_in(requests.Session(), server)


def test_sessions_last_half_a_day(server):
    browser, page = sign_in(server, "eve verified")
    cookie = next(each for each in browser.cookies if each.name == "sessionid")

    assert cookie.expires - parsedate_to_datetime(page.headers["Date"]).timestamp() <= 12 * 3600 + 5


def test_passwords_work_unless_they_are_switched_off(server, only):
    browser = requests.Session()
    page = browser.get(f"{server.url}/account/login/")
    token = {"csrfmiddlewaretoken": re.search(r'name="csrfmiddlewaretoken" value="([^"]*)"', page.text)[1]}
    form = token | {"login": "ben@example.org", "password": "a long enough password"}
    browser.post(page.url, form, headers={"Referer": page.url})
    assert signed_in(browser, server) is not only

    stranger = requests.Session()
    assert ('name="password1"' in stranger.get(f"{server.url}/account/signup/").text) is not only
    assert stranger.get(f"{server.url}/account/password/reset/").url.endswith("/account/login/") is only
    assert ('name="password"' in stranger.get(f"{server.url}/account/login/").text) is not only
