"""Members, tokens, deletion and own data in a real browser."""

import json
import re

import pytest
from playwright.sync_api import expect

from annotation.domain.project.creation import add_member
from annotation.models import Membership, Project
from tests.browser.conftest import violations
from tests.browser.managing import HOME, downloaded, follow, logged, press
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db(transaction=True)


def test_members_come_change_and_go(open_browser, place, boss):
    add_member(project=place.project, user=make_user("rea"), role=Membership.Role.RESEARCHER)
    page = open_browser(boss).new_page()
    page.goto(f"{HOME}members/")

    page.get_by_label("Role of rea@example.org").select_option("manager")
    press(page, "Change role rea@example.org")
    expect(page.get_by_label("Role of rea@example.org")).to_have_value("manager")
    follow(page, "Remove rea@example.org")
    press(page, "Remove")
    expect(page.get_by_label("Role of rea@example.org")).to_have_count(0)
    follow(page, "Remove boss@example.org")
    press(page, "Remove")
    expect(page.get_by_text("A project needs an owner")).to_be_visible()
    page.get_by_label("Email address").fill("new@example.org")
    page.get_by_role("region", name="Invite a member").get_by_label("Role").select_option("researcher")
    press(page, "Invite member")
    link = page.get_by_label("new@example.org, Researcher").input_value()
    assert violations(page) == []

    newcomer = open_browser(make_user("new")).new_page()
    newcomer.goto(re.sub(r"^https?://[^/]+", "", link))
    press(newcomer, "Accept invitation")
    expect(newcomer.get_by_role("heading", name="Results")).to_be_visible()
    expect(newcomer.get_by_role("link", name="Members")).to_have_count(0)
    actions = [action for action, _ in logged(page)]
    assert actions[:3] == ["role changed", "member removed", "member invited"]


def test_a_project_is_deleted_only_by_its_key(open_browser, place, boss):
    page = open_browser(boss).new_page()
    page.goto(f"{HOME}members/")
    follow(page, "Delete project")
    follow(page, "Cancel")
    follow(page, "Delete project")

    page.get_by_label("Type the project's key to confirm").fill("another")
    page.get_by_label("Reason").fill("A trial.")
    press(page, "Delete project")
    expect(page.locator(".errorlist")).to_be_visible()
    page.get_by_label("Type the project's key to confirm").fill("project")
    press(page, "Delete project")

    expect(page.get_by_text("The project has been deleted.")).to_be_visible()
    assert not Project.objects.exists()


def test_a_token_is_made_used_and_revoked(open_browser, place, boss, live_server):
    page = open_browser(boss).new_page()
    page.goto(f"{live_server.url}/account/tokens/")

    page.get_by_label("Name").fill("A notebook")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.get_by_label("Password").fill(PASSWORD)
    assert violations(page) == []
    with page.expect_navigation():
        page.keyboard.press("Enter")
    key = page.get_by_role("status").filter(has_text="Copy it now").locator("dd").inner_text()
    program = open_browser().request

    def answer() -> int:
        return program.get("/api/v1/projects/project/items/", headers={"Authorization": f"Token {key}"}).status

    assert (violations(page), answer()) == ([], 200)
    follow(page, "Revoke A notebook")
    press(page, "Revoke token")
    expect(page.get_by_text("The token “A notebook” has been revoked.")).to_be_visible()
    assert answer() == 401


def test_own_data_are_taken_along(open_browser, place):
    page = open_browser(place.annotator.user).new_page()
    page.goto("/account/data/")

    told = json.loads(downloaded(page, "Download").read_text("utf-8"))

    assert "ann@example.org" in json.dumps(told)
