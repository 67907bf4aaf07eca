"""The rating screen by mouse, keyboard, finger, and without JavaScript."""

import pytest
from playwright.sync_api import expect

from annotation.models import Item, Judgment, Participation
from tests.browser.conftest import PHONE, violations
from tests.browser.screens import go_on, press_at, rate, slider, values
from tests.factories import add_pairs, make_project, make_user, planned_for, rating_round

pytestmark = pytest.mark.django_db(transaction=True)


def test_slider_has_no_value_until_the_person_acts(open_browser, user):
    participation = rating_round(user)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    expect(slider(page)).to_have_attribute("aria-valuetext", "not chosen yet")
    expect(page.locator(".slider-handle")).to_be_hidden()
    go_on(page).click()

    expect(page.locator("#missing")).to_contain_text("Choose a rating first")
    assert Judgment.objects.count() == 0


def test_rating_by_mouse(open_browser, user):
    participation = rating_round(user, pairs=2)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    press_at(slider(page), 0.5)
    expect(slider(page)).to_have_attribute("aria-valuetext", "2.0, very much alike")
    go_on(page).click()
    expect(page.locator("h1")).to_contain_text("2 of 2")
    expect(slider(page)).to_have_attribute("aria-valuetext", "not chosen yet")
    press_at(slider(page), 1)
    go_on(page).click()

    expect(page.get_by_text("Completion code", exact=False).first).to_be_visible()
    assert values(participation) == [2.0, 4.0]
    judgment = Judgment.objects.first()
    assert 0 <= judgment.touched_ms <= judgment.answered_ms
    assert judgment.adjustments == 0


def test_rating_by_keyboard_alone(open_browser, user):
    participation = rating_round(user, pairs=6)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    rate(page, "3")
    page.keyboard.type("2.5")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("3 of 6")
    for keys in (("End",), ("Home",), ("ArrowRight", "ArrowRight"), ("End", "PageDown", "ArrowLeft")):
        present = page.locator("h1").inner_text()
        slider(page).focus()
        for key in keys:
            page.keyboard.press(key)
        page.keyboard.press("Enter")
        expect(page.locator("h1")).not_to_have_text(present)

    assert values(participation) == [3.0, 2.5, 4.0, 0.0, 0.1, 2.9]


ENDS = {"label__lowest": "not at all", "label__highest": "the same"}


@pytest.mark.parametrize(
    ("numbers", "typed", "expected"),
    [
        ({"scale__maximum": "1", "label__1": "yes"}, ["0", "1"], [0, 1]),
        ({"scale__maximum": "100", "label__highest": "all"}, ["75", "100"], [75, 100]),
        ({"scale__maximum": "90", "scale__minimum": "10", "scale__step": "10"} | ENDS, ["50", "90"], [50, 90]),
        ({"scale__minimum": "-10", "scale__maximum": "10"} | ENDS, ["-7", "8"], [-7, 8]),
    ],
)
def test_any_scale_fits_a_phone_and_is_typed(open_browser, user, numbers, typed, expected):
    project = make_project("rating", ratings="1", items_a_person="2", **numbers)
    add_pairs(project, 2)
    participation = planned_for(user, project)
    page = open_browser(user, viewport={"width": 320, "height": 640}).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    assert violations(page) == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    for value in typed:
        rate(page, *value)

    assert values(participation) == expected


def test_rating_by_touch_on_a_phone(open_browser, user):
    participation = rating_round(user, pairs=2)
    page = open_browser(user, viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    press_at(slider(page), 0.25, tap=True)
    go_on(page).tap()
    expect(page.locator("h1")).to_contain_text("2 of 2")
    press_at(slider(page), 0.75, tap=True)
    go_on(page).tap()
    expect(page.get_by_text("Completion code", exact=False).first).to_be_visible()

    assert values(participation) == [1.0, 3.0]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_rating_without_javascript(open_browser, user):
    project = make_project("dscs")
    add_pairs(project, 2)
    participation = planned_for(user, project, pool="students")
    page = open_browser(user, java_script_enabled=False).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    for value in ("5", "0"):
        page.get_by_role("radio", name=value, exact=False).first.check()
        go_on(page).click()

    expect(page.get_by_text("Completion code", exact=False).first).to_be_visible()
    assert values(participation) == [5.0, 0.0]


def test_going_back_one_screen_replaces_the_answer(open_browser, user):
    participation = rating_round(user, pairs=3)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    rate(page, "1")
    page.get_by_role("link", name="Back").click()
    expect(slider(page)).to_have_attribute("aria-valuetext", "1.0, vaguely similar")
    rate(page, "3")
    expect(page.locator("h1")).to_contain_text("2 of 3")

    assert values(participation) == [3.0]
    assert Judgment.objects.count() == 2


@pytest.mark.parametrize(
    ("language", "direction", "texts"),
    [
        ("ar", "rtl", ("ذهب الولد إلى المدرسة.", "وصل الطفل إلى مدرسته.")),
        ("te", "ltr", ("పిల్లి పాలు తాగింది.", "పిల్లి పాలను తాగేసింది.")),
    ],
)
def test_texts_have_their_language_and_direction(open_browser, user, language, direction, texts):
    project = make_project("stss131")
    Item.objects.create(project=project, key="1", position=1, sentence1=texts[0], sentence2=texts[1], language=language)
    participation = planned_for(user, project)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    quotes = page.locator("blockquote")
    assert quotes.all_inner_texts() == list(texts)
    for quote in quotes.all():
        assert quote.get_attribute("lang") == language
        assert quote.evaluate("e => getComputedStyle(e).direction") == direction
    assert slider(page).evaluate("e => getComputedStyle(e).direction") == "ltr"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_rating_screen_is_accessible(open_browser, user, scheme):
    participation = rating_round(user)
    page = open_browser(user, color_scheme=scheme).new_page()
    page.goto(f"/my-work/{participation.pk}/")
    found = violations(page)
    page.keyboard.press("2")
    page.keyboard.press("g")
    expect(page.get_by_role("dialog")).to_be_visible()

    assert found + violations(page) == []


def test_nobody_else_sees_the_screen(open_browser, user):
    participation = rating_round(user)
    page = open_browser(make_user("other")).new_page()

    assert page.goto(f"/my-work/{participation.pk}/").status == 404
    assert Participation.objects.get(pk=participation.pk).state == "active"
