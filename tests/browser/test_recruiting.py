"""Finding people, in a real browser: managers' pages, invitations, and the pages for crowd platforms."""

import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import pytest
from django.core.cache import cache
from playwright.sync_api import expect

from annotation.domain.project.creation import add_member
from annotation.domain.recruiting.address_lists import Row
from annotation.domain.recruiting.crowd.bonuses import plan_bonuses
from annotation.domain.recruiting.guests import resume_code
from annotation.domain.recruiting.mailings import invite_addresses
from annotation.domain.recruiting.overview import Invitation, write_invitation
from annotation.models import CrowdStudy, InvitationLink, Membership, Participation
from tests.browser.conftest import DARK_AND_PHONE, PHONE, WIDE_AND_DARK_PHONE, violations
from tests.browser.test_pages import faults
from tests.crowds import STUDY, arrive, make_study, pid, recruit, sid, worker
from tests.factories import NOON, answer_all
from tests.platforms import running

pytestmark = pytest.mark.django_db(transaction=True)
PROLIFIC = f"PROLIFIC_PID={pid()}&STUDY_ID={STUDY}&SESSION_ID={sid()}"


@pytest.mark.parametrize("view", DARK_AND_PHONE)
def test_pages_of_a_manager(open_browser, user, view):
    study = make_study()
    arrive(study)
    project = study.project
    CrowdStudy.objects.update(platform="mturk", study_id="")
    add_member(project=project, user=user, role=Membership.Role.MANAGER)
    pages = recruit(project)
    own, made_here = pages["project-study"][1], pages["project-prolific"][1]
    page = open_browser(user, **view).new_page()

    parts = ["", "addresses/", "guests/", "studies/", f"studies/{own}/", f"studies/{own}/bonuses/"]
    parts += [
        "emails/",
        "emails/reminder/",
        "waiting/",
        "quotas/",
        "studies/prolific/",
        f"studies/{made_here}/prolific/",
    ]

    assert [fault for part in parts for fault in faults(page, f"/projects/project/recruiting/{part}")] == []


@pytest.mark.parametrize("view", WIDE_AND_DARK_PHONE)
def test_pages_of_people(open_browser, view, mailoutbox):
    cache.clear()
    make_study()
    token = write_invitation(Invitation("project", "main", "raters"))
    page = open_browser(**view).new_page()
    found = faults(page, f"/join/{token}/") + faults(page, f"/crowd/prolific/project/main/?{PROLIFIC}")
    page.goto(f"/join/{token}/")
    page.get_by_role("textbox", name="Your email address").fill("eva@example.org")
    page.get_by_role("button", name="Send me the link").click()
    expect(page.get_by_text("Check your email").first).to_be_visible()
    found += violations(page)
    path = "/" + mailoutbox[0].body.split("://")[1].split("\n")[0].split("/", 1)[1]
    found += faults(page, path)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("button", name="Agree and start")).to_be_visible()
    InvitationLink.objects.update(revoked_at=NOON)
    page.context.clear_cookies()
    page.goto(f"/join/{token}/")
    expect(page.get_by_text("This invitation has ended").first).to_be_visible()

    assert found + violations(page) == []


@pytest.mark.parametrize("view", DARK_AND_PHONE)
def test_without_e_mail_one_goes_on_elsewhere_by_the_link_that_is_shown(open_browser, settings, user, view):
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    study = make_study()
    add_member(project=study.project, user=user, role=Membership.Role.MANAGER)
    recruit_addresses(study, user)
    page = open_browser(**view).new_page()
    found = faults(page, f"/join/{write_invitation(Invitation('project', 'main', 'raters'))}/")
    with page.expect_navigation():
        page.get_by_role("button", name="Start without an email").click()
    expect(page.get_by_role("heading", name="Your personal link")).to_be_visible()
    found += violations(page)
    own = page.get_by_role("textbox", name="Your personal link").input_value()
    with page.expect_navigation():
        page.get_by_role("button", name="Agree and start").click()
    at_work = page.url

    device = open_browser(**view).new_page()
    device.goto(own)
    with device.expect_navigation():
        device.get_by_role("button", name="Continue").click()

    assert (device.url, found) == (at_work, [])
    managed = open_browser(user, **view).new_page()
    parts = ("", "addresses/", "guests/")
    assert [fault for part in parts for fault in faults(managed, f"/projects/project/recruiting/{part}")] == []
    expect(managed.get_by_role("cell", name="Guest 1 No email address")).to_be_visible()


def recruit_addresses(study: CrowdStudy, user) -> None:
    place = {"round_key": study.round, "pool": study.pool}
    invite_addresses(project=study.project, **place, rows=[Row("a@example.org")], actor=user, now=NOON)


@pytest.mark.parametrize("view", DARK_AND_PHONE)
def test_pages_of_those_who_do_not_get_in(open_browser, settings, view):
    cache.clear()
    settings.JOIN_RATE = (0, 3600)
    place = arrive(make_study(), 2)
    Participation.objects.filter(pk=place.pk).update(state="left", reason="Ill.")
    page = open_browser(**view).new_page()
    page.goto(f"/crowd/prolific/project/main/?{PROLIFIC}")
    with page.expect_navigation():
        page.get_by_role("button", name="Agree and start").click()
    expect(page.get_by_role("heading", name="Please try again later")).to_be_visible()
    found = violations(page)
    page.goto(f"/crowd/prolific/project/main/?{PROLIFIC}".replace(pid(), pid(2)))
    expect(page.get_by_text("You started in another browser")).to_be_visible()
    found += violations(page)
    page.get_by_label("Code").fill(resume_code(place.annotator.user.guest))
    with page.expect_navigation():
        page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="This study has ended for you")).to_be_visible()

    assert found + violations(page) == []


def test_a_link_is_made_and_copied(open_browser, user):
    study = make_study()
    add_member(project=study.project, user=user, role=Membership.Role.MANAGER)
    page = open_browser(user, permissions=["clipboard-read", "clipboard-write"]).new_page()
    page.goto("/projects/project/recruiting/")
    page.get_by_label("Maximum number of people").fill("5")
    page.get_by_label("Note").fill("Forum")

    page.get_by_role("button", name="Create link").click()
    own = page.locator("section[aria-labelledby=own]")
    expect(own.get_by_text("0 of 5 joined")).to_be_visible()
    own.get_by_role("button", name="Copy").click()
    expect(own.get_by_role("button", name="Copied")).to_be_visible()

    assert page.evaluate("navigator.clipboard.readText()").endswith(f"/join/{InvitationLink.objects.get().token}/")


@pytest.mark.parametrize(("width", "beside"), [(1280, True), (390, False)])
@pytest.mark.parametrize("path", ["recruiting/", "import/"])
def test_what_helps_stands_beside_where_there_is_room(open_browser, user, path, width, beside):
    study = make_study()
    add_member(project=study.project, user=user, role=Membership.Role.MANAGER)
    page = open_browser(user, viewport={"width": width, "height": 800}).new_page()
    page.goto(f"/projects/project/{path}")

    side, main = page.locator(".side").bounding_box(), page.locator(".with-side > :first-child").bounding_box()

    assert (side["x"] >= main["x"] + main["width"]) == beside
    assert (side["y"] >= main["y"] + main["height"]) != beside
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_somebody_from_prolific_works_to_the_end_without_scripts(open_browser):
    make_study()
    page = open_browser(java_script_enabled=False).new_page()
    page.goto(f"/crowd/prolific/project/main/?{PROLIFIC}")
    with page.expect_navigation():
        page.get_by_role("button", name="Agree and start").click()
    answer_all(Participation.objects.get(annotator__isnull=False))
    page.reload()

    link = page.get_by_role("link", name="Back to Prolific")

    assert link.get_attribute("href") == "https://app.prolific.com/submissions/complete?cc=DONE1"


class Turk(ThreadingHTTPServer):
    """A stand-in for Mechanical Turk: shows an address in a frame, and takes what its form submits."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Page)
        self.shown = ""
        self.taken: list[dict[str, list[str]]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Page(BaseHTTPRequestHandler):
    server: Turk

    def do_GET(self) -> None:
        self._answer(
            f'<!doctype html><title>Turk</title><iframe src="{self.server.shown}" width=900 height=700></iframe>'
        )

    def do_POST(self) -> None:
        fields = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        if self.path == "/mturk/externalSubmit":
            self.server.taken.append(fields)
        self._answer("<!doctype html><title>Taken</title><p>Submitted")

    def _answer(self, text: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def turk(settings):
    server = Turk()
    settings.MTURK_SITES = settings.MTURK_SUBMITS_TO = [server.url]
    with running(server):
        yield server


def framed(live_server, turk: Turk, assignment: str) -> str:
    ids = f"assignmentId={assignment}&hitId=3HITHITHITHIT&workerId={worker()}&turkSubmitTo={turk.url}"
    # Another name of the same machine: for the browser the frame is of another site than the page around it.
    return f"{live_server.url.replace('127.0.0.1', 'localhost')}/crowd/mturk/project/main/?{ids}"


def test_a_task_of_mechanical_turk_from_preview_to_submission(open_browser, live_server, turk):
    make_study(platform="mturk", study_id="", completion_code="")
    context = open_browser()
    page = context.new_page()
    turk.shown = framed(live_server, turk, "ASSIGNMENT_ID_NOT_AVAILABLE")
    page.goto(turk.url)
    frame = page.frame_locator("iframe")
    expect(frame.get_by_text("First text of pair 1.")).to_be_visible()
    expect(frame.get_by_role("button")).to_have_count(0)

    turk.shown = framed(live_server, turk, "3ASSIGNMENT1")
    page.goto(turk.url)
    with context.expect_page() as opened:
        frame.get_by_role("link", name="Open the task").click()
    work = opened.value
    work.get_by_role("button", name="Agree and start").click()
    expect(work.locator("h1")).to_contain_text("1 of 2")
    answer_all(Participation.objects.get(annotator__isnull=False))
    work.reload()
    expect(work.get_by_text("press “Submit”")).to_be_visible()
    code = work.locator("#way-code").inner_text()
    frame.get_by_role("button", name="Submit").click()  # the frame has noticed by itself

    expect(frame.get_by_text("Submitted")).to_be_visible()
    assert turk.taken == [{"assignmentId": ["3ASSIGNMENT1"], "code": [code]}]


def test_no_other_site_can_frame_the_page_and_no_other_page_be_framed(open_browser, live_server, turk, settings):
    make_study(platform="mturk", study_id="", completion_code="")
    page = open_browser().new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text) if message.type == "error" else None)
    turk.shown = live_server.url.replace("127.0.0.1", "localhost") + "/"
    page.goto(turk.url)
    settings.MTURK_SITES = ["https://www.mturk.com"]
    turk.shown = framed(live_server, turk, "3ASSIGNMENT1")
    page.goto(turk.url)

    assert len([text for text in refused if re.search("frame", text, re.IGNORECASE)]) == 2
    assert page.frame_locator("iframe").get_by_role("link", name="Open the task").count() == 0


def test_the_page_for_frames_is_accessible(open_browser):
    study = make_study(platform="mturk", study_id="", completion_code="")
    page = open_browser(viewport=PHONE).new_page()
    ids = f"hitId=3HITHITHITHIT&workerId={worker()}&turkSubmitTo=https://www.mturk.com"
    path = f"/crowd/mturk/project/main/?{ids}&assignmentId="

    found = faults(page, path + "ASSIGNMENT_ID_NOT_AVAILABLE") + faults(page, path + "3ASSIGNMENT1")
    answer_all(arrive(study))

    assert found + faults(page, path + "3ASSIGNMENT1") == []


def test_the_ledger_of_a_running_project(open_browser, user):
    study = make_study()
    arrive(study)
    line = {"lines": f"{pid()},1.50", "currency": "GBP", "reason": "Well done"}
    plan_bonuses(study=study, actor=user, now=NOON, **line)
    add_member(project=study.project, user=user, role=Membership.Role.MANAGER)
    page = open_browser(user, viewport=PHONE).new_page()

    assert faults(page, f"/projects/project/recruiting/studies/{study.pk}/bonuses/") == []
    page.get_by_role("button", name="Cancel bonus").click()
    expect(page.get_by_text("1.50 GBP")).to_have_count(0)
