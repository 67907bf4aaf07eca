"""The pictures of the README and docs/: a demo with some life in it, its main screens, and the size of each picture."""

import base64
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from browser import find_browser
from playwright.sync_api import BrowserContext, Page, sync_playwright
from scenes import SCENES, Scene
from served import served_demo

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
PASSWORD = "semblance-demo"
LARGEST = 60_000  # bytes of a picture
QUALITIES = (80, 70, 60, 50)
MILLISECONDS = 30_000  # before the browser gives up waiting for something
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


def main(names: list[str]) -> int:
    if unknown := set(names) - {scene.name for scene in SCENES}:
        print(f"Unknown pictures: {', '.join(sorted(unknown))}.", file=sys.stderr)
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    chromium = find_browser()
    with tempfile.TemporaryDirectory() as data, served_demo(Path(data)) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium or None, args=ARGUMENTS)
        for scene in SCENES:
            if names and scene.name not in names:
                continue
            with window(browser.new_context(**window_of(scene, url))) as page:
                sign_in(page, scene.account)
                scene.show(page)
                size = take(page, FOLDER / f"{scene.name}.webp", scene.widest)
            print(f"{scene.name:18}{size:8} bytes", flush=True)
        browser.close()
    return 0


def window_of(scene: Scene, url: str) -> dict:
    """Light, English, without movement, and always of the same zone: as alike as can be from time to time."""
    look = {"color_scheme": "light", "reduced_motion": "reduce", "locale": "en-GB", "timezone_id": "UTC"}
    return {"base_url": url, "viewport": scene.viewport, "has_touch": scene.phone, "is_mobile": scene.phone} | look


@contextmanager
def window(context: BrowserContext) -> Iterator[Page]:
    context.set_default_timeout(MILLISECONDS)
    try:
        yield context.new_page()
    finally:
        context.close()


def sign_in(page: Page, account: str) -> None:
    page.goto("/account/login/")
    page.locator("input[name=login]").fill(f"{account}@example.org")
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main form button.first, main form button[type=submit]").first.click()
    page.wait_for_url("**/")


def take(page: Page, path: Path, widest: int) -> int:
    """Stores what the window shows, in the best quality that is small enough; how many bytes that are."""
    page.evaluate("Promise.all([document.fonts.ready, ...[...document.images].map(one => one.decode())])")
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    top = page.evaluate("window.scrollY")
    clip = {"x": 0, "y": top, "width": width, "height": height, "scale": min(1, widest / width)}
    chromium = page.context.new_cdp_session(page)
    for quality in QUALITIES:
        answer = chromium.send("Page.captureScreenshot", {"format": "webp", "quality": quality, "clip": clip})
        picture = base64.b64decode(answer["data"])
        if len(picture) <= LARGEST:
            break
    else:
        raise SystemExit(f"{path.name} has {len(picture)} bytes, and {LARGEST} is the most: show less of the page.")
    path.write_bytes(picture)
    return len(picture)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
