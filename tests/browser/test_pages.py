"""Every page that a person may meet: accessible, quiet, never wider than the window, in light and dark."""

import pytest
from playwright.sync_api import Page, expect

from annotation.domain.participation.lifecycle import exclude
from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import add_member
from annotation.domain.recruiting.overview import Invitation, write_invitation
from annotation.models import Membership
from tests.browser.conftest import DARK_AND_PHONE, WIDE_AND_DARK_PHONE, violations
from tests.factories import NOON, add_pairs, join, make_project, make_user, planned_for, rate_next

pytestmark = pytest.mark.django_db(transaction=True)


def faults(page: Page, path: str) -> list[str]:
    """What is wrong with a page: accessibility, scripts or files that fail, a page wider than the window."""
    found: list[str] = []
    page.on("console", lambda message: found.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: found.append(str(error)))
    page.goto(path)
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append("wider than the window")
    return [f"{path} {fault}" for fault in [*found, *violations(page)]]


@pytest.mark.parametrize("view", WIDE_AND_DARK_PHONE)
def test_pages_of_a_stranger(open_browser, db, view):
    project = make_project()
    add_pairs(project, 2)
    plan_round(project=project, round_key="main", people=2)
    invitation = write_invitation(Invitation(project.key, "main", "raters"))
    page = open_browser(**view).new_page()

    paths = ["/", "/account/login/", "/account/signup/", "/account/password/reset/", f"/join/{invitation}/"]
    paths += ["/help/", "/help/managers-first-hour/", "/help/flags/"]

    assert [fault for path in paths for fault in faults(page, path)] == []


@pytest.mark.parametrize("view", DARK_AND_PHONE)
def test_pages_of_an_annotator(open_browser, user, view):
    begun, finished, excluded, invited = (make_project(key=key) for key in ("begun", "finished", "excluded", "invited"))
    for project in (begun, finished, excluded, invited):
        add_pairs(project, 2)
    first, second, third = (planned_for(user, project) for project in (begun, finished, excluded))
    rate_next(second)
    rate_next(second)
    exclude(participation_id=third.pk, reason="Answers in a second.", actor=None, now=NOON)
    plan_round(project=invited, round_key="main")
    page = open_browser(user, **view).new_page()

    paths = ["/", "/account/email/", "/account/password/change/", "/account/2fa/"]
    paths += [f"/my-work/{one.pk}/" for one in (first, second, third)]
    paths += [f"/my-work/{first.pk}/guidelines/", f"/my-work/{first.pk}/leave/"]

    assert [fault for path in paths for fault in faults(page, path)] == []


def test_pages_of_a_manager(open_browser, user):
    project = make_project()
    add_pairs(project, 2)
    add_member(project=project, user=user, role=Membership.Role.MANAGER)
    plan_round(project=project, round_key="main")
    join(project, "main", make_user("ben"))
    page = open_browser(user).new_page()

    paths = ["/", f"/projects/{project.key}/", f"/projects/{project.key}/import/"]

    assert [fault for path in paths for fault in faults(page, path)] == []


def test_consent_page_comes_first(open_browser, user):
    project = make_project()
    add_pairs(project, 2)
    plan_round(project=project, round_key="main")
    invitation = write_invitation(Invitation(project.key, "main", "raters"))
    page = open_browser(user).new_page()

    page.goto(f"/join/{invitation}/")
    with page.expect_navigation():
        page.get_by_role("button", name="Join").click()
    assert violations(page) == []
    page.get_by_role("button", name="Agree and start").click()

    expect(page.locator("h1")).to_contain_text("1 of 2")
