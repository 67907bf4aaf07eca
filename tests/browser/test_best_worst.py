"""Best-worst screens in a real browser: by finger, keyboard and mouse, without JavaScript, and when things go wrong."""

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.domain.planning.rounds import plan_round
from annotation.models import Assignment, Item, Judgment, Participation, Project
from tests.best_worst import dialogue_round, items_shown, tuple_round
from tests.browser.conftest import PHONE, WIDE, sign_out, violations
from tests.browser.screens import go_on
from tests.factories import PASSWORD, join, make_project

pytestmark = pytest.mark.django_db(transaction=True)
TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


def texts(page: Page, number: int) -> Locator:
    """The button that is made of a card's texts."""
    return page.locator(".option .texts").nth(number - 1)


def control(page: Page, number: int, mark: str) -> Locator:
    return page.locator(f".option [data-mark={mark}]").nth(number - 1)


def state(page: Page) -> Locator:
    return page.locator("[data-choice-state]")


def chosen(page: Page) -> dict[str, int]:
    """Which cards are marked, as they stand on the screen."""
    return {
        mark: index
        for index, option in enumerate(page.locator(".option").all(), start=1)
        if (mark := option.get_attribute("data-mark"))
    }


def stored(participation: Participation) -> list[tuple[int, int]]:
    """Best and worst of every current answer as the numbers of the cards that the person saw."""
    answered = Assignment.objects.filter(participation=participation, answered_at__isnull=False).order_by("position")
    found = []
    for assignment in answered:
        judgment = assignment.judgments.get(superseded_at=None)
        shown = items_shown(assignment)
        found.append((shown.index(judgment.best_id) + 1, shown.index(judgment.worst_id) + 1))
    return found


def open_work(context, participation: Participation) -> Page:
    page = context.new_page()
    page.goto(f"/my-work/{participation.pk}/")
    return page


def wait_for(page: Page, number: int) -> None:
    expect(page.locator("h1")).to_have_text(f"Comparison {number}")


def by_keys(page: Page, best: int, worst: int) -> None:
    page.keyboard.press(str(best))
    page.keyboard.press(f"Shift+Digit{worst}")
    page.keyboard.press("Enter")


CHOICES = [(1, 4), (4, 1), (2, 3), (3, 2), (1, 2), (2, 1), (3, 4), (4, 3), (1, 3), (2, 4)]


def test_ten_tuples_by_touch_on_a_phone(open_browser, user):
    participation = tuple_round(user)
    page = open_work(open_browser(user, **TOUCH), participation)

    for number, (best, worst) in enumerate(CHOICES, start=1):
        wait_for(page, number)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert chosen(page) == {}
        texts(page, best).tap()
        texts(page, worst).tap()
        go_on(page).tap()
    wait_for(page, 11)

    assert stored(participation) == CHOICES
    assert set(Judgment.objects.values_list("adjustments", flat=True)) == {0}
    for judgment in Judgment.objects.all():
        assert 0 <= judgment.touched_ms <= judgment.answered_ms
        assert judgment.active_ms <= judgment.answered_ms


def test_ten_tuples_by_keyboard_alone(open_browser, user):
    participation = tuple_round(user)
    page = open_work(open_browser(user), participation)

    for number, (best, worst) in enumerate(CHOICES, start=1):
        wait_for(page, number)
        by_keys(page, best, worst)
    wait_for(page, 11)

    assert stored(participation) == CHOICES


def test_by_tab_space_and_enter(open_browser, user):
    """Without the digits, which can be switched off."""
    participation = tuple_round(user)
    page = open_work(open_browser(user), participation)

    texts(page, 2).focus()
    page.keyboard.press("Space")
    for _ in range(3):  # over the two controls of the card
        page.keyboard.press("Tab")
    expect(texts(page, 3)).to_be_focused()
    page.keyboard.press("Enter")
    expect(state(page)).to_have_text("Pair 2 is most related, 3 is least related.")
    page.keyboard.press("Enter")
    wait_for(page, 2)
    control(page, 1, "best").locator("input").focus()
    page.keyboard.press("ArrowDown")
    control(page, 1, "worst").locator("input").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    wait_for(page, 3)

    assert stored(participation) == [(2, 3), (2, 1)]


def test_digits_work_on_keyboards_that_write_other_signs(open_browser, user):
    """A French keyboard: the digits need Shift, without it the keys write & é and so on. And the number pad."""
    participation = tuple_round(user)
    page = open_work(open_browser(user), participation)

    def press(**event: object) -> None:
        page.evaluate("e => document.body.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, ...e}))", event)

    press(code="Digit2", key="é")
    press(code="Digit3", key="3", shiftKey=True)
    assert chosen(page) == {"best": 2, "worst": 3}
    press(code="Numpad4", key="4")
    press(code="Numpad1", key="End", modifierNumLock=True)  # what Windows sends for Shift with 1
    assert chosen(page) == {"best": 4, "worst": 1}
    press(code="Backspace", key="Backspace")
    assert chosen(page) == {}


def test_single_keys_can_be_confined_to_the_focus(open_browser, user):
    participation = tuple_round(user)
    page = open_work(open_browser(user), participation)

    page.keyboard.press("g")
    page.get_by_label("Single keys only work where the focus is").check()
    page.keyboard.press("Escape")
    page.locator("h1").focus()
    page.keyboard.press("1")
    assert chosen(page) == {}
    texts(page, 2).focus()
    page.keyboard.press("1")

    assert chosen(page) == {"best": 1}


def test_what_a_click_does_and_says(open_browser, user):
    participation = tuple_round(user)
    page = open_work(open_browser(user), participation)

    expect(state(page)).to_have_text("Choose the pair that is most related.")
    texts(page, 1).click()
    expect(state(page)).to_have_text("Pair 1 is most related. Now choose the least related.")
    expect(texts(page, 1)).to_have_attribute("aria-pressed", "true")
    texts(page, 2).click()
    texts(page, 3).click()
    expect(state(page)).to_have_text("Both are chosen. Remove one before you choose another pair.")
    assert chosen(page) == {"best": 1, "worst": 2}
    texts(page, 1).click()
    expect(state(page)).to_have_text("Pair 2 is least related. Now choose the most related.")
    control(page, 2, "best").click()
    assert chosen(page) == {"best": 2}
    control(page, 2, "worst").click()
    assert chosen(page) == {"worst": 2}
    control(page, 2, "worst").click()
    assert chosen(page) == {}
    texts(page, 3).dblclick()
    assert chosen(page) == {"best": 3}


def test_changes_of_the_whole_answer_are_counted(open_browser, user):
    participation = tuple_round(user)
    page = open_work(open_browser(user), participation)

    for key in ("1", "Shift+Digit2", "Shift+Digit3", "4", "Enter"):
        page.keyboard.press(key)
    wait_for(page, 2)

    assert (stored(participation), Judgment.objects.get().adjustments) == ([(4, 3)], 2)


def test_missing_worst_is_told_and_nothing_is_sent(open_browser, user):
    participation = tuple_round(user)
    page = open_work(open_browser(user), participation)

    go_on(page).click()
    expect(page.locator("#missing")).to_have_text("Choose the pair that is most related first.")
    expect(texts(page, 1)).to_be_focused()
    page.keyboard.press("1")
    expect(page.locator("#missing")).to_be_empty()
    go_on(page).click()
    expect(page.locator("#missing")).to_have_text("Choose the pair that is least related first.")

    assert Judgment.objects.count() == 0
    page.keyboard.press("Shift+Digit2")
    page.keyboard.press("Enter")
    wait_for(page, 2)
    assert stored(participation) == [(1, 2)]


def test_hard_to_say_is_stored_and_shown_again(open_browser, user):
    participation = tuple_round(user, hard_to_say="true")
    page = open_work(open_browser(user), participation)

    page.keyboard.press("1")
    page.keyboard.press("Shift+Digit2")
    page.get_by_label("Hard to say").check()
    page.keyboard.press("Enter")
    wait_for(page, 2)
    expect(page.get_by_label("Hard to say")).not_to_be_checked()
    page.get_by_role("link", name="Back").click()

    expect(page.get_by_label("Hard to say")).to_be_checked()
    assert (Judgment.objects.get().hard_to_say, Judgment.objects.get().adjustments) == (True, 0)


def test_going_back_and_changing(open_browser, user):
    participation = tuple_round(user)
    page = open_work(open_browser(user), participation)

    by_keys(page, 1, 2)
    wait_for(page, 2)
    page.get_by_role("link", name="Back").click()
    expect(page.locator("h1")).to_have_text("Comparison 1, once more")
    assert chosen(page) == {"best": 1, "worst": 2}
    control(page, 3, "worst").click()
    go_on(page).click()
    wait_for(page, 2)

    assert stored(participation) == [(1, 3)]
    assert Judgment.objects.count() == 2


def test_a_dialogue_by_touch(open_browser, user):
    participation = dialogue_round(user)
    page = open_work(open_browser(user, **TOUCH), participation)

    turns = page.locator(".turns li")
    assert [one.locator(".said").inner_text() for one in turns.all()] == ["Where were you?", "At the dentist."]
    expect(turns.last).to_contain_text("the last turn")
    assert page.locator(".option .texts p").count() == 3
    for number in range(1, 11):
        expect(page.locator("h1")).to_have_text(f"{number} of 10")
        texts(page, 3).tap()
        texts(page, 1).tap()
        go_on(page).tap()
    expect(page.get_by_text("Completion code").first).to_be_visible()

    assert stored(participation) == [(3, 1)] * 10


def test_arabic_and_amharic_stand_in_their_language_and_direction(open_browser, user):
    participation = tuple_round(user, pairs=4, factor="0.25")
    words = {
        "ar": ("ذهب الولد إلى المدرسة.", "وصل الطفل إلى مدرسته."),
        "am": ("ልጁ ወደ ትምህርት ቤት ሄደ።", "ተማሪው ትምህርት ቤት ደረሰ።"),
        "hi": ("आज बहुत बारिश हुई।", "मौसम विभाग ने बारिश की सूचना दी थी।"),
        "te": ("పిల్లి పాలు తాగింది.", "పిల్లి పాలను తాగేసింది."),
    }
    for item, (language, pair) in zip(Item.objects.order_by("pk"), words.items(), strict=True):
        Item.objects.filter(pk=item.pk).update(language=language, sentence1=pair[0], sentence2=pair[1])
    page = open_work(open_browser(user, **TOUCH), participation)

    for language, pair in words.items():
        found = page.locator(f".option p[lang={language}]")
        assert found.all_inner_texts() == list(pair)
        direction = "rtl" if language == "ar" else "ltr"
        assert {one.evaluate("e => getComputedStyle(e).direction") for one in found.all()} == {direction}
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []


def test_without_javascript(open_browser, user):
    participation = tuple_round(user, hard_to_say="true")
    page = open_work(open_browser(user, java_script_enabled=False), participation)

    for number, (best, worst) in enumerate(CHOICES[:3], start=1):
        wait_for(page, number)
        control(page, best, "best").locator("input").check()
        control(page, worst, "worst").locator("input").check()
        page.get_by_label("Hard to say").check()
        go_on(page).click()
    wait_for(page, 4)
    control(page, 2, "best").locator("input").check()
    control(page, 2, "worst").locator("input").check()
    go_on(page).click()

    assert page.locator("[role=alert]").first.inner_text() == (
        "The most related and the least related have to be different."
    )
    assert control(page, 2, "worst").locator("input").is_checked()
    assert stored(participation) == CHOICES[:3]
    assert Judgment.objects.filter(hard_to_say=True).count() == 3


def test_enough_is_enough(open_browser, user):
    participation = tuple_round(user)
    page = open_work(open_browser(user), participation)

    expect(page.get_by_role("link", name="Finish here")).to_have_count(0)
    by_keys(page, 1, 2)
    wait_for(page, 2)
    page.get_by_role("link", name="Finish here").click()
    page.get_by_role("link", name="Go on with the work").click()
    wait_for(page, 2)
    with page.expect_navigation():
        page.get_by_role("link", name="Finish here").click()
    assert violations(page) == []
    page.get_by_role("button", name="Finish here").click()

    expect(page.get_by_text("Completion code").first).to_be_visible()


def test_a_quick_click_on_another_card_is_no_double_click(open_browser, user):
    """Browsers count clicks by place and time, and after scrolling another card may be in that place."""
    page = open_work(open_browser(user), tuple_round(user))

    texts(page, 1).dispatch_event("click", {"detail": 2})  # begun on the screen before
    assert chosen(page) == {}
    texts(page, 2).dispatch_event("click", {"detail": 1})
    texts(page, 2).dispatch_event("click", {"detail": 2})
    assert chosen(page) == {"best": 2}
    texts(page, 4).dispatch_event("click", {"detail": 3})
    assert chosen(page) == {"best": 2, "worst": 4}


def test_double_click_on_go_on_saves_once(open_browser, user):
    participation = tuple_round(user)
    page = open_work(open_browser(user), participation)

    page.keyboard.press("1")
    page.keyboard.press("Shift+Digit2")
    go_on(page).dblclick()
    wait_for(page, 2)

    assert stored(participation) == [(1, 2)]
    expect(page.locator("#missing")).to_be_empty()


def test_a_choice_waits_while_the_network_is_gone(open_browser, user):
    participation = tuple_round(user)
    context = open_browser(user)
    page = open_work(context, participation)

    context.set_offline(True)
    by_keys(page, 2, 4)
    expect(page.locator("#status")).to_contain_text("No connection")
    page.keyboard.press("1")
    assert chosen(page) == {"best": 2, "worst": 4}
    assert Judgment.objects.count() == 0
    context.set_offline(False)

    wait_for(page, 2)
    assert stored(participation) == [(2, 4)]


def test_two_tabs_go_on_together_and_two_devices_keep_the_first_choice(open_browser, user):
    participation = tuple_round(user)
    context = open_browser(user)
    one, other = open_work(context, participation), open_work(context, participation)
    device = open_work(open_browser(user), participation)

    by_keys(one, 1, 2)
    wait_for(one, 2)
    wait_for(other, 2)
    by_keys(device, 3, 4)
    expect(device.get_by_text("already been answered")).to_be_visible()
    wait_for(device, 2)

    assert stored(participation) == [(1, 2)]
    assert Judgment.objects.count() == 1


def test_a_choice_waits_for_the_login(open_browser, user):
    participation = tuple_round(user)
    context = open_browser(user)
    page = open_work(context, participation)

    sign_out(context)
    by_keys(page, 1, 2)
    expect(page.locator("#status")).to_contain_text("been signed out")
    page.get_by_role("link", name="Sign in again").click()
    page.locator("input[name=login]").fill(user.email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.keyboard.press("Enter")

    wait_for(page, 2)
    assert stored(participation) == [(1, 2)]


@pytest.mark.parametrize(("viewport", "scheme"), [(PHONE, "dark"), (WIDE, "light")])
def test_the_screen_is_accessible(open_browser, user, scheme, viewport):
    participation = tuple_round(user, hard_to_say="true")
    page = open_work(open_browser(user, color_scheme=scheme, viewport=viewport), participation)

    found = violations(page)
    by_keys(page, 1, 2)
    wait_for(page, 2)
    page.keyboard.press("3")
    page.keyboard.press("Shift+Digit4")
    found += violations(page)
    page.keyboard.press("g")
    expect(page.get_by_role("dialog")).to_be_visible()

    assert found + violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_dialogue_is_accessible(open_browser, user, scheme):
    page = open_work(open_browser(user, color_scheme=scheme), dialogue_round(user))

    assert violations(page) == []


@pytest.mark.parametrize("size", ["3", "8"])
def test_long_texts_fit_on_320_pixels_and_controls_are_large_enough(open_browser, user, size):
    participation = tuple_round(user, tuple_size=size, hard_to_say="true")
    Item.objects.update(sentence1="Donaudampfschifffahrtsgesellschaftskapitän " * 12, sentence2="x" * 300)
    Project.objects.update(title="A project with quite a long title")
    page = open_work(open_browser(user, viewport={"width": 320, "height": 640}), participation)

    assert page.evaluate("document.documentElement.scrollWidth") == 320
    for target in page.locator(".marks label, .decision button, .decision .check").all():
        assert target.bounding_box()["height"] >= 44
    control(page, int(size), "worst").click()
    control(page, 1, "best").click()
    go_on(page).click()
    wait_for(page, 2)

    assert stored(participation) == [(1, int(size))]


WORDS = {"delighted": "en", "furious": "en", "سعيد": "ar", "a rainy day": "en", "ممتاز": "ar"}


def words_round(user) -> Participation:
    """A planned project of single texts in two scripts, with the person at the first tuple."""
    project = make_project("best_worst", best="most positive", worst="least positive", factor="1", tuples_a_person="0")
    Item.objects.bulk_create(
        Item(project=project, key=f"w{at}", position=at, sentence1=word, language=language)
        for at, (word, language) in enumerate(WORDS.items(), start=1)
    )
    plan_round(project=project, round_key="main")
    return join(project, "main", user)


@pytest.mark.parametrize("size", [{"width": 320, "height": 640}, WIDE], ids=["phone", "wide"])
def test_words_are_buttons_of_their_own(open_browser, user, size):
    participation = words_round(user)
    page = open_work(open_browser(user, viewport=size), participation)
    wait_for(page, 1)

    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shown = page.locator(".option .texts p").all()
    assert len(shown) == 4
    for one in shown:
        language = WORDS[one.inner_text()]
        assert (one.get_attribute("lang"), one.get_attribute("dir")) == (language, "rtl" if language == "ar" else "ltr")
    tops = {round(one.bounding_box()["y"]) for one in page.locator(".option").all()}
    assert len(tops) == (1 if size == WIDE else 4)  # a row of buttons, or a list
    expect(state(page)).to_have_text("Choose the text that is most positive.")
    texts(page, 2).click()
    expect(state(page)).to_have_text("Text 2 is most positive. Now choose the least positive.")
    texts(page, 3).click()
    assert violations(page) == []
    go_on(page).click()
    wait_for(page, 2)

    assert stored(participation) == [(2, 3)]
