"""The scale as an instrument: it stays where it is, every point can be reached, and what is impossible is explained."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import violations
from tests.browser.screens import press_at, rate, slider, values
from tests.factories import add_pairs, make_project, make_user, planned_for, rating_round, selection_round

pytestmark = pytest.mark.django_db(transaction=True)

WIDTHS = (320, 360, 768, 1024, 1280, 1920)
SMALL = {"width": 320, "height": 640}
ENDS = {"label__lowest": "not at all", "label__highest": "the same"}
# Everything but the marks on the line and the words of the value itself, which show the value.
MOVED = """() => {
  const marks = ".slider-fill, .slider-handle, .slider-figure, .slider-words, .missing";
  const all = [...document.querySelectorAll("#screen, #screen *:not(dialog, dialog *)")];
  const shown = all.filter((each) => each.checkVisibility() && !each.closest(marks));
  const places = () => shown.map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [x, y, width, height].map(Math.round).join();
  });
  const name = (each) => `${each.tagName}.${each.className}`;
  const moved = new Set();
  document.querySelectorAll("#screen fieldset[data-scale]").forEach(({ slider }) => {
    const before = places();
    for (let index = 0; index <= slider.scale.last; index += 1) {
      slider.choose(slider.scale.at(index));
      places().forEach((place, each) => {
        if (place !== before[each]) moved.add(`${name(shown[each])} at ${slider.value}`);
      });
    }
    slider.choose(null);
  });
  return [...moved];
}"""


def assert_still(page: Page) -> None:
    expect(page.locator(".slider").first).to_be_visible()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(MOVED) == [], width


@pytest.mark.parametrize("language", ["en", "cs", "de", "es", "ar"])
def test_nothing_moves_between_no_value_and_any(open_browser, db, language):
    reader = make_user(language=language)
    pair, incident = rating_round(reader, key="pairs"), selection_round(reader, key="news", incidents=1)
    page = open_browser(reader, locale=language).new_page()

    page.goto(f"/my-work/{pair.pk}/")
    assert_still(page)
    page.locator("button.first").last.click()  # what is missing is said without moving anything either
    expect(page.locator("#missing")).not_to_be_empty()
    assert_still(page)
    page.goto(f"/my-work/{incident.pk}/")
    for index in range(3):
        page.locator(".sentence > p").nth(index).click()
    assert_still(page)


def test_every_tenth_is_two_acts_of_a_finger_away_on_a_phone(open_browser, user):
    participation = rating_round(user, pairs=4)
    page = open_browser(user, viewport=SMALL, has_touch=True, is_mobile=True).new_page()
    page.goto(f"/my-work/{participation.pk}/")
    more, less = page.get_by_role("button", name="One step up"), page.get_by_role("button", name="One step down")
    expect(more).to_be_disabled()  # no value comes from a button that only moves it

    press_at(slider(page), 0.5, tap=True)
    expect(slider(page)).to_have_attribute("aria-valuenow", "2")
    more.tap()
    expect(slider(page)).to_have_attribute("aria-valuenow", "2.1")
    less.tap()
    less.tap()
    expect(slider(page)).to_have_attribute("aria-valuenow", "1.9")
    assert all(button.bounding_box()["width"] >= 44 for button in (more, less))
    assert violations(page) == []
    rate(page)

    press_at(slider(page), 0.5, tap=True)
    more.evaluate(HOLD, "2.7")  # one act, however many steps
    rate(page)
    press_at(slider(page), 0.5, tap=True)
    drag_away(page, until=2.3)
    rate(page)

    assert values(participation) == [1.9, 2.7, 2.3]


HOLD = """(button, until) => new Promise((resolve) => {
  const tell = (name) => button.dispatchEvent(new PointerEvent(name, { button: 0, bubbles: true, cancelable: true }));
  const track = document.querySelector(".slider-track");
  const look = () => {
    if (track.getAttribute("aria-valuenow") !== until) return requestAnimationFrame(look);
    tell("pointerup");
    return resolve();
  };
  tell("pointerdown");
  look();
})"""


def drag_away(page: Page, until: float) -> None:
    """Drags from the handle and moves away from the line, where a finger moves farther for a tenth."""
    line = page.locator(".slider-line").bounding_box()
    session = page.context.new_cdp_session(page)

    def touch(kind: str, x: float, y: float) -> None:
        points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    x, y = line["x"] + line["width"] / 2, line["y"] + line["height"] / 2
    touch("touchStart", x, y)
    for pixel in range(1, 25):
        touch("touchMove", x + pixel, y)  # along the line first, or the browser scrolls the page
    for pixel in range(1, 25):
        touch("touchMove", x + 24 - pixel, y - 6 * pixel)
    start = float(slider(page).get_attribute("aria-valuenow"))
    reached: list[float] = []
    for pixel in range(1, 200):
        touch("touchMove", x + pixel, y - 150)
        reached.append(float(slider(page).get_attribute("aria-valuenow")))
        if reached[-1] >= until:
            break
    assert len(reached) / (10 * (reached[-1] - start)) > 12  # pixels for a tenth, where the line itself has six
    touch("touchEnd", x, y)


@pytest.mark.parametrize(
    ("typed", "message"),
    [("4.7", "“4.7” is not on the scale"), ("9", "“9” is not on the scale"), ("2.53", "“2.53” is not on the scale")],
)
def test_what_is_not_on_the_scale_is_explained(open_browser, user, typed, message):
    participation = rating_round(user)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    page.keyboard.type(typed)
    expect(page.locator("#missing")).to_have_text(f"{message}. Choose a value from 0 to 4 in steps of 0.1.")
    page.wait_for_timeout(1100)  # typing begins anew
    page.keyboard.type("1.2")
    expect(page.locator("#missing")).to_be_empty()
    expect(slider(page)).to_have_attribute("aria-valuenow", "1.2")


def test_half_steps_are_not_read_as_another_value(open_browser, user):
    project = make_project("rating", ratings="1", items_a_person="1", scale__maximum="7", scale__step="0.5", **ENDS)
    add_pairs(project, 1)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{planned_for(user, project).pk}/")

    page.keyboard.type("6.3")
    expect(page.locator("#missing")).to_contain_text("“6.3” is not on the scale")
    expect(slider(page)).to_have_attribute("aria-valuenow", "6")


def test_keys_go_on_from_a_typed_value(open_browser, user):
    participation = rating_round(user, pairs=1)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    page.get_by_role("link", name="Guidelines").focus()
    page.keyboard.press("3")
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "PageDown", "ArrowUp"):
        page.keyboard.press(key)
    expect(slider(page)).to_have_attribute("aria-valuenow", "2.2")
    page.keyboard.press("Enter")

    expect(page.get_by_text("Completion code", exact=False).first).to_be_visible()
    assert values(participation) == [2.2]
