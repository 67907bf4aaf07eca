"""The pages of a manager in a real browser: how they stand, and what is done on them with mouse and keyboard."""

import csv
import json
import re
from datetime import timedelta

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from annotation.domain.account.tokens import make_token
from annotation.domain.judgment.extra_judgments import withdraw_items
from annotation.domain.messages.messages import send_message
from annotation.domain.participation.lifecycle import exclude
from annotation.domain.project.members import invite_member, link_of
from annotation.domain.recruiting.overview import Invitation, write_invitation
from annotation.models import MemberInvitation, Membership, Participation, Project, User
from scoring.domain.figures.render_figures import stored_figures
from tests.browser.conftest import PHONE, WIDE_AND_DARK_PHONE, violations
from tests.browser.managing import HOME, downloaded, follow, logged, of_boss, press
from tests.browser.test_pages import faults
from tests.factories import answer_session, rate_next, reread, validation_round
from tests.releases.making import run_of
from tests.runs.projects import labelled

pytestmark = pytest.mark.django_db(transaction=True)
Role = Membership.Role
TO_PROJECT = ("pause", "deadline", "more", "withdraw")
TO_PERSON = ("message", "deadline", "give-on")
SECTIONS = "control/ log/ members/ delete/ forecast/ runs/ runs/1/ items/ answers/ people/ setup/launch/ recruiting/"


def resting(user: User, key: str = "project") -> Participation:
    """Somebody in the pause between the two sessions of R3."""
    place = validation_round(user, key=key)
    return answer_session(place, timezone.now())


# how they stand


def busy_project(boss: User) -> Project:
    """A project with something on every page: answers, a run with figures, an invited member, a log."""
    project, given = of_boss(labelled("project"), boss), {"actor": boss, "now": timezone.now()}
    one, other, *_others = project.participations.filter(annotator__isnull=False)
    send_message(participation_id=one.pk, text="Please read slowly.", **given)
    exclude(participation_id=other.pk, reason="Answers within a second.", **given)
    withdraw_items(project=project, keys=["p6"], reason="A broken text.", **given)
    address = "a-colleague-with-a-long-name@linguistics.example.org"
    invite_member(project=project, email=address, role=Role.MANAGER, **given)
    stored_figures(run_of(project))
    make_token(user=boss, name="A notebook")
    return project


def pages_of(project: Project) -> list[str]:
    person, out = (project.participations.filter(state=state).first().pk for state in ("finished", "excluded"))
    paths = [*SECTIONS.split(), *(f"control/{action}/" for action in TO_PROJECT)]
    paths += [f"people/{person}/do/{action}/" for action in TO_PERSON]
    project.imports.create(name="pairs.csv", file="", state="done", imported=1)
    project.items.update(item_import=project.imports.get())
    item, links = project.items.order_by("position").first().pk, "recruiting/standing/revoke/?place=main/raters"
    paths += [f"items/{item}/{act}/" for act in ("edit", "replace", "delete")] + [f"watch/items/{item}/", links]
    paths += [f"import/{project.imports.get().pk}/undo/", f"people/{person}/answers/", "setup/"]
    paths += [f"people/bulk/?action={action}&all=1" for action in ("exclude", "review", "extend")]
    # The last of them goes on loading: what it would do to the scores comes by itself.
    return [HOME + one for one in [*paths, f"people/{out}/do/restore/", f"people/{person}/exclude/"]]


@pytest.mark.parametrize("view", WIDE_AND_DARK_PHONE)
def test_every_page_of_a_manager_stands(open_browser, boss, user, view):
    project, rest = busy_project(boss), resting(user, "news")
    of_boss(rest.project, boss)
    member = reverse("member-accept", args=[link_of(MemberInvitation.objects.get())])
    join_page = f"/join/{write_invitation(Invitation(project.key, 'main', 'crowd'))}/"
    page = open_browser(boss, **view).new_page()
    paths = [f"/projects/news/people/{rest.pk}/do/shorten/", "/account/data/", "/account/tokens/", member]
    paths += pages_of(project)

    assert [fault for path in [*paths, join_page] for fault in faults(page, path)] == []


# one person


def test_one_person_is_written_to_excluded_and_taken_back(open_browser, place, boss):
    page = open_browser(boss).new_page()
    page.goto(f"{HOME}people/{place.pk}/")

    follow(page, "Write a message")
    page.get_by_label("Message").fill("Please read slowly.")
    press(page, "Send")
    expect(page.get_by_text("The message is being sent.")).to_be_visible()
    follow(page, "Change the deadline")
    page.get_by_label("Deadline", exact=True).fill("2100-01-01T12:00")
    page.get_by_label("Reason").fill("The round ends.")
    press(page, "Change the deadline")
    due = page.get_by_text("Deadline:").locator("time")
    expect(due).to_have_attribute("datetime", re.compile("^2100-01-01"))
    for _ in range(4):
        rate_next(place, "4")
    page.reload()
    follow(page, "Exclude")
    effect = page.get_by_label("Scores before and after")
    expect(effect.get_by_role("row").nth(1)).to_contain_text(re.compile(r"main\s+4\s+1\.000"))
    page.get_by_role("button", name="Exclude").click()
    expect(page.get_by_label("Reason")).to_be_focused()  # without one nothing is sent
    page.get_by_label("Reason").fill("Answers within a second.")
    press(page, "Exclude annotator")
    expect(page.get_by_text("Annotator excluded. Their answers no longer count")).to_be_visible()
    assert violations(page) == []
    follow(page, "Reinstate")
    page.get_by_label("Reason").fill("The mouse was broken.")
    press(page, "Reinstate")
    expect(page.get_by_text("Annotator reinstated. Their answers count again.")).to_be_visible()

    follow(page, "View log")
    expect(page.get_by_label("Annotator", exact=True)).to_have_value(place.annotator.pseudonym)
    reasons = ["", "The round ends.", "Answers within a second.", "The mouse was broken."]
    assert [reason for _, reason in logged(page, page.url)] == reasons
    with downloaded(page, "Download CSV").open(encoding="utf-8") as file:
        rows = [(row["action"], row["reason"]) for row in csv.DictReader(file)]
    assert rows[::-1] == list(zip(("message sent", "deadline moved", "excluded", "restored"), reasons, strict=True))
    assert mail.outbox[0].to == [place.annotator.user.email]


def test_a_pause_is_shortened_with_the_keyboard(open_browser, user, boss):
    place = resting(user)
    of_boss(place.project, boss)
    page = open_browser(boss, timezone_id="UTC").new_page()
    page.goto(f"{HOME}people/{place.pk}/")
    soon = timezone.now() + timedelta(hours=1)

    page.get_by_role("link", name="Shorten the pause").focus()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.get_by_label("New end of the pause").fill(f"{soon:%Y-%m-%dT%H:%M}")
    page.keyboard.press("Tab")
    while page.evaluate("document.activeElement.name") != "reason":  # past the parts of the day and the time
        page.keyboard.press("Tab")
    page.keyboard.type("They leave tomorrow.")
    page.keyboard.press("Tab")
    with page.expect_navigation():
        page.keyboard.press("Enter")

    expect(page.get_by_text("The pause has been shortened.")).to_be_visible()
    assert reread(place).rest_until == soon.replace(second=0, microsecond=0)
    assert logged(page)[-1] == ("pause shortened", "They leave tomorrow.")


# the project


def test_a_project_is_paused_bounded_and_mended(open_browser, place, boss):
    page = open_browser(boss, viewport=PHONE).new_page()
    page.goto(HOME)

    def act(name: str, reason: str, button: str = "", **fields: str) -> None:
        follow(page, "Control")
        page.locator("main .cards").get_by_role("link", name=name).click()
        for label, value in fields.items():
            page.get_by_label(label.replace("_", " "), exact=True).fill(value)
        page.get_by_label("Reason").fill(reason)
        press(page, button or name)

    act("Pause the project", "A fault.")
    expect(page.get_by_text("The project has been paused since")).to_be_visible()
    assert violations(page) == []
    act("Resume the project", "Mended.")
    expect(page.locator(".project-name .badge")).to_have_count(0)
    to_be_set = {"button": "Set deadline", "Deadline": "2100-01-01T12:00"}
    act("Set the deadline of a round", "The money ends.", **to_be_set)
    act("Withdraw items", "A broken text.", Items="p1, p2")
    withdrawn = page.get_by_role("region", name="Withdrawn items")
    expect(withdrawn.get_by_role("listitem")).to_have_count(2)
    act("Request more judgments", "The text is mended.", Items="p1")
    expect(withdrawn.get_by_role("listitem")).to_contain_text(["p2"])
    act("Withdraw items", "A slip.", Items="p99")
    expect(page.get_by_text("no item “p99”")).to_be_visible()

    reasons = ["A fault.", "Mended.", "The money ends.", "A broken text.", "The text is mended."]
    assert [reason for _, reason in logged(page)] == reasons
    page.get_by_label("Action", exact=True).select_option("items withdrawn")
    press(page, "Apply filters")
    lines = downloaded(page, "Download JSON Lines").read_text("utf-8").splitlines()
    assert [json.loads(line)["details"] for line in lines] == [{"items": ["p1", "p2"]}]


def test_a_forecast_is_asked_for(open_browser, place, boss):
    page = open_browser(boss).new_page()
    page.goto(HOME)
    follow(page, "Planning aid")
    expect(page.get_by_role("columnheader", name="Cost")).to_have_count(0)
    simulate = page.get_by_role("button", name="Simulate").bounding_box()
    assert simulate["y"] == page.get_by_label("Pay per hour").bounding_box()["y"]

    page.get_by_label("Items to judge").fill("200")
    page.get_by_label("Pay per hour").fill("12")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name="Cost")).to_be_visible()
    expect(page.locator("tr.chosen")).to_contain_text("Current setup")
    page.get_by_text("How this is computed").click()
    expect(page.get_by_text("Data collections with this design are simulated")).to_be_visible()
    assert violations(page) == []
    page.get_by_label("Target reliability").fill("0.5")
    page.get_by_label("Items to judge").fill("1")
    press(page, "Simulate")

    expect(page.get_by_role("alert")).to_be_visible()


def test_the_way_through_a_report_stays_beside_it_and_off_the_paper(open_browser, boss):
    project = of_boss(labelled("project"), boss)
    stored_figures(run_of(project))
    page = open_browser(boss).new_page()
    page.goto(f"{HOME}runs/")
    follow(page, "Run 1")
    contents = page.get_by_role("navigation", name="Contents")

    contents.get_by_role("link", name="Texts").click()

    expect(page.get_by_role("heading", name="Texts")).to_be_in_viewport()
    expect(contents.get_by_role("link", name="Methods")).to_be_in_viewport()
    page.emulate_media(media="print")
    expect(contents).to_be_hidden()
    heights = page.locator(".report section > p").evaluate_all("all => all.map(one => one.offsetHeight)")
    assert heights and min(heights) >= 10
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    drawn = page.locator("figure img").evaluate_all("all => all.map(one => one.complete && one.naturalWidth > 0)")
    assert drawn and all(drawn)
