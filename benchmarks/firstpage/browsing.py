"""What a browser measures: a page on a slow line, and the time from Enter to the next screen."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Browser, CDPSession, Page

SLOW = {"offline": False, "latency": 300, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}
WIDE = {"width": 1280, "height": 800}
READY = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return { painted: paint?.startTime ?? 0, ready: page.loadEventEnd };
}"""
# In the page: from the key to the frame that shows the next screen, and how much of it the server took.
TIMED = """() => {
  let pressed = 0;
  window.screens = [];
  document.addEventListener("keydown", (event) => { if (event.key === "Enter") pressed = event.timeStamp; }, true);
  document.addEventListener("htmx:load", ({ detail }) => {
    if (detail.elt.id !== "screen") return;
    requestAnimationFrame(() => setTimeout(() => {
      const sent = performance.getEntriesByType("resource").filter((each) => each.initiatorType === "xmlhttprequest");
      const request = sent.at(-1);
      const waited = request.responseEnd - request.startTime;
      window.screens.push({ whole: performance.now() - pressed, waited });
      performance.clearResourceTimings();
    }));
  });
}"""


@dataclass(frozen=True)
class Load:
    """One load of a page: requests and bytes on the line, milliseconds to the first paint and until it is ready."""

    requests: int
    scripts: int
    bytes: int
    painted: float
    ready: float


class Line:
    """Counts what goes over the line of a page."""

    def __init__(self, session: CDPSession) -> None:
        self.session, self.asked, self.bytes = session, {}, 0
        session.on("Network.requestWillBeSent", lambda event: self.asked.update({event["requestId"]: event["type"]}))
        session.on("Network.requestServedFromCache", lambda event: self.asked.pop(event["requestId"], None))
        session.on("Network.loadingFinished", self.finish)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", SLOW)

    def finish(self, event: dict) -> None:
        self.bytes += event["encodedDataLength"]
        if event["encodedDataLength"] == 0:
            self.asked.pop(event["requestId"], None)  # out of the browser's memory

    def clear(self) -> None:
        self.asked, self.bytes = {}, 0


@contextmanager
def window(browser: Browser, url: str, cookies: list | None = None) -> Iterator[Page]:
    """A browser that has never been here, but for its cookies."""
    context = browser.new_context(viewport=WIDE, base_url=url)
    context.add_cookies(cookies or [])
    yield context.new_page()
    context.close()


def load(page: Page, line: Line, path: str) -> Load:
    """Load the page and wait until its line is quiet."""
    line.clear()
    page.goto(path, wait_until="networkidle")
    scripts = sum(type_ == "Script" for type_ in line.asked.values())
    return Load(len(line.asked), scripts, line.bytes, **page.evaluate(READY))


def cold_and_warm(browser: Browser, url: str, path: str, cookies: list | None) -> tuple[Load, Load]:
    """Load a page twice in a browser: with an empty cache, and then with what the first load left in it."""
    with window(browser, url, cookies) as page:
        line = Line(page.context.new_cdp_session(page))
        return load(page, line, path), load(page, line, path)


def next_screens(browser: Browser, url: str, path: str, cookies: list, number: int) -> list[tuple[float, float]]:
    """Rate screens by two keys each; milliseconds of each in the page, and of waiting for the server."""
    with window(browser, url, cookies) as page:
        page.goto(path, wait_until="networkidle")
        page.evaluate(TIMED)
        for done in range(1, number + 1):
            page.keyboard.press("1")
            page.keyboard.press("Enter")
            page.wait_for_function("done => window.screens.length >= done", arg=done)
        return [(one["whole"] - one["waited"], one["waited"]) for one in page.evaluate("window.screens")]
