"""Plans and certificates in a real browser: accessible, never wider than the window, watched without a reload."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotation.domain.planning.jobs import request_plan
from annotation.domain.project.creation import add_member
from annotation.models import Membership
from tests.browser.conftest import DARK_AND_PHONE, violations
from tests.browser.test_pages import faults
from tests.factories import add_dialogues, add_pairs, make_project
from tests.jobs import work_off

pytestmark = pytest.mark.django_db(transaction=True)


def planned(user, preset: str, **request: object):
    """A project that the person manages, and a plan that waits."""
    project = make_project(preset, preset)
    (add_dialogues if preset == "giccs" else add_pairs)(project, 12)
    add_member(project=project, user=user, role=Membership.Role.MANAGER)
    values = {"round_key": "main", "people": None, "calibration": [], "actor": user}
    return request_plan(project=project, **values | request)


def path_of(plan) -> str:
    return f"/projects/{plan.project.key}/plans/{plan.pk}/"


@pytest.mark.parametrize("view", DARK_AND_PHONE)
def test_plan_pages_of_a_manager(open_browser, user, view):
    pairs, dialogues = planned(user, "semrel"), planned(user, "giccs")
    refused = planned(user, "dscs", round_key="R1")
    work_off("plan", timezone.now())
    waiting = request_plan(project=pairs.project, round_key="main", people=9, calibration=[], actor=user)
    page = open_browser(user, **view).new_page()

    paths = ["/projects/semrel/", "/projects/semrel/plans/", *map(path_of, (pairs, dialogues, refused, waiting))]

    assert [fault for path in paths for fault in faults(page, path)] == []


def test_a_plan_is_watched_to_its_end(open_browser, user):
    plan = planned(user, "semrel")
    page = open_browser(user).new_page()
    page.goto(path_of(plan))
    expect(page.get_by_text("Waiting in the queue.")).to_be_visible()

    work_off("plan", timezone.now())

    expect(page.get_by_text("Planned.", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Design quality")).to_be_visible()
    assert violations(page) == []


def test_a_round_is_planned_without_scripts(open_browser, user):
    project = planned(user, "semrel").project
    page = open_browser(user, java_script_enabled=False).new_page()
    page.goto(f"/projects/{project.key}/plans/")
    page.get_by_label("People").fill("1")

    page.get_by_role("button", name="Plan round").click()

    expect(page.get_by_text("Nothing was planned.")).to_be_visible()
    expect(page.get_by_text("Too few people (1)")).to_be_visible()
