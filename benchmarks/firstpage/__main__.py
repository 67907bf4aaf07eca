"""`python -m benchmarks.firstpage [--against FOLDER]`: time first pages and next screens, and print Markdown.

Serves the demo with `manage.py serve`; with --against, also that of another version, from the folder of its code.
"""

import argparse
import os
import platform
import shutil
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Browser, sync_playwright

from benchmarks.firstpage.browsing import cold_and_warm, next_screens, window
from benchmarks.firstpage.served import HERE, served

SCREENS = {
    "rating": "Everyday sentences, 0.0 to 4.0",
    "rating in context": "Zprávy z regionů: validation",
    "selection": "City news: selecting sentences",
    "best-worst": "Restaurant reviews: most and least positive",
    "practice": "Everyday pairs: most and least related",
}
TIMED = ("Everyday sentences, 0.0 to 4.0", "Definitions from computer science")
ANSWERS = 50
PASSWORD = "semblance-demo"
HEADING = """| version | page | requests | scripts | KB | first paint | ready | requests, warm | ready, warm |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.firstpage")
    parser.add_argument("--against", type=Path, help="compare with another version: the folder of its code")
    parser.add_argument("--port", type=int, default=8330)
    asked = parser.parse_args()
    versions = {"before": asked.against} if asked.against else {}
    chromium = os.environ.get("SEMBLANCE_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        print(f"{platform.system()}, {os.cpu_count()} cores, Chromium {browser.version}", end=", ")
        print(f"Network: 300 ms latency and 1.6 Mbit/s for pages, unlimited for next screens.\n\n{HEADING}", flush=True)
        waits = [measure(browser, name, code, asked.port) for name, code in {**versions, "now": HERE}.items()]
        print("\n" + "\n".join(waits))
        browser.close()


def measure(browser: Browser, name: str, code: Path, port: int) -> str:
    """Print the rows of one version, and return the line about its next screens."""
    with served(code, port) as url:
        show(browser, url, name, "sign in", "/account/login/")
        annotator, manager = (signed_in(browser, url, who) for who in ("annotator", "manager"))
        show(browser, url, name, "start", begin(browser, url, SCREENS["rating"], annotator, agree=False), annotator)
        for kind, title in SCREENS.items():
            show(browser, url, name, kind, begin(browser, url, title, annotator), annotator)
        show(browser, url, name, "progress page", "/projects/sentences/watch/", manager)
        return timed(browser, url, name, annotator)


def show(browser: Browser, url: str, name: str, kind: str, path: str, cookies: list | None = None) -> None:
    cold, warm = cold_and_warm(browser, url, path, cookies)
    cells = [name, kind, cold.requests, cold.scripts, f"{cold.bytes / 1000:.1f}"]
    cells += [f"{milliseconds / 1000:.2f} s" for milliseconds in (cold.painted, cold.ready)]
    print("|", " | ".join(str(cell) for cell in [*cells, warm.requests, f"{warm.ready / 1000:.2f} s"]), "|", flush=True)


def timed(browser: Browser, url: str, name: str, cookies: list) -> str:
    """Answer fifty ratings of two projects."""
    paths = [begin(browser, url, title, cookies) for title in TIMED]
    first = next_screens(browser, url, paths[0], cookies, 30)
    pages, waits = zip(*first, *next_screens(browser, url, paths[1], cookies, ANSWERS - len(first)), strict=True)
    line = f"{name}: from Enter to the next screen {median(pages):.1f} ms in the browser (median of {len(pages)}; "
    return line + (
        f"95th percentile {quantiles(pages, n=20)[-1]:.1f} ms), and {median(waits):.1f} ms waiting for the server"
    )


def signed_in(browser: Browser, url: str, who: str) -> list:
    """Sign in to an account of the demo, and return the cookies."""
    with window(browser, url) as page:
        page.goto("/account/login/")
        page.fill("input[name=login]", f"{who}@example.org")
        page.fill("input[name=password]", PASSWORD)
        page.press("input[name=password]", "Enter")
        page.wait_for_url(url + "/")
        return page.context.cookies()


def begin(browser: Browser, url: str, title: str, cookies: list, *, agree: bool = True) -> str:
    """Go to a place from the start page, agree to take part where that is asked, and return its path."""
    with window(browser, url, cookies) as page:
        page.goto("/")
        page.locator("li.card", has_text=title).locator("a.button").first.click()
        page.wait_for_url("**/my-work/**")
        if agree and page.locator("form[action$='/consent/']").count():
            page.locator("form[action$='/consent/'] button").click()
            page.wait_for_load_state("networkidle")
        return page.url.removeprefix(url)


main()
