"""Annotators' screens enlarged four times, in the reader's own colours, without motion, and as they are heard."""

import re
from collections.abc import Callable
from itertools import chain

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.models import Participation, SelectedPair, User
from tests.best_worst import dialogue_round, tuple_round
from tests.browser.fitting import misfits
from tests.browser.screens import values
from tests.browser.senses import contrast, heard, heard_in_focus, luminances
from tests.browser.test_best_worst import stored
from tests.browser.test_practice import seated
from tests.factories import context_round, rating_round, selection_round
from tests.practice_sets import pairs_project

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.thorough]

ENLARGED = {"width": 320, "height": 256}  # a window of 1280 × 1024 pixels at 400 %
READABLE = 3  # the contrast that WCAG 2.2 (1.4.11) asks of controls and their states
KINDS: dict[str, Callable[[User], Participation]] = {
    "rating": rating_round,
    "context": context_round,
    "selection": lambda user: selection_round(user, incidents=1, summary=2, reports=2, sentences=2),
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


def at(page: Page, participation: Participation) -> Page:
    page.goto(f"/my-work/{participation.pk}/", wait_until="networkidle")
    return page


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
    page = at(open_browser(user, forced_colors="active").new_page(), selection_round(user, incidents=1))
    sentence = page.locator(".sentence > p").first

    assert look(page, sentence, sentence.click) > 50  # the letter
    expect(sentence.locator(".letter")).to_have_text("A")
    assert contrast(page, sentence.locator(".letter").bounding_box()) >= READABLE
    lines = page.locator("mark.word").evaluate_all(
        "all => all.map((each) => getComputedStyle(each).textDecorationLine)"
    )
    assert set(lines) == {"underline"}


def tab_to(page: Page, said: str) -> str:
    """Press Tab until what is heard begins like this, and return it."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if (now := heard_in_focus(page)).startswith(said):
            return now
    raise AssertionError(f"Tab does not lead to {said!r}.")


def press(page: Page, *keys: str) -> str:
    """Press the keys, and return what is heard of the element in focus then."""
    for key in keys:
        page.keyboard.press(key)
    return heard_in_focus(page)


def test_a_rating_is_heard_and_given_by_keyboard(open_browser, user):
    participation = rating_round(user, pairs=2)
    page = at(open_browser(user).new_page(), participation)
    question = "slider “How similar in meaning are the two texts?”"

    assert heard(page)[:15] == [
        "heading “1 of 2”",
        "0 answered",
        "link “Guidelines”",
        "progressbar “Progress in this round”, 0",
        "How similar in meaning are the two texts?",
        "heading “First text”",
        "First text of pair 1.",
        "heading “Second text”",
        "Second text of pair 1.",
        f"{question}, not chosen yet",
        "button “One step down”, disabled",
        "button “One step up”, disabled",
        "button “Next”",
        "Click the line or type a number. Press",
        "Enter",
    ]
    assert tab_to(page, "slider") == f"{question}, not chosen yet"
    assert press(page, "End") == f"{question}, 4.0, identical"
    assert press(page, "ArrowLeft") == f"{question}, 3.9, between strongly related and identical"
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("2 of 2")
    assert heard_in_focus(page) == "heading “2 of 2”"

    press(page, "Tab", "Tab")
    assert tab_to(page, "slider") == f"{question}, not chosen yet"
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Finished")).to_be_visible()

    assert values(participation) == [3.9, 0.0]


def test_a_choice_is_heard_and_made_by_keyboard(open_browser, user):
    participation = tuple_round(user)
    page = at(open_browser(user).new_page(), participation)
    card = "button “First text of pair N. Second text of pair N.”"
    marks = ["radio “most related”, not checked", "most related", "radio “least related”, not checked", "least related"]
    cards = [[f"heading “Pair {number}”", f"{card}, not pressed", *marks] for number in range(1, 5)]

    assert [re.sub(r"pair \d+", "pair N", line) for line in heard(page)][:30] == [
        "heading “Comparison 1”",
        "0 answered so far",
        "link “Guidelines”",
        "In which pair are the two texts most closely related in meaning, and in which the least?",
        *chain.from_iterable(cards),
        "Choose the pair that is most related.",
        "button “Next”",
    ]
    tab_to(page, "button “First text")
    assert press(page, "Space").endswith(", pressed")
    assert "Pair 1 is most related. Now choose the least related." in heard(page)
    assert tab_to(page, "radio “least related”").endswith(", not checked")
    assert tab_to(page, "button “First text").endswith(", not pressed")
    assert press(page, "Enter").endswith(", pressed")
    assert "Pair 1 is most related, 2 is least related." in heard(page)
    tab_to(page, "button “Next”")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Comparison 2")

    assert heard_in_focus(page) == "heading “Comparison 2”"
    assert stored(participation) == [(1, 2)]


def test_a_selection_is_heard_and_made_by_keyboard(open_browser, user):
    page = at(open_browser(user).new_page(), KINDS["selection"](user))
    slots = ("A: most similar", "B: in between", "C: least similar")
    empty = [[f"heading “{slot}”", "Choose a sentence.", f"slider “{slot}”, not chosen yet"] for slot in slots]

    assert heard(page) == [
        "heading “Sentence 1 of 2”",
        "0 answered",
        "link “Guidelines”",
        "progressbar “Progress in this round”, 0",
        "Incident 1",
        "Choose 3 sentences from the reports and rate how similar each is to the summary sentence.",
        "heading “Summary sentence”",
        "Sentence 0 of summary0, event 1.",
        "link “1 Sentence 0 of summary0, event 1.”",
        "link “2 Sentence 1 of summary0, event 1.”",
        "heading “report1”",
        "button “Sentence 0 of report1, event 1.”, not pressed",
        "button “Sentence 1 of report1, event 1.”, not pressed",
        "heading “report2”",
        "button “Sentence 0 of report2, event 1.”, not pressed",
        "button “Sentence 1 of report2, event 1.”, not pressed",
        *chain.from_iterable(empty),
        "0 of 3 chosen, 0 of 3 rated",
        "button “Next”",
        "link “Leave this round”",
    ]
    tab_to(page, "button “Sentence 0 of report1")
    assert press(page, "Space") == "button “A Sentence 0 of report1, event 1.”, pressed"
    assert press(page, "ArrowDown", "Space") == "button “B Sentence 1 of report1, event 1.”, pressed"
    assert press(page, "ArrowDown", "Space") == "button “C Sentence 0 of report2, event 1.”, pressed"
    for slot, key, value in zip(slots, ("End", "PageDown", "Home"), ("6, ", "5", "0, "), strict=True):
        assert tab_to(page, f"slider “{slot}”") == f"slider “{slot}”, not chosen yet"
        assert press(page, *(["End"] if key == "PageDown" else []), key).startswith(f"slider “{slot}”, {value}")
    assert "3 of 3 chosen, 3 of 3 rated" in heard(page)
    page.keyboard.press("Control+Enter")
    expect(page.locator("h1")).to_have_text("Sentence 2 of 2")

    chosen = SelectedPair.objects.order_by("role").values_list("role", "value")
    assert list(chosen) == [("A", 6.0), ("B", 5.0), ("C", 0.0)]


def test_arrow_keys_lead_on_in_a_window_that_is_told_of_no_focus(open_browser, user):
    """As in a window in the background, to which a screen reader or a program sends the keys."""
    page = at(open_browser(user).new_page(), KINDS["selection"](user))
    page.evaluate("addEventListener('focusin', (event) => event.stopImmediatePropagation(), { capture: true })")

    tab_to(page, "button “Sentence 0 of report1")
    press(page, "ArrowDown", "ArrowDown")

    assert heard_in_focus(page) == "button “Sentence 0 of report2, event 1.”, not pressed"
