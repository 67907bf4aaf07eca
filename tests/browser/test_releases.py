"""The pages of releases, of their leaderboard and of webhooks, in a real browser."""

import os
import shutil
import subprocess
import zipfile

import pytest
from playwright.sync_api import expect

from annotation.domain.account.tokens import make_token
from annotation.domain.project.creation import add_member
from annotation.models import Membership
from annotation.tasks import run_job
from scoring.domain.evaluations.evaluate import evaluate_model
from scoring.domain.evaluations.leaderboards import open_leaderboard
from scoring.domain.releases.jobs import request_release
from scoring.domain.webhooks.addresses import add_webhook, request_test
from scoring.models import Delivery, Release
from tests.browser.conftest import DARK_AND_PHONE, PHONE, violations
from tests.browser.test_pages import faults
from tests.factories import NOON
from tests.releases.making import released
from tests.runs.projects import dialogues

pytestmark = pytest.mark.django_db(transaction=True)
RELEASES = "/projects/project/releases/"
BOARD = "/leaderboards/project/1/"


@pytest.fixture
def release(user) -> Release:
    """A release with three models, in a project that the person manages."""
    project = dialogues("project")
    add_member(project=project, user=user, role=Membership.Role.MANAGER)
    made = released(project, licence="CC-BY-4.0")
    found = made.run.results["choice_scores"]
    scores = dict(zip(found["item"], found["score"], strict=True))
    evaluate_model(made, "a perfect model with a long name", scores, user)
    evaluate_model(made, "upside down", {item: -value for item, value in scores.items()}, user)
    open_leaderboard(release=made, opened=True, actor=user, now=NOON)
    return made


@pytest.mark.parametrize("view", DARK_AND_PHONE)
def test_pages_of_a_manager(open_browser, user, release, view):
    project = release.project
    for number, state in enumerate(("waiting", "failed"), 2):
        Release.objects.create(
            project=project, number=number, run=release.run, code_version="1", state=state, problem="The disk is full."
        )
    hook = add_webhook(project=project, url="https://example.org/hook/of/a/long/name", now=NOON)
    request_test(hook=hook, now=NOON)
    Delivery.objects.create(
        webhook=hook, event="run.finished", key="1", payload={}, state="failed", problem="No answer."
    )
    page = open_browser(user, **view).new_page()

    paths = [RELEASES, *(f"{RELEASES}{number}/" for number in (1, 2, 3)), BOARD, f"{BOARD}?sort=model"]
    paths += ["/projects/project/webhooks/", f"/projects/project/webhooks/{hook.pk}/"]

    assert [fault for path in paths for fault in faults(page, path)] == []


def test_a_release_is_watched_to_its_end(open_browser, user, release):
    waiting = request_release(project=release.project, actor=user)
    page = open_browser(user).new_page()
    page.goto(f"{RELEASES}2/")
    expect(page.get_by_text("Waiting in the queue.")).to_be_visible()

    run_job("release", waiting.pk)

    expect(page.get_by_role("link", name="giccs.csv")).to_be_visible()
    page.get_by_role("heading", name="Data card").click()
    expect(page.get_by_role("heading", name="Known limits")).to_be_visible()
    assert violations(page) == []


def test_the_commands_of_the_page_download_and_check_everything(open_browser, user, release, tmp_path):
    if not (shutil.which("curl") and shutil.which("sha256sum")):
        pytest.skip("There is no curl or no sha256sum on this machine.")
    page = open_browser(user).new_page()
    page.goto(f"{RELEASES}1/")
    commands = page.locator("#with-curl").inner_text()
    surroundings = {"PATH": os.environ["PATH"], "TOKEN": make_token(user=user)[1], "NO_PROXY": "*"}

    for _ in range(2):  # the second time everything is there
        done = subprocess.run(
            ["bash", "-e"], input=commands, cwd=tmp_path, env=surroundings, capture_output=True, text=True
        )

        assert done.returncode == 0, done.stderr
        assert done.stdout.count(": OK") == release.files.count()
    assert (tmp_path / "giccs.csv").stat().st_size == release.files.get(name="giccs.csv").size


def test_all_files_come_as_one(open_browser, user, release):
    page = open_browser(user, viewport=PHONE).new_page()
    page.goto(f"{RELEASES}1/")

    with page.expect_download() as download:
        page.get_by_role("link", name="Download all files").click()

    assert download.value.suggested_filename == "project-release-1.zip"
    with zipfile.ZipFile(download.value.path()) as archive:
        assert archive.testzip() is None
        sizes = {one.filename: one.file_size for one in archive.infolist()}
    assert sizes == {f"project-release-1/{name}": size for name, size in release.files.values_list("name", "size")}


def test_a_stranger_sorts_the_leaderboard_without_scripts(open_browser, release):
    page = open_browser(java_script_enabled=False).new_page()
    page.goto(BOARD)
    first = page.locator("tbody th").first
    expect(first).to_contain_text("a perfect model")

    page.get_by_role("link", name="Pearson’s r").click()
    page.get_by_role("link", name="Pearson’s r").click()

    expect(page.locator("th[aria-sort=ascending]")).to_contain_text("Pearson’s r")
    expect(first).to_contain_text("upside down")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as CSV").click()
    assert download.value.suggested_filename == "project-1-leaderboard.csv"


def test_a_webhook_is_added_without_scripts(open_browser, user, release):
    page = open_browser(user, java_script_enabled=False).new_page()
    page.goto("/projects/project/webhooks/")
    page.get_by_label("URL").fill("https://example.org/hook")
    page.get_by_label("Release made").check()

    page.get_by_role("button", name="Add webhook").click()

    expect(page.get_by_role("heading", name="Secret of the new webhook")).to_be_visible()
    page.get_by_role("link", name="Go to webhook").click()
    expect(page.get_by_text("No deliveries yet")).to_be_visible()
