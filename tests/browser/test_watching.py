"""A project watched in a real browser: accessible, kept up to date without a reload, quiet while nobody looks."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotation.domain.project.creation import add_member
from annotation.models import Heartbeat, Membership, Message
from scoring.models import ProjectStatistics
from tests.browser.conftest import DARK_AND_PHONE, PHONE, violations
from tests.browser.test_pages import faults
from tests.factories import rate_next
from tests.watching.test_statistics import flagged
from tests.watching.worlds import measure_project, measured, seat

FETCHED = {"fetch", "xhr"}  # what a script asks for; the icon of the page is not

pytestmark = pytest.mark.django_db(transaction=True)


def managed(user, project):
    add_member(project=project, user=user, role=Membership.Role.MANAGER)
    Heartbeat.objects.update_or_create(name="worker", defaults={"at": timezone.now()})
    return f"/projects/{project.key}/"


@pytest.mark.parametrize("view", DARK_AND_PHONE)
def test_pages_for_watching(open_browser, user, view):
    project = flagged()
    home = managed(user, project)
    page = open_browser(user, **view).new_page()

    pages = ["watch/", "people/", f"people/{seat(project, 1).pk}/", f"people/{seat(project, 2).pk}/"]
    pages += [f"watch/items/{project.items.first().pk}/", "watch/options/", "messages/"]

    assert [fault for one in pages for fault in faults(page, home + one)] == []


def test_the_board_follows_without_a_reload_and_keeps_the_focus(open_browser, user):
    project = measured()
    home = managed(user, project)
    ProjectStatistics.objects.update(created_at=timezone.now())
    page = open_browser(user).new_page()
    page.goto(f"{home}watch/")
    page.evaluate("window.sameDocument = true")
    page.locator("#main-finished").focus()

    rate_next(seat(project, 3))
    measure_project(project.pk, timezone.now())

    expect(page.get_by_text("10 of 16 answers")).to_be_visible()
    assert page.evaluate("window.sameDocument")
    assert page.evaluate("document.activeElement.id") == "main-finished"


def test_nothing_is_fetched_while_the_page_is_hidden(open_browser, user):
    home = managed(user, measured())
    page = open_browser(user).new_page()
    page.goto(f"{home}watch/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.resource_type in FETCHED else None)
    hide = "hidden => Object.defineProperty(document, 'hidden', {value: hidden, configurable: true})"
    wake = "document.querySelector('[data-watch]').dispatchEvent(new Event('wake'))"

    page.evaluate(hide, True)
    page.evaluate(wake)
    assert asked == []
    page.evaluate(hide, False)
    with page.expect_response(f"**{home}watch/"):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_a_flag_is_settled_without_scripts(open_browser, user):
    project = flagged()
    home = managed(user, project)
    page = open_browser(user, java_script_enabled=False).new_page()
    page.goto(f"{home}watch/")
    page.get_by_role("link", name="1 annotator needs review").click()
    page.get_by_role("link", name="person-1").click()

    page.get_by_role("button", name="Mark as reviewed").click()

    expect(page.get_by_text("All flags reviewed")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_what_becomes_of_the_scores_follows_the_page_of_an_exclusion(open_browser, user, scripts):
    project = measured()
    home = managed(user, project)
    page = open_browser(user, viewport=PHONE, java_script_enabled=scripts).new_page()

    page.goto(f"{home}people/{seat(project, 1).pk}/exclude/")
    if not scripts:
        page.get_by_role("link", name="Show effect on scores").click()

    expect(page.get_by_role("columnheader", name="Changed scores")).to_be_visible()
    expect(page.get_by_label("Reason")).to_be_visible()
    if scripts:
        assert violations(page) == []


@pytest.mark.parametrize("scripts", [True, False])
def test_people_are_ticked_and_written_to(open_browser, user, scripts):
    project = measured()
    home = managed(user, project)
    page = open_browser(user, viewport=PHONE, java_script_enabled=scripts).new_page()
    page.goto(f"{home}people/")
    for name in ("person-1", "person-3"):
        page.get_by_role("checkbox", name=name).check()

    page.get_by_role("button", name="Write a message").click()
    page.get_by_label("Message").fill("Please read 3.2 again.")
    page.get_by_role("button", name="Check recipients").click()
    expect(page.get_by_text("2 annotators will get the message.")).to_be_visible()
    if scripts:
        assert violations(page) == []
    page.get_by_role("button", name="Send to 2 annotators").click()

    expect(page.get_by_text("The message is being sent to 2 people.")).to_be_visible()
    expect(page.get_by_role("cell", name="Please read 3.2 again.")).to_be_visible()
    assert Message.objects.count() == 2
