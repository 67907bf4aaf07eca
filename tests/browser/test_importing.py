"""A file looked through, and pairs built, in a real browser: by keyboard and pointer, with and without scripts."""

import pytest
from django.core.files.base import ContentFile
from playwright.sync_api import Page, expect

from annotation.domain.project.creation import add_member
from annotation.models import Item, ItemImport, Membership
from tests.browser.conftest import PHONE, WIDE, WIDE_AND_DARK_PHONE, violations
from tests.factories import NOON, make_project
from tests.importing.test_cleaning import PAIRS
from tests.importing.test_jobs import CORPUS
from tests.jobs import work_off

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def project(user):
    project = make_project("semrel")
    add_member(project=project, user=user, role=Membership.Role.MANAGER)
    return project


def faults(page: Page) -> list[str]:
    """What is wrong with the page as it stands, with everything unfolded."""
    for summary in page.locator("main details > summary").all():
        summary.click()
    wider = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return ["wider than the window"] * wider + violations(page)


@pytest.mark.parametrize(
    "view",
    [
        {"viewport": WIDE, "color_scheme": "dark"},
        {"viewport": PHONE},
        {"viewport": PHONE, "java_script_enabled": False},
    ],
)
def test_a_file_is_looked_through_and_comes_in(open_browser, project, user, view):
    page = open_browser(user, **view).new_page()
    scripts = view.get("java_script_enabled", True)
    page.goto("/projects/project/import/")
    page.get_by_label("Or type rows").fill(PAIRS)
    page.get_by_label("Check the texts before importing").check()
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("Nothing imported yet")).to_be_visible()
    assert not scripts or faults(page) == []

    page.get_by_label("Remove", exact=True).first.check()
    page.get_by_label("Keep the first, leave out the rest").first.check()
    page.get_by_role("button", name="Import with these changes").click()

    expect(page.get_by_text("7 pairs imported.")).to_be_visible()
    assert not scripts or faults(page) == []
    assert ItemImport.objects.get().cleaning == ["invisible", "repeated"]
    assert Item.objects.get(key="2").sentence1 == "It rains."


@pytest.mark.parametrize("view", WIDE_AND_DARK_PHONE)
def test_pairs_are_built_and_come_in(open_browser, project, user, view):
    page = open_browser(user, **view).new_page()
    page.goto("/projects/project/import/")
    with page.expect_navigation():
        page.get_by_role("link", name="Build pairs from a corpus").click()
    assert faults(page) == []
    page.get_by_label("Or type sentences").fill(CORPUS)
    page.get_by_label("Pairs: shared words", exact=True).fill("5")
    page.get_by_label("Pairs: random").fill("3")
    page.get_by_label("Maximum words in a sentence").fill("30")
    page.get_by_label("Near-duplicate threshold").fill("")
    page.get_by_role("button", name="Build pairs").click()
    expect(page.get_by_text("8 pairs can be built.")).to_be_visible()
    assert faults(page) == []

    page.get_by_role("button", name="Import these pairs").click()

    expect(page.get_by_text("8 pairs imported.")).to_be_visible()


def test_a_page_that_watches_shows_the_question_by_itself(open_browser, project, user):
    job = ItemImport.objects.create(project=project, name="f.csv", check_texts=True)
    job.file.save("f.csv", ContentFile(PAIRS.encode()))
    page = open_browser(user, viewport=WIDE).new_page()
    page.goto(f"/projects/project/import/{job.pk}/")
    expect(page.get_by_text("Waiting in the queue.")).to_be_visible()

    work_off("import", NOON)

    expect(page.get_by_text("Nothing imported yet")).to_be_visible()
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_text("Discarded by ann.")).to_be_visible()
