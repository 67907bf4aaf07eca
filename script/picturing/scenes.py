"""What each picture shows, and how one gets there."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page, ViewportSize, expect

WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
MARGIN = 24  # pixels above the heading that a picture begins at
MEASURING = 90_000  # milliseconds within which the worker has measured a round, or drawn the figures of a run


@dataclass(frozen=True)
class Scene:
    """One picture: who looks, through which window, and what is done before it is taken."""

    name: str
    account: str
    show: Callable[[Page], None]
    phone: bool = False
    widest: int = 960  # pixels of the picture: a README shows it smaller still

    @property
    def viewport(self) -> ViewportSize:
        return PHONE if self.phone else WIDE


def rating(page: Page) -> None:
    """The second pair, with a value on the slider."""
    page.locator(".card", has_text="Everyday sentences").get_by_role("link").first.click()
    agree(page)
    expect(page.get_by_role("slider")).to_be_visible()
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("2 of 2")
    page.keyboard.type("3.4")


def best_worst(page: Page) -> None:
    """Pairs on a phone, the most and the least related chosen."""
    join(page, "related")
    page.locator("[data-index='1'] [data-mark=best]").tap()
    page.locator("[data-index='3'] [data-mark=worst]").tap()
    page.evaluate("window.scrollTo(0, 0)")


def selecting(page: Page) -> None:
    """An incident in Czech: two sentences of the reports are chosen and rated."""
    join(page, "vyber")
    expect(page.get_by_role("slider").first).to_be_visible()
    page.locator(".reports [data-sentence] > p").first.focus()
    for keys in (("a", "5"), ("ArrowDown", "b", "1")):
        for key in keys:
            page.keyboard.press(key)
    page.evaluate("window.scrollTo(0, 0)")


def watching(page: Page) -> None:
    """A round on its way, as soon as the worker has measured it."""
    page.goto("/projects/definitions/watch/")
    expect(page.get_by_text(re.compile("annotators? needs? review")).first).to_be_visible(timeout=MEASURING)
    expect(page.get_by_text("No worker is running")).to_have_count(0, timeout=MEASURING)
    begin_at(page, "Progress")


def report(page: Page) -> None:
    """The results of a run, laid out as in a paper, as soon as its figures are drawn."""
    page.goto("/projects/definitions/runs/1/")
    expect(page.locator("figure img").first).to_be_visible(timeout=MEASURING)
    begin_at(page, "Scores")


def new_project(page: Page) -> None:
    """The presets, each with what it does and costs."""
    page.goto("/projects/new/")
    begin_at(page, "New project")


def form(page: Page) -> None:
    """A new project of the guide: its title, its labels and its first numbers."""
    page.goto("/projects/new/semrel/")
    fill_guide(page)
    begin_at(page, "Project")


def first_steps(page: Page) -> None:
    """A new project with its five steps, as soon as its sample is imported."""
    guided(page)
    page.goto("/projects/related-news/")
    page.evaluate("window.scrollTo(0, 120)")


def imported(page: Page) -> None:
    """The import of the sample, with its first rows and the way back."""
    guided(page)
    page.goto("/projects/related-news/import/")
    page.get_by_role("link", name="pairs.csv").first.click()


def steps(page: Page) -> None:
    """What is left to do before the launch."""
    guided(page)
    page.goto("/projects/related-news/setup/")


def links(page: Page) -> None:
    """The links to a round that is on its way."""
    page.goto("/projects/definitions/recruiting/")


def people(page: Page) -> None:
    """Annotators with flags, first those who need review."""
    page.goto("/projects/definitions/watch/")
    expect(page.get_by_text(re.compile("annotators? needs? review")).first).to_be_visible(timeout=MEASURING)
    page.goto("/projects/definitions/people/?only=attention")
    page.evaluate("window.scrollTo(0, 180)")


def guided(page: Page) -> None:
    """Creates the project of the guide with its sample, unless an earlier picture has."""
    page.goto("/projects/related-news/")
    if page.get_by_role("heading", name="Related news").count():
        return
    page.goto("/projects/new/semrel/")
    fill_guide(page)
    page.get_by_role("button", name="Create project").click()
    page.goto("/projects/related-news/import/")
    page.get_by_role("button", name="Load the sample").click()
    expect(page.get_by_role("link", name="Undo this import")).to_be_visible(timeout=MEASURING)


def fill_guide(page: Page) -> None:
    page.get_by_label("Title").fill("Related news")
    page.get_by_label("Language of the texts").fill("en")


def join(page: Page, project: str) -> None:
    """Follows the link to the first round, as whoever gets it does."""
    page.goto(f"/projects/{project}/")
    page.goto(page.get_by_label("Invitation").first.input_value())
    page.get_by_role("button", name="Join").click()
    agree(page)


def agree(page: Page) -> None:
    page.get_by_role("button", name="Agree and start").click()


def begin_at(page: Page, heading: str) -> None:
    """Scrolls until the heading stands just below the upper edge."""
    place = page.get_by_role("heading", name=heading, exact=True)
    place.evaluate(f"one => window.scrollBy(0, one.getBoundingClientRect().top - {MARGIN})")


SCENES = (
    Scene("rating", "annotator", rating),
    Scene("best-worst", "manager", best_worst, phone=True),
    Scene("selecting", "manager", selecting),
    Scene("watching", "manager", watching),
    Scene("report", "manager", report),
    Scene("new-project", "manager", new_project),
    *(
        Scene(f"guide-{name}", "manager", show, widest=WIDE["width"])
        for name, show in (
            ("form", form),
            ("first-steps", first_steps),
            ("import", imported),
            ("steps", steps),
            ("links", links),
            ("people", people),
        )
    ),
)
