"""Every kind of annotator's screen in Firefox and in WebKit, answered with a finger or a mouse, and by keyboard."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client

from annotation.models import Judgment, Participation, PracticeAnswer, SelectedPair, User
from tests.best_worst import dialogue_round, tuple_round
from tests.browser.other_browsers import BROWSERS, Person, Wire, missing, until
from tests.browser.screens import values
from tests.browser.test_best_worst import stored
from tests.browser.test_practice import seated
from tests.factories import context_round, rating_round, selection_round
from tests.practice_sets import pairs_project

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.thorough]

TRACK, NEXT = ".slider-track[role=slider]", "form[data-answer] button.first"
SENTENCE, CARD = ".reports [data-sentence] > p", ".option .texts"
POINTERS = [("firefox", "touch"), ("firefox", "mouse"), ("webkit", "mouse")]  # WebKit's driver makes a touch a click
WIDTHS = {"touch": 360, "mouse": 1280}
CONTROL, ENTER, TAB = "\ue009", "\ue007", "\ue004"


@pytest.fixture(scope="module", params=POINTERS, ids="-".join)
def wire(request, tmp_path_factory) -> Iterator[tuple[Wire, str]]:
    name, pointer = request.param
    if reason := missing(name):
        pytest.skip(reason)
    with BROWSERS[name][0](tmp_path_factory.mktemp(name)) as wire:
        wire.size(WIDTHS[pointer], 800)
        yield wire, pointer


@pytest.fixture
def person(wire, live_server, user) -> Person:
    """The user, signed in, in front of the browser."""
    browser, pointer = wire
    browser.open(f"{live_server.url}/account/login/")
    client = Client()
    client.force_login(user)
    browser.cookie(settings.SESSION_COOKIE_NAME, client.cookies[settings.SESSION_COOKIE_NAME].value)
    return Person(browser, pointer)


def begin(person: Person, live_server, participation: Participation, sign: str) -> None:
    person.wire.open(f"{live_server.url}/my-work/{participation.pk}/")
    person.wait_for(sign)


def fits(person: Person) -> bool:
    return person.wire.run("() => document.documentElement.scrollWidth <= innerWidth")


def shows(person: Person, heading: str) -> None:
    until(lambda: heading in (person.reads("h1") or ""))


def test_rating(person, live_server, user):
    participation = rating_round(user, pairs=4)
    begin(person, live_server, participation, TRACK)

    assert fits(person)
    person.press(NEXT)
    until(lambda: "Choose a rating" in person.reads("#missing"))
    for number, share in ((2, 0.5), (3, 1)):
        person.press(".slider-line", share=share)
        person.press(NEXT)
        shows(person, f"{number} of 4")
    person.types("3", ENTER)
    shows(person, "4 of 4")
    person.types("2", ".", "5", ENTER)
    shows(person, "Finished")

    assert values(participation) == [2.0, 4.0, 3.0, 2.5]


def test_no_key_is_lost_on_a_screen_that_has_just_come(person, live_server, user):
    participation = rating_round(user, pairs=12)
    begin(person, live_server, participation, TRACK)

    for number in range(2, 13):
        if number % 2:
            person.press(".slider-line")
            person.press(NEXT)
        else:
            person.types("2", ".", "5", ENTER)
        shows(person, f"{number} of 12")

    assert values(participation) == [2.5, 2.0] * 5 + [2.5]


def test_rating_in_context(person, live_server, user):
    participation = context_round(user)
    begin(person, live_server, participation, TRACK)

    assert fits(person)
    person.press(".slider-line", share=1)
    person.press(NEXT)
    until(lambda: Judgment.objects.filter(assignment__participation=participation).count() == 1)

    assert values(participation) == [6.0]


def test_selection(person, live_server, user):
    participation = selection_round(user, incidents=1, summary=2, reports=2, sentences=4)
    begin(person, live_server, participation, f"{SENTENCE}[role=button]")

    assert fits(person)
    for slot, (sentence, share) in enumerate(((0, 1), (5, 0.5), (7, 0))):
        person.press(SENTENCE, sentence)
        person.wait_for(f".slot:nth-child({slot + 1}) {TRACK}")
        person.press(".slot .slider-line", slot, share)
    person.press(NEXT)
    shows(person, "2 of 2")
    person.wait_for(f"{SENTENCE}[role=button]")
    person.wire.run(f"() => document.querySelector({SENTENCE!r}).focus()")
    for letter, digit in (("a", "5"), ("b", "3"), ("c", "1")):
        person.types(letter, digit, "\ue015")
    hold_control_and_press_enter(person)
    shows(person, "Finished")

    pairs = SelectedPair.objects.order_by("judgment", "role").values_list("value", flat=True)
    assert list(pairs) == [6.0, 3.0, 0.0, 5.0, 3.0, 1.0]


def hold_control_and_press_enter(person: Person) -> None:
    keys = [("keyDown", CONTROL), ("keyDown", ENTER), ("keyUp", ENTER), ("keyUp", CONTROL)]
    acts = [{"type": kind, "value": key} for kind, key in keys]
    person.wire.act([{"type": "key", "id": "keyboard", "actions": acts}])


@pytest.mark.parametrize("make", [tuple_round, dialogue_round])
def test_choice(person, live_server, user, make):
    participation = make(user)
    begin(person, live_server, participation, f"{CARD}[role=button]")

    assert fits(person)
    for number, (best, worst) in enumerate(((3, 1), (1, 2)), start=2):
        person.press(CARD, best - 1)
        person.press(CARD, worst - 1)
        person.press(NEXT)
        until(lambda number=number: (person.reads("h1") or "").split(" of ")[0].endswith(str(number)))
    assert stored(participation) == [(3, 1), (1, 2)]


def test_practice_after_the_consent(person, live_server, user):
    participation = seated(user, pairs_project(), "semrel")
    begin(person, live_server, participation, "form[action$='/consent/'] button")

    assert fits(person)
    person.press("form[action$='/consent/'] button")
    shows(person, "Practice 1 of 4")
    person.wait_for(f"{CARD}[role=button]")
    person.press(CARD, 0)
    person.press(CARD, 1)
    person.press(NEXT)
    person.wait_for(".verdict h2")

    assert PracticeAnswer.objects.filter(participation=participation).count() == 1
    assert fits(person)


def test_the_pages_around(person, live_server, user: User):
    rating_round(user)
    for path in ("/", "/account/login/", "/help/"):
        person.wire.open(live_server.url + path)
        assert fits(person)
        assert person.wire.run("() => [...document.querySelectorAll('main h1')].length") == 1
