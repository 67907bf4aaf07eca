"""Things that go wrong in the middle: nothing is lost, nothing is stored twice, the person is told."""

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from annotation.models import Judgment
from tests.browser.conftest import sign_in, sign_out
from tests.browser.screens import go_on, rate, slider, values
from tests.factories import PASSWORD, make_user, rating_round

pytestmark = pytest.mark.django_db(transaction=True)

PLACES = """() => [...document.querySelectorAll("#screen, #screen *")].map((each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return [each.tagName, x, y, width, height].join();
})"""


def first_screen(context: BrowserContext, participation) -> Page:
    page = context.new_page()
    page.goto(f"/my-work/{participation.pk}/")
    return page


def status_line(page: Page):
    return page.locator("#status")


def test_double_click_saves_once(open_browser, user):
    participation = rating_round(user)
    page = first_screen(open_browser(user), participation)

    page.keyboard.press("2")
    go_on(page).dblclick()
    expect(page.locator("h1")).to_contain_text("2 of 4")

    assert values(participation) == [2.0]


def test_two_tabs_go_on_together(open_browser, user):
    participation = rating_round(user)
    context = open_browser(user)
    one, other = first_screen(context, participation), first_screen(context, participation)

    rate(one, "1")
    expect(other.locator("h1")).to_contain_text("2 of 4")

    assert values(participation) == [1.0]


def test_two_devices_keep_the_first_answer(open_browser, user):
    participation = rating_round(user)
    one, other = (first_screen(open_browser(user), participation) for _ in range(2))

    rate(one, "1")
    other.keyboard.press("4")
    other.keyboard.press("Enter")
    expect(other.get_by_text("already answered")).to_be_visible()
    expect(other.locator("h1")).to_contain_text("2 of 4")

    assert values(participation) == [1.0]
    assert Judgment.objects.count() == 1


def test_back_button_shows_the_present_screen(open_browser, user):
    participation = rating_round(user)
    page = first_screen(open_browser(user), participation)

    rate(page, "1")
    page.goto("/")
    page.go_back()
    expect(page.locator("h1")).to_contain_text("2 of 4")
    rate(page, "3")

    assert values(participation) == [1.0, 3.0]


def test_answer_waits_while_the_network_is_gone(open_browser, user):
    participation = rating_round(user)
    context = open_browser(user, viewport={"width": 320, "height": 640})
    page = first_screen(context, participation)

    context.set_offline(True)
    page.keyboard.press("3")
    places = page.evaluate(PLACES)
    page.keyboard.press("Enter")
    expect(status_line(page)).to_contain_text("No connection")
    assert page.evaluate(PLACES) == places
    notice, heading = status_line(page).bounding_box(), page.locator("h1").bounding_box()
    assert notice["y"] + notice["height"] <= heading["y"]
    assert Judgment.objects.count() == 0
    context.set_offline(False)

    expect(page.locator("h1")).to_contain_text("2 of 4")
    assert values(participation) == [3.0]


def test_answer_waits_over_a_reload(open_browser, user):
    participation = rating_round(user)
    page = first_screen(open_browser(user), participation)

    def lose(route: Route) -> None:
        if route.request.method == "POST":
            route.abort()
        else:
            route.continue_()

    page.route("**/my-work/**", lose)
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(status_line(page)).to_contain_text("No connection")
    page.unroute("**/my-work/**")
    page.reload()

    expect(page.locator("h1")).to_contain_text("2 of 4")
    assert values(participation) == [3.0]


def test_answer_is_stored_once_when_only_its_confirmation_is_lost(open_browser, user):
    participation = rating_round(user)
    page = first_screen(open_browser(user), participation)
    lost: list[str] = []

    def lose_the_first_answer(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch().headers["x-saved"])
            route.abort()
        else:
            route.continue_()

    page.route("**/my-work/**", lose_the_first_answer)
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("2 of 4")

    assert len(lost) == 1
    assert values(participation) == [3.0]


def test_answer_waits_for_the_login(open_browser, user, live_server):
    participation = rating_round(user)
    context = open_browser(user)
    page = first_screen(context, participation)

    sign_out(context)
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(status_line(page)).to_contain_text("been signed out")
    page.get_by_role("link", name="Sign in again").click()
    page.locator("input[name=login]").fill(user.email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.keyboard.press("Enter")

    expect(page.locator("h1")).to_contain_text("2 of 4")
    assert values(participation) == [3.0]


def test_a_guest_is_not_asked_for_a_password(open_browser, user):
    participation = rating_round(user)
    user.set_unusable_password()
    user.save()
    context = open_browser(user)
    page = first_screen(context, participation)

    sign_out(context)
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="How to continue without a password").click()

    expect(page.get_by_role("heading", name="Continue without a password")).to_be_visible()
    expect(page.locator("input[type=password]")).to_have_count(0)


def test_answer_without_javascript_waits_for_the_login(open_browser, user):
    participation = rating_round(user)
    context = open_browser(user, java_script_enabled=False)
    page = first_screen(context, participation)

    sign_out(context)
    page.locator("input[name=value]").fill("2.5")
    go_on(page).click()
    page.locator("input[name=login]").fill(user.email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password]").press("Enter")
    page.wait_for_url("**/my-work/*/")

    assert values(participation) == [2.5]


def test_answer_of_one_person_is_never_sent_by_another(open_browser, user, live_server):
    participation = rating_round(user)
    context = open_browser(user)
    page = first_screen(context, participation)
    context.set_offline(True)
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(status_line(page)).to_contain_text("No connection")
    # Signed out first: a page that is being closed is online for a moment, in which it may send its answer.
    sign_out(context)
    page.close()
    context.set_offline(False)

    sign_in(context, make_user("other"), live_server.url)
    other = context.new_page()
    other.goto("/")
    other.wait_for_load_state("networkidle")
    assert Judgment.objects.count() == 0
    sign_out(context)
    sign_in(context, user, live_server.url)
    other.goto("/")

    expect(status_line(other)).to_contain_text("Saved")
    assert values(participation) == [3.0]


def test_server_error_keeps_the_answer(open_browser, user):
    participation = rating_round(user)
    page = first_screen(open_browser(user), participation)

    def fail(route: Route) -> None:
        if route.request.method == "POST":
            route.fulfill(status=503, body="")
        else:
            route.continue_()

    page.route("**/my-work/**", fail)
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(status_line(page)).to_contain_text("503")
    page.unroute("**/my-work/**")
    page.get_by_role("button", name="Try now").click()
    expect(page.locator("h1")).to_contain_text("2 of 4")

    assert values(participation) == [3.0]
    expect(slider(page)).to_have_attribute("aria-valuetext", "not chosen yet")
