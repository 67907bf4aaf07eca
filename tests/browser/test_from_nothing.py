"""From an empty folder to a downloaded release, as people do it in a browser: nobody types a command after `serve`."""

import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import PHONE, WIDE, violations
from tests.browser.managing import open_page
from tests.browser.screens import rate_all
from tests.config.surroundings import ROOT, clean_environment

pytestmark = pytest.mark.slow
INCIDENTS = ROOT / "annotation" / "presets" / "czech_news" / "demo" / "incidents-cs.jsonl"
PASSWORD = "not a secret 1"
CLICKS = 8  # Chromium takes more than ten downloads in one second for an attack
SECONDS = 60  # for what a worker does
PAIRS = """id,sentence1,sentence2
a,A dog runs over the meadow.,A dog is running across a field.
b,The woman reads a newspaper.,A woman reads the paper.
c,It rains in the mountains.,The sun shines at the sea.
d,He has bought a car.,Her house is made of wood.
e,Two boys play football.,Children play a game with a ball.
f,The train was late.,The bus came too late.
"""
TEXTS = """id,text,language,topic
a,delighted,,people
b,It could be worse.,,
c,سعيد,ar,people
d,Not again!,,
e,a rainy Monday,,weather
f,furious,,people
"""
FEW = {"main.factor": 1, "main.people": 2}
POSITIVE = {
    "question": "Which of these texts is the most positive, and which is the least positive?",
    "main.best": "most positive",
    "main.worst": "least positive",
}
PARTS = ("train.csv", "dev.csv", "test.csv")  # of scores that are always split
COMPARED = {
    "semrel": ("Best and worst of several pairs", FEW, PAIRS, "Comparing pairs", 6),
    "best_worst": ("Best and worst of several texts", FEW | POSITIVE, TEXTS, "Comparing texts", 0),
}
NEWS = {"R1.incidents": 1, "R2.tuples": 1, "R3.annotators": 1, "R3.tuples": 2, "R3.stack_size": 1, "R3.intra": 1}
Visit = Callable[..., Page]


@pytest.fixture(scope="module")
def log(tmp_path_factory) -> Path:
    """What the server prints."""
    return tmp_path_factory.mktemp("log") / "serve.log"


@pytest.fixture(scope="module")
def url(request, log: Path, tmp_path_factory) -> Iterator[str]:
    """The address of a server with its worker, on a folder of its own that was empty; or of the site that is given."""
    if site := request.config.getoption("--site"):
        yield site
        return
    folder = tmp_path_factory.mktemp("nothing")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with log.open("w") as printed:
        environment = clean_environment(DATA_DIR=folder / "data", PYTHONWARNINGS="ignore")
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=printed, stderr=printed)
    try:
        wait_for(f"http://localhost:{port}", process, log)
        yield f"http://localhost:{port}"
    finally:
        process.terminate()
        process.wait(30)


def wait_for(url: str, process: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + 2 * SECONDS
    while True:
        try:
            with urlopen(url):
                if "Semblance is running at" in log.read_text():
                    return
        except URLError:
            assert process.poll() is None and time.monotonic() < deadline, log.read_text()
            time.sleep(0.2)


@pytest.fixture(scope="module")
def visit(chromium: Browser, url: str) -> Iterator[Visit]:
    """Opens a browser of somebody who was never there; no page that anybody sees may fail."""
    contexts: list[BrowserContext] = []
    failed: list[str] = []

    def open_one(path: str = "/", **options: object) -> Page:
        # A site that is given may have signed its address itself.
        context = chromium.new_context(**{"viewport": WIDE, "base_url": url, "ignore_https_errors": True} | options)
        context.set_default_timeout(SECONDS * 1000)
        context.on("response", lambda response: failed.append(response.url) if response.status >= 500 else None)
        contexts.append(context)
        page = context.new_page()
        page.goto(path)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert failed == []


@pytest.fixture(scope="module")
def manager(request, visit: Visit, log: Path) -> Page:
    """Whoever signs up with the link that the server printed, and so administers the installation."""
    if code := request.config.getoption("--setup-code"):
        page = visit()
        page.get_by_role("link", name="Sign up").first.click()
        page.get_by_label("Setup code").fill(code)
    else:
        page = visit(next(line for line in log.read_text().splitlines() if "?setup_code=" in line))
        expect(page.get_by_text("This is the first account")).to_be_visible()
    page.get_by_label("Email").fill("manager@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password again").fill(PASSWORD)
    with page.expect_navigation():
        page.get_by_role("button", name="Sign Up").click()
    return page


# what the manager does


def make_project(page: Page, choice: str, title: str, **numbers: object) -> None:
    page.goto("/projects/")
    page.get_by_role("link", name="New project").click()
    page.get_by_role("link", name=choice).click()
    page.get_by_label("Title").fill(title)
    for name, value in numbers.items():
        page.locator(f"[name='{name}']").fill(str(value))
    page.get_by_role("button", name="Create project").click()


def bring_in(page: Page, name: str, content: str, number: int) -> None:
    page.locator("ol.steps").get_by_role("link", name="Texts").click()
    sent = {"name": name, "mimeType": "text/plain", "buffer": content.encode()}
    page.get_by_label("File", exact=True).set_input_files(sent)
    page.get_by_role("button", name="Import").click()
    page.get_by_role("button", name="Import without changes").click()  # the texts are checked first
    expect(page.get_by_text(re.compile(rf"^{number} \w+ imported\.$"))).to_be_visible(timeout=SECONDS * 1000)


def plan(page: Page, round_key: str = "") -> None:
    open_page(page, "Set up", "Plans")
    if round_key:
        page.get_by_label("Round").select_option(round_key)
    page.get_by_role("button", name="Plan round").click()
    expect(page.get_by_text("Planned.", exact=True)).to_be_visible(timeout=SECONDS * 1000)


def launch(page: Page) -> None:
    page.get_by_role("main").get_by_role("link", name="Back to setup").click()
    page.get_by_role("link", name="Launch the project").click()
    page.get_by_role("button", name="Launch the project").click()
    expect(page.get_by_text("The protocol can no longer be changed")).to_be_visible()


def recruit(page: Page, *titles: str) -> list[str]:
    """The links to these rounds; whoever has one needs no address."""
    page.get_by_role("main").get_by_role("link", name="Recruit annotators").last.click()
    page.get_by_label("Allow people to join without an email address").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    return [page.get_by_label(f"Link to {title}").input_value() for title in titles]


def end_every_pause(page: Page) -> None:
    open_page(page, "Monitor")
    page.get_by_role("link", name="Resting: 3").click()
    links = page.locator("tbody th a")
    expect(links).to_have_count(3)
    for person in [link.get_attribute("href") for link in links.all()]:
        page.goto(person)
        page.get_by_role("link", name="Shorten the pause").click()
        page.get_by_label("Reason").fill("The machine is needed elsewhere.")
        page.get_by_role("button", name="Shorten the pause").click()
        expect(page.get_by_text("The pause has been shortened.")).to_be_visible()


def report(page: Page) -> str:
    """The methods paragraphs of a run."""
    open_page(page, "Results")
    page.get_by_role("button", name="Compute now").click()
    expect(page.get_by_role("heading", name="Methods")).to_be_visible(timeout=SECONDS * 1000)
    assert violations(page) == []
    return page.locator("main").inner_text()


def release(page: Page, folder: Path) -> dict[str, int]:
    """Downloads every file of a release and checks it; the numbers of rows."""
    open_page(page, "Results", "Releases")
    page.get_by_label("Licence").fill("CC-BY-4.0")
    page.get_by_role("button", name="Create release").click()
    files = page.locator("a[href*='/files/']")
    expect(files.first).to_be_visible(timeout=SECONDS * 1000)
    assert violations(page) == []
    for number, link in enumerate(files.all()):
        address = link.get_attribute("href")
        path = folder / address.split("/files/")[1]
        path.parent.mkdir(exist_ok=True)
        if number < CLICKS:
            with page.expect_download() as download:
                link.click()
            download.value.save_as(path)
        else:
            path.write_bytes(page.request.get(address).body())
    manifest = json.loads((folder / "manifest.json").read_text())
    for name, file in manifest["files"].items():
        assert sha256((folder / name).read_bytes()).hexdigest() == file["sha256"]
    assert {str(path.relative_to(folder)) for path in folder.rglob("*.*")} == {*manifest["files"], "manifest.json"}
    return {name: file["rows"] for name, file in manifest["files"].items() if file.get("rows") is not None}


def close(page: Page) -> None:
    open_page(page, "Set up")
    page.get_by_text("Close the project").click()
    page.get_by_label("Reason (optional").fill("All is there.")
    page.get_by_role("button", name="Close project", exact=True).click()
    expect(page.get_by_text("The project is closed.").first).to_be_visible()


# what other people do


def begin(page: Page) -> Page:
    page.get_by_role("button", name="Start without an email").click()
    page.get_by_role("button", name="Agree and start").click()
    return page


def compare_all(page: Page, best: int, worst: int) -> None:
    page.wait_for_load_state()  # keys are heard by a script
    for number in range(1, 7):
        expect(page.locator("h1")).to_contain_text(f"{number} of 6")
        page.keyboard.press(str(best))
        page.keyboard.press(f"Shift+Digit{worst}")
        page.keyboard.press("Enter")
    finished(page)


def select_all(page: Page, number: int) -> None:
    """Three sentences of the reports for each of the summary, rated as one would expect it."""
    for sentence in range(number):
        page.wait_for_load_state()
        expect(page.locator("h1")).to_contain_text(f"Sentence {sentence + 1} of {number}")
        page.locator(".reports [data-sentence] > p").nth(2 * sentence).focus()
        for letter, digit in (("a", "6"), ("b", "3"), ("c", "0")):
            page.keyboard.press(letter)
            page.keyboard.press(digit)
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Control+Enter")
    finished(page)


def finished(page: Page) -> None:
    expect(page.get_by_text("Completion code").first).to_be_visible()


# the whole way


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("choice", "changes", "content", "title", "split"),
    [pytest.param(*COMPARED["semrel"], marks=pytest.mark.thorough), COMPARED["best_worst"]],
    ids=COMPARED,
)
def test_best_and_worst(manager, visit, tmp_path, choice, changes, content, title, split):
    make_project(manager, choice, f"Six: {title}", **changes)
    expect(manager.get_by_role("button", name="Launch the project")).to_be_disabled()
    bring_in(manager, "items.csv", content, 6)
    plan(manager)
    launch(manager)
    (link,) = recruit(manager, title)

    first = begin(visit(link))
    expect(first.locator(".marks label").first).to_contain_text(changes.get("main.best", "most related"))
    compare_all(first, best=1, worst=4)
    compare_all(begin(visit(link, viewport=PHONE)), best=1, worst=4)

    open_page(manager, "Monitor")
    expect(manager.get_by_role("link", name="Finished: 2")).to_be_visible()
    assert violations(manager) == []
    assert "There are 12 best-worst choices; all of them count." in report(manager)
    rows = release(manager, tmp_path)
    assert (rows["items.csv"], rows["judgments.csv"], rows["scores.csv"]) == (6, 12, 6)
    assert sum(rows.get(part, 0) for part in PARTS) == split
    close(manager)
    expect(visit(link).get_by_text("not accepting more people")).to_be_visible()


def test_rating(manager, visit, tmp_path):
    numbers = {"scale.maximum": 1, "main.ratings": 2, "question": "Is it the same?"}
    labels = {"label.lowest": "no", "label.highest": "yes"}
    make_project(manager, "Pairs rated on any scale", "Same or not", **numbers, **labels)
    bring_in(manager, "pairs.csv", PAIRS, 6)
    plan(manager)
    launch(manager)
    (link,) = recruit(manager, "Rating")

    for options, key in (({}, "1"), ({"viewport": PHONE}, "0")):
        page = begin(visit(link, **options))
        expect(page.get_by_text("Is it the same?")).to_be_visible()
        rate_all(page, 5, key)
        rate_all(page, 1, "1")
        finished(page)

    methods = report(manager)
    assert "collected with Semblance" in methods and "0 = “no”, 1 = “yes”" in methods
    rows = release(manager, tmp_path)
    assert (rows["items.csv"], rows["judgments.csv"], rows["scores.csv"]) == (6, 12, 6)
    close(manager)


@pytest.mark.thorough
def test_czech_news(manager, visit, tmp_path):
    incident = json.loads(INCIDENTS.read_text().splitlines()[0])
    numbers = NEWS | {"R3.calibration": "0,3,6"}
    make_project(manager, "News sentences selected, then validated", "Small news", **numbers)
    bring_in(manager, "incidents.jsonl", json.dumps(incident), 1)
    plan(manager)
    launch(manager)
    selection, exploration, validation = recruit(manager, "Selection", "Exploration", "Validation")
    select_all(begin(visit(selection)), len(incident["summary"]))

    plan(manager, "R2")
    people = [begin(visit(exploration)) for _ in range(3)]
    for page in people:
        rate_all(page, 1, "2")
        page.get_by_role("button", name="Start next session now").click()
        rate_all(page, 1, "4")
        finished(page)

    plan(manager, "R3")
    for page, key in zip(people, "125", strict=True):
        page.goto(validation)
        page.get_by_role("button", name="Agree and start").click()
        rate_all(page, 3 + 2 + 1, key)
        expect(page.get_by_text("Next session opens", exact=True)).to_be_visible()
    end_every_pause(manager)
    for page in people:
        page.reload()
        page.get_by_role("button", name="Start next session").click()
        rate_all(page, 3 + 2 + 1, "4")
        finished(page)

    assert "3 annotators took part in R3: 3 finished." in report(manager)
    rows = release(manager, tmp_path)
    pairs = 3 * len(incident["summary"])
    assert (rows["test-free.tsv"], rows["test-dep.tsv"]) == (6, 6)
    assert 0 < rows["train-N1.tsv"] <= rows["train-N2.tsv"] <= rows["train-RAW.tsv"] < pairs - 6
    close(manager)
