"""No text is longer than its place on a phone, in any language: annotators' screens, and the main pages of managers."""

import pytest
from playwright.sync_api import Page

from annotation.domain.recruiting.links import make_link, path_of
from annotation.models import Participation
from tests.best_worst import dialogue_round, tuple_round
from tests.browser.conftest import PHONE
from tests.browser.fitting import misfits
from tests.browser.managing import of_boss
from tests.browser.test_practice import seated
from tests.factories import NOON, context_round, rating_round, selection_round
from tests.practice_sets import pairs_project

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.thorough]

LANGUAGES = ("en", "cs", "de", "es", "ar")
PAGES = (
    *("", "setup/", "setup/protocol/", "import/", "items/", "plans/", "recruiting/", "recruiting/emails/"),
    *("recruiting/addresses/", "recruiting/waiting/", "recruiting/quotas/", "recruiting/studies/"),
    *("watch/", "people/", "answers/", "log/", "runs/", "releases/", "forecast/", "webhooks/"),
)


def found_at(page: Page, path: str) -> list[str]:
    answer = page.goto(path, wait_until="networkidle")
    assert answer.ok, path
    return [f"{path}: {misfit}" for misfit in misfits(page)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [PHONE["width"], 320])
def test_every_text_of_an_annotators_screen_fits_its_place(open_browser, user, language, width):
    type(user).objects.filter(pk=user.pk).update(language=language)
    rounds: list[Participation] = [
        rating_round(user, key="ratings"),
        context_round(user, key="context"),
        selection_round(user, key="selection"),
        tuple_round(user, key="choice"),
        dialogue_round(user),
        seated(user, pairs_project(key="practice"), "semrel"),
    ]
    page = open_browser(user, viewport={"width": width, "height": 740}).new_page()
    found = found_at(page, "/")
    for participation in rounds:
        found += found_at(page, f"/my-work/{participation.pk}/")
        page.keyboard.press("Enter")  # says what is missing
        found += [f"{participation}, incomplete: {misfit}" for misfit in misfits(page)]
        page.keyboard.press("g")
        found += [f"{participation}, guidelines: {misfit}" for misfit in misfits(page)]

    assert found == []


def test_a_long_address_fits_a_phone(open_browser, user):
    project = rating_round(user).project
    link = make_link(project=project, round_key="main", pool="raters", actor=None, now=NOON)
    page = open_browser(viewport={"width": 320, "height": 740}).new_page()
    page.goto(path_of(link))
    page.locator("input[name=address]").first.fill(f"{'long' * 12}@example.org")
    page.get_by_role("button").filter(has_text="Send me the link").click()
    page.get_by_role("heading", name="Check your email").wait_for()

    assert misfits(page) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_a_managers_main_page_fits_its_place(open_browser, place, boss, language):
    type(boss).objects.filter(pk=boss.pk).update(language=language)
    of_boss(place.project, boss)
    page = open_browser(boss, viewport=PHONE).new_page()
    pages = ["/", "/projects/", *(f"/projects/{place.project.key}/{path}" for path in PAGES)]

    assert [misfit for path in pages for misfit in found_at(page, path)] == []
