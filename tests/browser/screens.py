"""What a person does on the screens, by mouse, keyboard and finger."""

import re

from playwright.sync_api import Locator, Page, expect

from annotation.models import Judgment, Participation


def slider(page: Page, name: str | None = None) -> Locator:
    return page.get_by_role("slider", name=re.compile(name)) if name else page.get_by_role("slider")


def go_on(page: Page) -> Locator:
    return page.get_by_role("button", name="Next")


def place_of(page: Page) -> str:
    return page.locator("h1").inner_text()


def press_at(line: Locator, share: float, *, tap: bool = False) -> None:
    """Clicks or taps the line at a share of its length."""
    line.scroll_into_view_if_needed()
    box = line.locator(".slider-line").bounding_box()
    outer = line.bounding_box()
    position = {"x": box["x"] - outer["x"] + share * box["width"], "y": outer["height"] / 2}
    if tap:
        line.tap(position=position)
    else:
        line.click(position=position)


def rate(page: Page, *keys: str) -> None:
    """Rates the present screen with digit keys and goes on with Enter; waits for the next screen."""
    page.wait_for_load_state()  # keys are heard by a script
    present = page.locator("input[name=assignment]").get_attribute("value")
    for key in keys:
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(page.locator(f"input[name=assignment][value='{present}']")).to_have_count(0)


def rate_all(page: Page, number: int, key: str = "3") -> None:
    for _ in range(number):
        rate(page, key)


def values(participation: Participation) -> list[float]:
    """The current values of a participation in the order of its screens."""
    rows = Judgment.objects.filter(assignment__participation=participation, superseded_at__isnull=True)
    ordered = rows.order_by("assignment__session", "assignment__position")
    return list(ordered.values_list("value", flat=True))
