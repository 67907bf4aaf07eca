"""A whole adaptive round: a real server, a real worker, and a person who answers in a real browser."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from textwrap import dedent

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.conftest import ARGUMENTS
from tests.whole.test_from_nothing import EMAIL, ROOT, Place, begin, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.thorough, pytest.mark.browser]
PASSWORD = "not-a-secret-1"
SETTINGS = {
    "open": "true",
    "tuples_a_person": "0",
    "factor": "1",
    "adaptive": "true",
    "together": "4",
    "stopping.icc": "0.99",
    "stopping.first": "1",
    "stopping.wave": "0.5",
    "stopping.budget": "2",
}
ITEMS = 24
JOINING = f"""
    from django.utils import timezone
    from annotation.domain.participation.lifecycle import consent
    from annotation.domain.recruiting.overview import annotator_for, take_seat
    from annotation.models import Project, User
    project, user = Project.objects.get(key="pairs"), User.objects.get(email="{EMAIL}")
    place = take_seat(project=project, round_key="main", annotator=annotator_for(project, user=user), pool="")
    consent(participation_id=place.pk, now=timezone.now())
    print(place.pk)
"""
FOUND = """
    import json
    from annotation.models import Assignment, Tuple, Wave
    print(json.dumps({
        "waves": [[wave.decision, wave.opened, wave.found] for wave in Wave.objects.order_by("number")],
        "tuples": list(Tuple.objects.order_by("position").values_list("wave", "given", "planned")),
        "answered": Assignment.objects.filter(answered_at__isnull=False).count(),
        "different": Assignment.objects.values("tuple").distinct().count(),
    }))
"""


@pytest.fixture
def place(template, tmp_path) -> Iterator[Place]:
    place = Place(tmp_path)
    begin(place, template)
    place.manage("createsuperuser", "--noinput", "--username", "researcher", "--email", EMAIL)
    chosen = [word for name, value in SETTINGS.items() for word in ("--set", f"{name}={value}")]
    place.manage_all(
        ("create_project", "pairs", "--preset", "semrel", *chosen),
        ("import_items", "pairs", "annotation/presets/semrel/demo/pairs.csv"),
        ("plan", "pairs", "main"),
    )
    command = [sys.executable, "manage.py", "serve", "--port", str(place.port)]
    with (tmp_path / "serve.log").open("w") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=place.environment, stdout=log, stderr=log)
    try:
        wait_for(place, process)
        yield place
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture
def page(place) -> Iterator[Page]:
    path = os.environ.get("SEMBLANCE_CHROMIUM") or shutil.which("chromium")
    if path is None:
        pytest.skip("No Chromium on this machine; script/test installs one.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        page = browser.new_context(base_url=f"http://127.0.0.1:{place.port}").new_page()
        page.goto("/account/login/")
        page.locator("input[name=login]").fill(EMAIL)
        page.locator("input[name=password]").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url: "login" not in url)
        yield page
        browser.close()


def shell(place: Place, code: str) -> str:
    return place.manage("shell", "--verbosity", "0", "-c", dedent(code)).splitlines()[-1]


def answer_all(page: Page, number: int) -> int:
    """Answer comparisons until none is left to answer; return the number of the last one. The first text is best."""
    while page.locator("h1").inner_text() == f"Comparison {number + 1}":
        page.wait_for_load_state()
        page.keyboard.press("1")
        page.keyboard.press("Shift+Digit4")
        page.keyboard.press("Enter")
        expect(page.locator("h1")).not_to_have_text(f"Comparison {number + 1}", timeout=30_000)
        number += 1
    return number


def test_a_person_answers_tuples_that_the_worker_chose_from_their_answers(place, page):
    work = f"/my-work/{shell(place, JOINING)}/"
    page.goto(work)
    answered, deadline = answer_all(page, 0), time.monotonic() + 120
    assert answered == ITEMS
    while answered < 2 * ITEMS and time.monotonic() < deadline:
        time.sleep(1)
        page.goto(work)
        answered = answer_all(page, answered)

    found = json.loads(shell(place, FOUND))
    waves, certificate = found["waves"], found["waves"][0][2]["certificate"]
    assert found["answered"] == found["different"] == len(found["tuples"]) == 2 * ITEMS
    assert [tuple(row) for row in found["tuples"][:ITEMS]] == [(None, 1, 1)] * ITEMS
    assert {row[0] for row in found["tuples"][ITEMS:]} == set(range(2, len(waves) + 1))
    assert sum(opened for _, opened, _ in waves) == 2 * ITEMS
    assert (certificate["items"], certificate["items_twice"], certificate["tuples_twice"]) == (ITEMS, 0, 0)
    assert certificate["appearances_max"] - certificate["appearances_min"] <= 1
    assert max(map(int, certificate["pairs_together"])) <= 4
