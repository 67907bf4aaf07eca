"""A whole practice set and the check, in a real browser: by keyboard, by touch, without JavaScript."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.domain.planning.rounds import plan_round
from annotation.domain.practice.importing import import_practice
from annotation.domain.recruiting.overview import annotator_for, take_seat
from annotation.models import Participation, PracticeAnswer, PracticePart, Project, User
from tests.browser.conftest import PHONE, violations
from tests.browser.screens import go_on
from tests.factories import NOON, join, make_user, reread
from tests.practice_sets import (
    add_tasks,
    answer_task,
    dialogue_project,
    do_check,
    do_practice,
    pairs_project,
    practising_person,
    present_try,
    stage,
)
from tests.practice_sets import go_on as go_on_from_solution

pytestmark = pytest.mark.django_db(transaction=True)

PRESETS = Path(__file__).resolve().parents[2] / "annotation" / "presets"


def seated(user: User, project: Project, set_: str) -> Participation:
    """A place in the project with a demo set, before the consent."""
    import_practice(project=project, path=PRESETS / set_ / "demo" / "practice.jsonl", now=NOON)
    plan_round(project=project, round_key="main", people=2)
    return take_seat(project=project, round_key="main", annotator=annotator_for(project, user=user))


def shown_places(page: Page, participation: Participation, *, right: bool) -> tuple[int, int]:
    """Where best and worst stand on the page, from 1; the other way round if it is to be wrong."""
    task = present_try(participation).task
    values = [one.get_attribute("value") for one in page.locator("input[name=best]").all()]
    best, worst = (values.index(str(number)) + 1 for number in (task.best, task.worst))
    return (best, worst) if right else (worst, best)


def by_keys(page: Page, participation: Participation, *, right: bool = True) -> None:
    page.wait_for_load_state()  # keys are heard by a script
    best, worst = shown_places(page, participation, right=right)
    page.keyboard.press(f"Digit{best}")
    page.keyboard.press(f"Shift+Digit{worst}")
    press_enter(page)


def press_enter(page: Page) -> None:
    with page.expect_navigation():
        page.keyboard.press("Enter")


def by_touch(page: Page, participation: Participation, *, right: bool = True) -> None:
    page.wait_for_load_state()
    best, worst = shown_places(page, participation, right=right)
    for place in (best, worst):
        page.locator(".option .texts").nth(place - 1).tap()
    tap_on(page)


def tap_on(page: Page) -> None:
    with page.expect_navigation():
        go_on(page).tap()


def answers(participation: Participation, part: PracticePart) -> list[tuple[int, bool]]:
    rows = PracticeAnswer.objects.filter(participation=participation, task__part=part)
    return list(rows.values_list("attempt", "right"))


def test_practice_and_check_by_keyboard(open_browser, user):
    participation = seated(user, pairs_project(), "semrel")
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{participation.pk}/")
    page.get_by_role("button", name="Agree and start").press("Enter")

    for number in range(1, 5):
        expect(page.locator("h1")).to_have_text(f"Practice {number} of 4")
        by_keys(page, participation, right=number != 2)
        expect(page.locator(".verdict h2")).to_have_text(
            "Both are right" if number != 2 else "Not quite: see the solution"
        )
        press_enter(page)
    for right in (False, True):
        page.get_by_role("link", name="Start the").press("Enter")
        for number in range(1, 5):
            expect(page.locator("h1")).to_have_text(f"Check {number} of 4")
            by_keys(page, participation, right=right)

    expect(page.get_by_text("You passed the check")).to_be_visible()
    expect(page.locator("input[name=assignment]")).to_have_count(1)
    assert answers(participation, PracticePart.PRACTICE) == [(1, True), (1, False), (1, True), (1, True)]
    assert answers(participation, PracticePart.CHECK) == [(1, False)] * 4 + [(2, True)] * 4
    assert not reread(participation).practising

    assert violations(page) == []
    page.keyboard.press("1")
    page.keyboard.press("Shift+Digit2")
    page.keyboard.press("Enter")
    expect(page.get_by_text("You passed the check")).to_have_count(0)


@pytest.mark.thorough
def test_practice_and_check_by_touch_on_a_phone(open_browser, user):
    participation = seated(user, dialogue_project(), "giccs")
    page = open_browser(user, viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    page.goto(f"/my-work/{participation.pk}/")
    page.get_by_role("button", name="Agree and start").tap()

    for number in range(1, 4):
        expect(page.locator("h1")).to_have_text(f"Practice {number} of 3")
        by_touch(page, participation, right=number != 1)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        tap_on(page)
    for right in (False, True):
        page.get_by_role("link", name="Start the").tap()
        for number in range(1, 4):
            expect(page.locator("h1")).to_have_text(f"Check {number} of 3")
            by_touch(page, participation, right=right)

    expect(page.get_by_text("You passed the check")).to_be_visible()
    assert answers(participation, PracticePart.PRACTICE) == [(1, False), (1, True), (1, True)]
    assert answers(participation, PracticePart.CHECK) == [(1, False)] * 3 + [(2, True)] * 3


@pytest.mark.thorough
def test_practice_and_check_without_javascript(open_browser, user):
    participation = practising_person(user, practice=1, check=1)
    page = open_browser(user, java_script_enabled=False).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    def choose(best: int, worst: int) -> None:
        page.locator(f"input[name=best][value='{best}']").check()
        page.locator(f"input[name=worst][value='{worst}']").check()
        go_on(page).click()

    choose(2, 2)
    expect(page.get_by_text("The most related and the least related must be different.")).to_be_visible()
    choose(1, 3)
    expect(page.locator(".verdict h2")).to_have_text("Both are right")
    go_on(page).click()
    page.get_by_role("link", name="Start the check").click()
    choose(3, 1)
    expect(page.locator("h1")).to_have_text("Not passed yet")
    page.get_by_role("link", name="Review the practice tasks").click()
    expect(page.locator("h2")).to_have_text("Practice 1: both right")
    page.get_by_role("link", name="Back to your work").first.click()
    page.get_by_role("link", name="Start the second attempt").click()
    choose(3, 1)

    expect(page.get_by_text("Thank you for trying.")).to_be_visible()
    assert reread(participation).state == "excluded"


def test_back_reload_and_a_second_tab_lead_to_where_the_person_is(open_browser, user):
    participation = practising_person(user, practice=3)
    context = open_browser(user)
    page, other = context.new_page(), context.new_page()
    for one in (page, other):
        one.goto(f"/my-work/{participation.pk}/")

    by_keys(page, participation)
    page.reload()
    expect(page.locator(".verdict h2")).to_have_text("Both are right")
    other.keyboard.press("Digit2")
    other.keyboard.press("Shift+Digit3")
    press_enter(other)
    expect(other.get_by_text("your earlier answer is kept")).to_be_visible()
    expect(other.locator(".verdict h2")).to_have_text("Both are right")
    press_enter(page)
    expect(page.locator("h1")).to_have_text("Practice 2 of 3")
    press_enter(other)
    expect(other.locator("h1")).to_have_text("Practice 2 of 3")
    page.go_back()
    expect(page.locator("h1")).to_have_text("Practice 2 of 3")

    assert answers(participation, PracticePart.PRACTICE) == [(1, True)]


def test_a_double_click_answers_once_and_skips_no_solution(open_browser, user):
    participation = practising_person(user, practice=2)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    page.keyboard.press("Digit1")
    page.keyboard.press("Shift+Digit3")
    go_on(page).dblclick()

    expect(page.locator(".verdict h2")).to_have_text("Both are right")
    assert PracticeAnswer.objects.get().seen_at is None


def test_half_an_answer_says_what_is_missing(open_browser, user):
    participation = practising_person(user, practice=1)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    page.keyboard.press("Digit1")
    go_on(page).click()

    expect(page.locator("#missing")).to_have_text("Choose the pair that is least related first.")
    assert not PracticeAnswer.objects.exists()


def test_a_practice_in_arabic_runs_from_right_to_left(open_browser, user):
    project = pairs_project()
    add_tasks(project, practice=1, language="ar")
    project.practice_tasks.update(
        texts=[[f"ذهب الولد إلى المدرسة {n}.", f"وصل الطفل إلى مدرسته {n}."] for n in range(4)]
    )
    plan_round(project=project, round_key="main", people=2)
    participation = join(project, "main", user)
    page = open_browser(user, viewport=PHONE).new_page()

    page.goto(f"/my-work/{participation.pk}/")
    task = page.locator(".option .texts p").first
    assert (task.get_attribute("lang"), task.evaluate("e => getComputedStyle(e).direction")) == ("ar", "rtl")
    answer_task(participation)
    page.reload()

    solution = page.locator(".solved .texts p").first
    assert (solution.get_attribute("lang"), solution.evaluate("e => getComputedStyle(e).direction")) == ("ar", "rtl")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), pytest.param(1280, "light", marks=pytest.mark.thorough)])
def test_every_page_of_the_practice_is_accessible_and_fits(open_browser, user, scheme, width):
    participation = seated(user, dialogue_project(), "giccs")
    page = open_browser(user, color_scheme=scheme, viewport={"width": width, "height": 700}).new_page()
    found = []

    def look(address: str = "") -> None:
        page.goto(f"/my-work/{participation.pk}/{address}")
        found.extend(violations(page))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.locator("h1").inner_text()

    look()
    join(participation.project, "main", user)
    look()
    look("guidelines/")
    answer_task(participation, (1, 2))
    look()
    go_on_from_solution(participation)
    do_practice(participation)
    look()
    look("check/")
    do_check(participation, *[(1, 2)] * 3)
    look()
    look("practice/again/")
    do_check(participation, *[(1, 2)] * 3)
    look()

    assert found == []
    assert type(stage(participation)).__name__ == "Failed"


@pytest.mark.parametrize("width", [320, pytest.param(1280, marks=pytest.mark.thorough)])
def test_the_page_of_the_set_is_accessible_and_fits(open_browser, width):
    boss = make_user("boss", is_superuser=True)
    project = pairs_project()
    add_tasks(project, examples=1, practice=2, check=1)
    page = open_browser(boss, viewport={"width": width, "height": 700}).new_page()

    page.goto(f"/projects/{project.key}/practice/")

    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_label("Or type lines").fill('{"part": "exam"}')
    page.get_by_role("button", name="Replace practice set").click()
    expect(
        page.get_by_text("“exam” is not a part of the practice set. Use one of: example, practice, check.")
    ).to_be_visible()
    assert violations(page) == []
    page.get_by_role("link", name="Remove practice set").click()
    page.get_by_role("button", name="Remove practice set").click()
    expect(page.get_by_text("No practice set yet")).to_be_visible()
