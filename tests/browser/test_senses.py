"""Annotators' screens enlarged four times, in the reader's own colours, and without motion."""

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.models import Participation, User
from tests.best_worst import dialogue_round, tuple_round
from tests.browser.fitting import misfits
from tests.browser.senses import at, contrast, luminances
from tests.browser.test_practice import seated
from tests.factories import context_round, rating_round, selection_round
from tests.practice_sets import pairs_project

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.thorough]

ENLARGED = {"width": 320, "height": 256}  # a window of 1280 × 1024 pixels at 400 %
READABLE = 3  # the contrast that WCAG 2.2 (1.4.11) asks of controls and their states
KINDS: dict[str, Callable[[User], Participation]] = {
    "rating": rating_round,
    "context": context_round,
    "selection": lambda user: selection_round(user, incidents=1),
    "choice": tuple_round,
    "dialogue": dialogue_round,
    "consent": lambda user: seated(user, pairs_project(), "semrel"),
}
CONTROLS = ".slider-track, .option .texts, .marks label, .sentence > p, form[action] button:not([hidden]), .strip a"
# What cannot be brought into the window, or lies under something there; and how much of the window stands still in it.
UNREACHED = """(selector) => [...document.querySelectorAll(selector)].flatMap((element) => {
  if (!element.checkVisibility() || element.closest("dialog")) return [];
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const box = element.getBoundingClientRect();
  const y = Math.min(Math.max(box.y + box.height / 2, 1), innerHeight - 1);
  const hit = document.elementFromPoint(box.x + box.width / 2, y);
  const reached = hit && (element.contains(hit) || hit.contains(element));
  return reached ? [] : [`${element.className || element.tagName} lies under ${hit?.className || hit?.tagName}`];
})"""
STANDING = """() => {
  scrollTo({ top: document.documentElement.scrollHeight / 2, behavior: "instant" });
  const standing = [...document.querySelectorAll("body *")].filter((element) =>
    ["sticky", "fixed"].includes(getComputedStyle(element).position) && element.checkVisibility()
    && !element.closest("dialog, .visually-hidden, .skip"));
  const heights = standing.map((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0));
  });
  return heights.reduce((sum, height) => sum + height, 0) / innerHeight;
}"""
MOVING = """() => [...document.querySelectorAll("*")].flatMap((element) => {
  const { transitionDuration, animationDuration, scrollBehavior } = getComputedStyle(element);
  const seconds = `${transitionDuration}, ${animationDuration}`.split(", ").map(parseFloat);
  return Math.max(...seconds) > 0.001 || scrollBehavior === "smooth" ? [element.className || element.tagName] : [];
})"""


@pytest.mark.parametrize("kind", KINDS)
def test_a_screen_enlarged_four_times_loses_nothing(open_browser, user, kind):
    page = at(open_browser(user, viewport=ENLARGED).new_page(), KINDS[kind](user))

    assert misfits(page) == []
    assert page.evaluate(UNREACHED, CONTROLS) == []
    assert page.evaluate(STANDING) <= 0.4


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_moves_for_those_who_want_no_motion(open_browser, user, kind):
    page = at(open_browser(user, reduced_motion="reduce").new_page(), KINDS[kind](user))

    assert page.evaluate(MOVING) == []


def changed(before: np.ndarray, after: np.ndarray) -> int:
    """Return how many pixels look different enough to be noticed without colour."""
    light, dark = np.maximum(before, after) + 0.05, np.minimum(before, after) + 0.05
    return int((light / dark >= READABLE).sum())


def look(page: Page, element: Locator, act: Callable[[], object]) -> int:
    """Return how many pixels of the element's place change clearly through the act."""
    element.scroll_into_view_if_needed()
    page.mouse.move(0, 0)
    place = element.bounding_box()
    before = luminances(page, place)
    act()
    page.mouse.move(0, 0)
    return changed(before, luminances(page, place))


def test_a_rating_is_seen_in_the_readers_own_colours(open_browser, user):
    page = at(open_browser(user, forced_colors="active").new_page(), rating_round(user))
    track = page.get_by_role("slider")
    track.focus()

    assert look(page, page.locator(".slider-track"), lambda: page.keyboard.press("3")) > 200  # the filled line
    expect(page.locator(".slider-figure > span").first).to_have_text("3.0")
    assert contrast(page, page.locator(".slider-handle").bounding_box()) >= READABLE


def test_the_sentences_to_rate_are_seen_in_the_readers_own_colours(open_browser, user):
    page = at(open_browser(user, forced_colors="active").new_page(), context_round(user))

    lines = page.locator("mark.sent").evaluate_all(
        "all => all.map((each) => getComputedStyle(each).textDecorationLine)"
    )
    assert lines == ["underline"] * 2


def test_a_choice_is_seen_in_the_readers_own_colours(open_browser, user):
    page = at(open_browser(user, forced_colors="active").new_page(), tuple_round(user))
    cards = page.locator(".option")

    assert look(page, cards.nth(0), lambda: page.keyboard.press("1")) > 500
    assert look(page, cards.nth(2), lambda: page.keyboard.press("Shift+Digit3")) > 500
    expect(page.locator("[data-choice-state]")).to_have_text("Pair 1 is most related, 3 is least related.")


def test_a_selection_is_seen_in_the_readers_own_colours(open_browser, user):
    page = at(open_browser(user, forced_colors="active").new_page(), KINDS["selection"](user))
    sentence = page.locator(".sentence > p").first

    assert look(page, sentence, sentence.click) > 50  # the letter
    expect(sentence.locator(".letter")).to_have_text("A")
    assert contrast(page, sentence.locator(".letter").bounding_box()) >= READABLE
    lines = page.locator("mark.word").evaluate_all(
        "all => all.map((each) => getComputedStyle(each).textDecorationLine)"
    )
    assert set(lines) == {"underline"}
