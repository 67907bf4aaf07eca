"""A project set up in a real browser, from nothing to the launch; and its pages by themselves."""

import re

import pytest
from playwright.sync_api import expect

from annotation.domain.project.creation import add_member
from annotation.domain.recruiting.overview import Invitation, write_invitation
from annotation.models import Item, Judgment, Membership, Participation, PersonalAnswer, Project, User
from scoring.domain.rehearsals.jobs import request_rehearsal
from tests.browser.conftest import WIDE_AND_DARK_PHONE, violations
from tests.browser.test_pages import faults
from tests.factories import NOON, add_incidents, add_pairs, make_project, make_user
from tests.jobs import attempt

pytestmark = pytest.mark.django_db(transaction=True)
ROWS = "id,sentence1,sentence2\n" + "".join(f"p{n},First text {n}.,Second text {n}.\n" for n in range(1, 9))


@pytest.fixture
def boss(user) -> User:
    User.objects.filter(pk=user.pk).update(opens_projects=True)
    user.refresh_from_db()
    return user


@pytest.mark.thorough
def test_a_semrel_project_from_nothing_to_its_first_annotator(open_browser, boss):
    page = open_browser(boss).new_page()
    page.goto("/")
    page.get_by_role("link", name="New project").click()
    page.get_by_role("link", name=re.compile("Choose.*Best and worst of several pairs")).click()
    page.get_by_label("Title").press_sequentially("Všední páry")
    expect(page.get_by_label("Key")).to_have_value("vsedni-pary")
    page.get_by_label("Language of the texts").fill("en")
    page.get_by_label("Number of pairs").fill("8")
    page.get_by_label("Answers per comparison").fill("2")
    expect(page.get_by_role("row", name=re.compile("Comparing pairs 2 16 7 32"))).to_be_visible()
    page.get_by_label("Items per comparison").fill("9")
    expect(page.locator("#costs .errorlist")).to_be_visible()
    page.get_by_label("Items per comparison").fill("4")
    page.get_by_role("button", name="Create project").click()
    expect(page.get_by_role("heading", name="Set up", level=1)).to_be_visible()

    page.locator(".steps").get_by_role("link", name="Texts").click()
    page.get_by_label("Or type rows").fill(ROWS)
    page.get_by_role("button", name="Import").click()
    page.get_by_role("link", name="Preview the first item").click()
    expect(page.get_by_text("Nothing is stored.")).to_be_visible()
    page.get_by_role("link", name="Back to the import").click()
    page.get_by_role("button", name="Import without changes").click()
    expect(page.get_by_text("8 pairs imported.")).to_be_visible()

    project = Project.objects.get()
    page.goto(f"/projects/{project.key}/setup/")
    page.locator(".steps").get_by_role("link", name="Guidelines").click()
    page.get_by_label("Guidelines (Markdown)").fill("Read **slowly**.")
    expect(page.get_by_label("What annotators see").locator(".prose")).to_have_text("Read slowly.")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Participant questions").click()
    page.get_by_label("Question", exact=True).fill("What is your first language?")
    page.get_by_label("Answer type").select_option("language")
    page.get_by_role("button", name="Add question").click()
    expect(page.get_by_role("link", name="What is your first language?", exact=True)).to_be_visible()

    page.goto(f"/projects/{project.key}/preview/best-worst/")
    page.keyboard.press("1")
    page.keyboard.press("Shift+2")
    page.keyboard.press("Enter")
    expect(page.get_by_text("This is a preview. Nothing was saved.")).to_be_visible()
    expect(page.get_by_text("First text 1.")).to_be_visible()

    page.goto(f"/projects/{project.key}/rehearsals/")
    page.get_by_role("button", name="Start rehearsal").click()
    expect(page.get_by_text("Rehearsal complete.")).to_be_visible()
    page.get_by_role("button", name="Discard the rehearsal").click()
    expect(page.get_by_text("Rehearsal discarded.")).to_be_visible()
    assert (Participation.objects.count(), Judgment.objects.count(), Item.objects.count()) == (0, 0, 8)

    page.goto(f"/projects/{project.key}/plans/")
    page.get_by_role("button", name="Plan round").click()
    expect(page.get_by_text("Planned.", exact=True)).to_be_visible()
    page.goto(f"/projects/{project.key}/setup/")
    page.get_by_role("link", name="Launch the project").click()
    page.get_by_role("button", name="Launch the project").click()
    expect(page.get_by_text("The project has been launched. People can now join with its links.")).to_be_visible()
    assert violations(page) == []

    person = open_browser(make_user("ben")).new_page()
    person.goto(f"/join/{write_invitation(Invitation(project.key, 'main'))}/")
    person.get_by_role("button", name="Join").click()
    person.get_by_role("button", name="Agree and start").click()
    person.get_by_label("What is your first language?").fill("Czech")
    assert violations(person) == []
    person.get_by_role("button", name="Continue").click()
    expect(person.get_by_role("button", name="Next")).to_be_visible()
    expect(person.get_by_text("In which pair are the two texts")).to_be_visible()
    assert PersonalAnswer.objects.get().text == "Czech"


@pytest.mark.parametrize("view", WIDE_AND_DARK_PHONE)
def test_the_pages_of_setting_up(open_browser, boss, view):
    pairs, news = make_project("semrel", "pairs"), make_project("czech_news", "news")
    add_pairs(pairs, 8)
    add_incidents(news, 6)
    for project in (pairs, news):
        add_member(project=project, user=boss, role=Membership.Role.OWNER)
        project.questions.create(position=1, text="How old are you?", kind="number")
        project.questions.create(position=2, text="Your group?", kind="choice", choices=["a", "b"], published=True)
    rehearsal = request_rehearsal(project=pairs, people=1, seed=1, actor=boss)
    attempt(rehearsal, NOON)
    page = open_browser(boss, **view).new_page()

    paths = ["/projects/new/", "/projects/new/czech_news/", "/projects/new/file/"]
    pages = (
        "setup/ setup/basics/ setup/protocol/ setup/pages/consent/ setup/questions/ setup/copy/ preview/ rehearsals/"
    )
    paths += [f"/projects/pairs/{one}" for one in pages.split()] + [f"/projects/pairs/rehearsals/{rehearsal.pk}/"]
    kinds = "consent about-you selection rating context rest finished"
    paths += [f"/projects/news/preview/{kind}/" for kind in kinds.split()]

    assert [fault for path in paths for fault in faults(page, path)] == []


def test_a_project_is_made_without_scripts(open_browser, boss):
    page = open_browser(boss, java_script_enabled=False).new_page()
    page.goto("/projects/new/stss131/")
    page.get_by_label("Title").fill("No scripts")
    page.get_by_label("Number of pairs").fill("10")
    page.get_by_role("button", name="Check settings").click()
    expect(page.get_by_role("row", name=re.compile("Rating 32 10 2 320"))).to_be_visible()
    page.get_by_label("Step").fill("0.3")
    page.get_by_role("button", name="Create project").click()
    expect(page.locator(".field").filter(has_text="Step").locator(".errorlist")).to_contain_text(
        "not a multiple of the step 0.3"
    )
    page.get_by_label("Step").fill("0.5")
    page.get_by_role("button", name="Create project").click()

    expect(page.get_by_role("heading", name="Set up", level=1)).to_be_visible()
    assert Project.objects.get().key == "no-scripts"
