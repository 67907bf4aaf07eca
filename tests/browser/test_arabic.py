"""The annotator's whole way in Arabic, from right to left: no English is left over, and axe finds nothing."""

from dataclasses import replace

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from annotation.domain.participation.lifecycle import exclude
from annotation.domain.planning.rounds import plan_round
from annotation.domain.recruiting.overview import Invitation, write_invitation
from annotation.models import Participation, Project, User
from annotation.protocols.designs.news import SelectionDesign
from annotation.protocols.spec import Round
from annotation.protocols.storing import to_json
from annotation.protocols.wording import texts_of, with_texts
from tests.browser.conftest import PHONE, WIDE, violations
from tests.factories import (
    NOON,
    add_pairs,
    answer_all,
    answer_session,
    join,
    make_project,
    make_user,
    rating_round,
    reread,
    selection_round,
    validation_round,
)
from tests.practice_sets import RIGHT, add_tasks, do_check, pairs_project

pytestmark = pytest.mark.django_db(transaction=True)

# What stands in an element of its own language or direction, or is a key or a code, is not the interface's.
LEFT_OVER = """() => {
  const foreign = "[lang]:not(html), [dir=auto], .picks, bdi, code, kbd, .brand, script, style, title";
  const names = /Semblance|API|JavaScript|Ctrl|Enter|Shift|Mechanical Turk|ann@example\\.org|UTC|[A-C](?![a-z])/g;
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (!node.parentElement.closest(foreign)) texts.push(node.data);
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], [alt], [aria-valuetext]"))
    if (!element.closest(foreign)) for (const name of ["aria-label", "title", "placeholder", "alt", "aria-valuetext"])
      texts.push(element.getAttribute(name) ?? "");
  texts.push(document.title);
  return texts.filter((text) => /[A-Za-z]{2,}/.test(text.replace(names, ""))).map((text) => text.trim());
}"""


def in_arabic(project: Project) -> Project:
    """The project with its own words in Arabic, as its managers would write them."""
    words = dict.fromkeys(texts_of(project.protocol), "كلمة")
    project.title, project.guidelines, project.consent = "مشروع", "إرشادات.", "موافقة."
    protocol = with_texts(project.protocol, words)
    project.protocol_json = to_json(replace(protocol, rounds=tuple(map(_named, protocol.rounds))))
    project.save()
    return project


def _named(round_: Round) -> Round:
    design = round_.design
    if isinstance(design, SelectionDesign):
        design = replace(design, roles=tuple(replace(role, title=f"دور {role.key}") for role in design.roles))
    return replace(round_, title="جولة", design=design)


@pytest.fixture
def reader(db) -> User:
    return make_user(language="ar")


@pytest.fixture(params=[WIDE, pytest.param(PHONE, marks=pytest.mark.thorough)], ids=["wide", "phone"])
def context(request, open_browser, reader) -> BrowserContext:
    return open_browser(reader, viewport=request.param, locale="ar")


def faults(page: Page) -> list[str]:
    """What is wrong with the page that is shown; what axe looks at is the same in a narrow window."""
    found = [f"English: {text}" for text in page.evaluate(LEFT_OVER)]
    if page.evaluate("document.dir") != "rtl":
        found.append("not from right to left")
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append("wider than the window")
    return [*found, *(violations(page) if page.viewport_size == WIDE else ())]


def faults_of(context: BrowserContext, *paths: str) -> list[str]:
    page = context.new_page()
    found = []
    for path in paths:
        page.goto(path)
        found += [f"{path}: {fault}" for fault in faults(page)]
    return found


def work(participation: Participation, page: str = "") -> str:
    return f"/my-work/{participation.pk}/{page}"


def test_the_way_in(context):
    project = in_arabic(make_project())
    add_pairs(project, 2)
    plan_round(project=project, round_key="main", people=2)
    page = context.new_page()

    page.goto(f"/join/{write_invitation(Invitation(project.key, 'main', 'raters'))}/")
    found = faults(page)
    page.locator("main form button").first.click()
    page.wait_for_url("**/my-work/*/")

    assert [*found, *faults(page)] == []


def test_rating(context, reader):
    participation = rating_round(reader)
    in_arabic(participation.project)
    page = context.new_page()
    page.goto(work(participation))
    found = faults(page)

    page.keyboard.press("Enter")
    expect(page.locator("#missing")).not_to_be_empty()
    found += faults(page)
    page.keyboard.press("g")
    found += faults(page)
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    found += faults(page)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("2 من 4")

    assert [*found, *faults(page)] == []
    assert faults_of(context, "/", work(participation, "guidelines/"), work(participation, "leave/")) == []


def test_the_pause_and_the_end(context, reader):
    resting, finished, excluded = validation_round(reader), rating_round(reader, key="b"), rating_round(reader, key="c")
    for one in (resting, finished, excluded):
        in_arabic(one.project)
    answer_session(reread(resting))
    answer_all(reread(finished))
    exclude(participation_id=excluded.pk, reason="Answers in a second.", actor=None, now=NOON)

    assert faults_of(context, "/", *map(work, (resting, finished, excluded))) == []


def test_selecting(context, reader):
    participation = selection_round(reader)
    in_arabic(participation.project)
    page = context.new_page()
    page.goto(work(participation))
    found = faults(page)

    page.locator(".sentence > p").first.click()
    expect(page.locator(".slot[data-empty]")).to_have_count(2)

    assert [*found, *faults(page)] == []


def test_practising_and_choosing(context, reader):
    project = in_arabic(pairs_project())
    add_tasks(project, examples=1, practice=1, check=2)
    plan_round(project=project, round_key="main", people=2)
    participation = join(project, "main", reader)
    page = context.new_page()
    page.goto(work(participation))
    found = faults(page)

    page.keyboard.press("Digit1")
    page.keyboard.press("Shift+Digit2")
    found += faults(page)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    found += faults(page)
    with page.expect_navigation():
        page.locator("main form.actions button").click()
    found += faults_of(
        context, work(participation), work(participation, "check/"), work(participation, "practice/again/")
    )
    do_check(participation, RIGHT, RIGHT)
    page.goto(work(participation))
    found += faults(page)
    page.keyboard.press("Digit1")
    found += faults(page)

    assert found == []


def test_the_pages_around(context):
    assert faults_of(context, "/account/email/", "/account/password/change/", "/account/2fa/", "/nowhere/") == []


def test_the_pages_of_a_stranger(open_browser, db):
    context = open_browser(locale="ar")

    assert faults_of(context, "/", "/account/login/", "/account/signup/", "/account/password/reset/") == []


def test_a_language_is_chosen_without_scripts(open_browser, db):
    page = open_browser(java_script_enabled=False).new_page()
    page.goto("/account/login/")

    page.get_by_role("button", name="العربية").click()

    assert page.url.endswith("/account/login/")
    assert page.locator("html[lang=ar][dir=rtl]").count() == 1
