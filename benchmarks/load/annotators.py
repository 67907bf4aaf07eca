"""People of Semblance: signed in, with a place, sending what the page's own script sends."""

import random
from dataclasses import dataclass, field

from benchmarks.load.browsers import Browser
from benchmarks.load.driving import NotAcknowledged
from benchmarks.load.screens import answer_to, fields_of

AS_HTMX = {"HX-Request": "true", "HX-Target": "screen"}


@dataclass
class Annotator:
    """Somebody with the cookie of a session and a place in a round."""

    url: str
    public_url: str
    """What their address bar shows: requests name it as their origin."""
    path: str
    session: tuple[str, str]
    forwarded: bool = False
    """Whether this browser says what a proxy would say, because there is none."""
    page: str = ""
    browser: Browser = field(init=False)

    def __post_init__(self) -> None:
        headers = {"Referer": f"{self.public_url}{self.path}", "User-Agent": "benchmark"}
        if self.forwarded:
            scheme, _, host = self.public_url.partition("://")
            headers |= {"Host": host, "X-Forwarded-Proto": scheme, "X-Forwarded-For": "127.0.0.1"}
        self.browser = Browser(self.url, headers, dict([self.session]))

    def open(self) -> bool:
        self.page = self.browser.get(self.path).text
        return bool(fields_of(self.page))

    def answer(self, chance: random.Random) -> tuple[str, str] | None:
        """Answer the screen and return its assignment and the answer's key, as the server confirms it.

        Raises:
            NotAcknowledged: it did not.
        """
        fields = answer_to(self.page, chance)
        if not fields:
            return None
        page = self.browser.post(self.path, fields, Origin=self.public_url, **AS_HTMX)
        if page.status != 200 or page.headers["X-Saved"] != fields["key"]:
            raise NotAcknowledged(f"{page.status} for an answer to {self.path}")
        self.page = page.text
        return fields["assignment"], fields["key"]

    def close(self) -> None:
        self.browser.close()
