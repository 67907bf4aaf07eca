"""The rounds of the Czech News protocol as people meet them: R1, R2, and R3 with its forced pause."""

import random
from datetime import timedelta

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect

from annotation.domain.planning.rounds import plan_round
from annotation.domain.simulation.rounds import Behaviour, simulate_person
from annotation.models import Judgment, Participation, Project, SelectedPair, Sentence
from tests.browser.conftest import PHONE, violations
from tests.browser.screens import go_on, press_at, rate_all, slider, values
from tests.factories import NOON, add_incidents, join, make_project, selection_round

pytestmark = pytest.mark.django_db(transaction=True)
SMALL = {
    "R1__incidents": "2",
    "R2__tuples": "4",
    "R3__annotators": "3",
    "R3__tuples": "4",
    "R3__stack_size": "1",
    "R3__intra": "2",
    "R3__calibration": "0,3,6",
}


def reports_of(page: Page):
    return page.locator(".reports [data-sentence] > p")


def test_whole_incident_by_mouse(open_browser, user):
    participation = selection_round(user, incidents=1, summary=2, reports=2, sentences=4)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    for screen in (1, 2):
        expect(page.locator("h1")).to_contain_text(f"Sentence {screen} of 2")
        for index, name, share in ((0, "most similar", 1), (5, "in between", 0.5), (7, "least similar", 0)):
            reports_of(page).nth(index).click()
            press_at(slider(page, name), share)
        expect(page.locator(".finish .count")).to_have_text("3 of 3 chosen, 3 of 3 rated")
        go_on(page).click()
    expect(page.get_by_text("Completion code").first).to_be_visible()

    pairs = SelectedPair.objects.order_by("judgment", "role").values_list("role", "value")
    assert list(pairs) == [("A", 6.0), ("B", 3.0), ("C", 0.0)] * 2


def test_selection_by_keyboard_alone(open_browser, user):
    participation = selection_round(user, incidents=1, summary=1, reports=1, sentences=5)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    reports_of(page).first.focus()
    for letter, digit in (("a", "5"), ("b", "3"), ("c", "1")):
        page.keyboard.press(letter)
        page.keyboard.press(digit)
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Completion code").first).to_be_visible()

    assert list(SelectedPair.objects.order_by("role").values_list("value", flat=True)) == [5.0, 3.0, 1.0]


def rating_of(page: Page, role: str):
    return page.locator(f"input[name=value-{role}][type=hidden]")


def test_digit_rates_the_sentence_that_the_person_is_at(open_browser, user):
    participation = selection_round(user, incidents=1, summary=1, reports=1, sentences=8)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    reports_of(page).nth(5).focus()
    for key in ("a", "2", "ArrowDown", "b", "3", "ArrowUp", "0"):
        page.keyboard.press(key)
    expect(rating_of(page, "A")).to_have_value("0")
    expect(rating_of(page, "B")).to_have_value("3")

    for key in ("ArrowUp", "5", "Backspace"):  # a sentence that is not chosen has no rating to change
        page.keyboard.press(key)
    reports_of(page).nth(6).click()
    page.keyboard.press("4")
    page.get_by_role("button", name="Remove").first.click()
    page.keyboard.press("6")
    assert [rating_of(page, role).input_value() for role in "ABC"] == ["", "4", ""]


WAYS = {
    "focus": lambda page, place: reports_of(page).nth(place).focus(),
    "click": lambda page, place: reports_of(page).nth(place).click(),
    "letter": lambda page, place: (reports_of(page).nth(place).focus(), page.keyboard.press("ABC"[place])),
    "arrow": lambda page, place: (reports_of(page).nth(place + 1).focus(), page.keyboard.press("ArrowUp")),
    "line": lambda page, place: slider(page).nth(place).focus(),
    "rating": lambda page, place: press_at(slider(page).nth(place), 0.5),
    "reload": lambda page, place: (reports_of(page).nth(place).focus(), page.reload()),
    "line and reload": lambda page, place: (slider(page).nth(place).focus(), page.reload()),
    "guidelines": lambda page, place: (
        reports_of(page).nth(place).focus(),
        page.keyboard.press("g"),
        page.keyboard.press("Escape"),
    ),
}


def test_digits_rate_the_sentence_reached_in_whatever_way_and_order(open_browser, user):
    participation = selection_round(user, incidents=1, summary=1, reports=1, sentences=5)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{participation.pk}/")
    choose_three(page, "000")
    order = [(way, place) for way in WAYS for place in range(3)]
    random.Random(1).shuffle(order)
    expected = ["0", "0", "0"]

    for number, (way, place) in enumerate(order):
        WAYS[way](page, place)
        expect(page.locator(".slot[data-active]")).to_have_attribute("data-role", "ABC"[place])
        if way == "rating":
            expected[place] = "3"
        page.keyboard.press(digit := str(number % 7))
        expected[place] = digit
        assert [rating_of(page, role).input_value() for role in "ABC"] == expected, (way, place)


def test_n_goes_to_the_first_sentence_of_a_fresh_screen_and_then_to_the_next(open_browser, user):
    participation = selection_round(user, incidents=1, summary=1, reports=2, sentences=4)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{participation.pk}/")
    marked = page.locator(".sentence:has(mark.word) > p")
    expect(reports_of(page).nth(0).locator("mark.word")).not_to_have_count(0)

    page.keyboard.press("n")
    expect(reports_of(page).nth(0)).to_be_focused()
    page.keyboard.press("a")
    press_at(slider(page).first, 0.5)  # the focus leaves the sentences, the place in them stays
    page.keyboard.press("n")
    expect(marked.nth(1)).to_be_focused()
    page.keyboard.press("Shift+N")
    expect(marked.nth(0)).to_be_focused()


def test_selection_by_touch_on_a_phone(open_browser, user):
    participation = selection_round(user, incidents=1, summary=1, reports=1, sentences=5)
    page = open_browser(user, viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    for index, name in enumerate(("most similar", "in between", "least similar")):
        reports_of(page).nth(index).tap()
        press_at(slider(page, name), 1 - index / 2, tap=True)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    go_on(page).tap()
    expect(page.get_by_text("Completion code").first).to_be_visible()

    assert list(SelectedPair.objects.order_by("role").values_list("value", flat=True)) == [6.0, 3.0, 0.0]


def test_selection_without_javascript(open_browser, user):
    participation = selection_round(user, incidents=1, summary=1, reports=1, sentences=4)
    page = open_browser(user, java_script_enabled=False).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    for index, role in enumerate("ABC"):
        page.locator(f"input[name=pick-{role}]").nth(index).check()
        page.locator(f"input[name=value-{role}][value='{index}']").check()
    go_on(page).click()

    expect(page.get_by_text("Completion code").first).to_be_visible()
    assert list(SelectedPair.objects.order_by("role").values_list("value", flat=True)) == [0.0, 1.0, 2.0]


def test_words_of_the_sentence_are_marked_and_the_page_is_accessible(open_browser, user):
    participation = selection_round(user, incidents=1)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    expect(page.locator(".reports mark").first).to_be_visible()
    assert violations(page) == []


def validated_world(user) -> Project:
    """R1 done by simulated people, R2 planned with the person in it."""
    project = make_project("czech_news", **SMALL)
    add_incidents(project, 6, summary=4, reports=2, sentences=6)
    plan_round(project=project, round_key="R1")
    call_command("simulate", project.key, "R1")
    plan_round(project=project, round_key="R2")
    return project


def test_exploration_recommends_the_pause_and_measures_it(open_browser, user):
    participation = join(validated_world(user), "R2", user)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    rate_all(page, 4, "2")
    expect(page.get_by_text("Recommended start of the next session")).to_be_visible()
    page.get_by_role("button", name="Start next session now").click()
    expect(page.locator(".in-context mark.sent").first).to_be_visible()
    rate_all(page, 4, "4")
    expect(page.get_by_text("Completion code").first).to_be_visible()

    assert values(participation) == [2.0] * 4 + [4.0] * 4


def test_validation_forces_the_pause(open_browser, user):
    project = validated_world(user)
    simulate_person(join(project, "R2", user), behaviour=Behaviour(), seed=1, start=NOON)
    call_command("simulate", project.key, "R2")
    plan_round(project=project, round_key="R3")
    participation = join(project, "R3", user)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    expect(page.locator("h1")).to_contain_text("1 of 3")
    rate_all(page, 3 + 4 + 2, "3")
    expect(page.get_by_text("Next session opens", exact=True)).to_be_visible()
    assert violations(page) == []
    page.goto(f"/my-work/{participation.pk}/")
    expect(page.get_by_text("Next session opens", exact=True)).to_be_visible()
    refuse_early_return_by_post(page, participation)

    Participation.objects.filter(pk=participation.pk).update(
        rest_until=Participation.objects.get(pk=participation.pk).rest_until - timedelta(hours=72)
    )
    page.goto(f"/my-work/{participation.pk}/")
    page.get_by_role("button", name="Start next session").click()
    rate_all(page, 9, "5")
    expect(page.get_by_text("Completion code").first).to_be_visible()

    assert values(participation) == [3.0] * 9 + [5.0] * 9


def refuse_early_return_by_post(page: Page, participation: Participation) -> None:
    """Neither the button's address nor an answer to the next session is taken before the time."""
    before = Judgment.objects.count()
    following = participation.assignments.get(session=2, position=1)
    token = page.evaluate("document.cookie.match(/csrftoken=([^;]+)/)[1]")
    begin = page.request.post(
        f"/my-work/{participation.pk}/begin/", form={"csrfmiddlewaretoken": token}, headers={"Referer": page.url}
    )
    assert "The pause lasts until" in begin.text()
    key = "00000000-0000-4000-8000-000000000001"
    answer = page.request.post(
        f"/my-work/{participation.pk}/",
        form={"csrfmiddlewaretoken": token, "assignment": str(following.pk), "key": key, "value": "3"},
        headers={"Referer": page.url},
    )
    assert answer.status == 409
    assert Judgment.objects.count() == before


def test_a_fourth_sentence_says_why_it_is_not_taken(open_browser, user):
    participation = selection_round(user, incidents=1, summary=1, reports=1, sentences=5)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    for index in range(3):
        reports_of(page).nth(index).click()
    expect(page.locator("#missing")).to_be_empty()
    reports_of(page).nth(3).click()
    expect(page.locator("#missing")).to_have_text(
        "All 3 sentences are chosen. Remove one, or choose a letter to replace that sentence with this one."
    )
    page.locator(".sentence").nth(3).locator(".picks label").nth(1).click()
    expect(page.locator("#missing")).to_be_empty()
    expect(page.locator(".sentence[data-role=B]")).to_have_attribute("data-sentence", sentence_at(page, 3))


def sentence_at(page: Page, index: int) -> str:
    return page.locator(".sentence").nth(index).get_attribute("data-sentence")


def choose_three(page: Page, ratings: str) -> None:
    reports_of(page).first.focus()
    for letter, digit in zip("abc", ratings, strict=True):
        for key in (letter, digit, "ArrowDown"):
            page.keyboard.press(key)


@pytest.mark.parametrize(("changed", "inversion"), [("", "kept"), ("4", "kept"), ("6", "changed")])
def test_inverted_ratings_are_questioned_once_and_the_answer_is_kept(open_browser, user, changed, inversion):
    participation = selection_round(user, incidents=1, summary=1, reports=1, sentences=5)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{participation.pk}/")

    choose_three(page, "236")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#missing")).to_have_text(
        "The sentence “most similar” has a lower rating than “least similar”. "
        "Change the ratings, or press “Next” again to keep them."
    )
    page.reload()  # the question was asked: it does not come back
    if changed:
        reports_of(page).first.focus()
        page.keyboard.press(changed)
        reports_of(page).nth(2).focus()
        page.keyboard.press("6" if changed == "4" else "0")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Completion code").first).to_be_visible()

    assert Judgment.objects.get().inversion == inversion


def test_ratings_in_order_are_not_questioned(open_browser, user):
    selection_round(user, incidents=1, summary=1, reports=1, sentences=5)
    page = open_browser(user).new_page()
    page.goto(f"/my-work/{Participation.objects.get().pk}/")

    choose_three(page, "553")
    page.get_by_role("button", name="Guidelines").or_(page.get_by_role("link", name="Guidelines")).first.click()
    page.keyboard.press("Control+Enter")  # beneath an open dialog nothing is sent
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    slider(page, "least similar").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Completion code").first).to_be_visible()

    assert Judgment.objects.get().inversion == ""


def test_nothing_that_is_reached_lies_under_what_stays_in_sight_on_a_phone(open_browser, user):
    participation = selection_round(user, incidents=1, summary=1, reports=2, sentences=9)
    Sentence.objects.filter(document__kind="summary").update(text="A long sentence of a summary. " * 20)
    page = open_browser(user, viewport={"width": 320, "height": 640}).new_page()
    page.goto(f"/my-work/{participation.pk}/")
    hidden = """() => {
      const box = document.activeElement.getBoundingClientRect();
      if (document.activeElement.closest(".bar")) return false;
      const at = (y) => document.elementFromPoint(box.x + box.width / 2, y)?.closest(".now, .bar");
      return Boolean(at(box.top + 2) || at(box.bottom - 2)) || box.top < 0 || box.bottom > innerHeight;
    }"""

    reports_of(page).first.focus()
    for key in [*["ArrowDown"] * 17, *["ArrowUp"] * 17, "a", *["Tab"] * 6, *["Shift+Tab"] * 6]:
        page.keyboard.press(key)
        assert not page.evaluate(hidden), key
    for index in range(4):
        reports_of(page).nth(index).click()
    expect(page.locator("#missing")).to_be_in_viewport()
