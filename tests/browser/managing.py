"""What a manager does on pages, for several test modules."""

from pathlib import Path

from playwright.sync_api import Page

from annotation.domain.project.creation import add_member
from annotation.models import Membership, Project, User

HOME = "/projects/project/"


def of_boss(project: Project, boss: User) -> Project:
    add_member(project=project, user=boss, role=Membership.Role.OWNER)
    return project


def press(page: Page, name: str) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).click()


def follow(page: Page, name: str) -> None:
    with page.expect_navigation():
        page.get_by_role("link", name=name, exact=True).click()


def open_page(page: Page, place: str, name: str = "") -> None:
    """Go to a page of one of the places of a project; without a name to the first."""
    with page.expect_navigation():
        page.get_by_role("navigation", name="Project").get_by_role("link", name=place, exact=True).click()
    if name:
        with page.expect_navigation():
            page.get_by_role("navigation", name=place, exact=True).get_by_role("link", name=name, exact=True).click()


def logged(page: Page, path: str = f"{HOME}log/") -> list[tuple[str, str]]:
    """What the log shows, the latest last, each with its reason."""
    page.goto(path)
    rows = page.get_by_role("table").locator("tbody tr").all()
    told = [(row.locator("td").nth(1).locator("summary, strong"), row.locator("td").last) for row in rows]
    return [(what.inner_text(), reason.inner_text()) for what, reason in reversed(told)]


def downloaded(page: Page, link: str) -> Path:
    with page.expect_download() as download:
        page.get_by_role("link", name=link).click()
    return Path(download.value.path())
