"""People who send an answer again until it is confirmed, as the page's script does where it cannot reach the server."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException

from benchmarks.load.annotators import AS_HTMX, Annotator
from benchmarks.load.browsers import Page
from benchmarks.load.driving import NotAcknowledged
from benchmarks.load.screens import answer_to, fields_of

PATIENCE = 180.0  # seconds until an answer has to get through
PAUSE = 0.3  # between two tries
OVERLOADED = 429
SERVER_ERROR = 500


@dataclass
class Persistent:
    """A person behind a browser; see `benchmarks.load.driving.Person`."""

    annotator: Annotator

    def open(self) -> bool:
        self.annotator.page = self._tried(self._page)
        return bool(fields_of(self.annotator.page))

    def answer(self, chance: random.Random) -> tuple[str, str] | None:
        """Send the same answer with the same key until it is confirmed.

        Raises:
            NotAcknowledged: it was refused, or not confirmed in time.
        """
        fields = answer_to(self.annotator.page, chance)
        if not fields:
            return None
        self.annotator.page = self._tried(lambda: self._sent(fields))
        return fields["assignment"], fields["key"]

    def close(self) -> None:
        self.annotator.close()

    def _page(self) -> str | None:
        return self._text(self.annotator.browser.get(self.annotator.path))

    def _sent(self, fields: dict[str, str]) -> str | None:
        own = self.annotator
        page = own.browser.post(own.path, fields, Origin=own.public_url, **AS_HTMX)
        text = self._text(page)
        if text is not None and page.headers["X-Saved"] != fields["key"]:
            raise NotAcknowledged(f"{page.status} for an answer to {own.path}")
        return text

    def _text(self, page: Page) -> str | None:
        """Return the page, or None if the server is not itself."""
        if page.status >= SERVER_ERROR or page.status == OVERLOADED:
            return None
        if page.status != 200:
            raise NotAcknowledged(f"{page.status} at {self.annotator.path}")
        return page.text

    def _tried(self, request: Callable[[], str | None]) -> str:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                if (text := request()) is not None:
                    return text
            except (OSError, HTTPException):
                pass  # the server is gone; the connection is made anew
            self.annotator.close()
            time.sleep(PAUSE)
        raise NotAcknowledged(f"{self.annotator.path} could not submit an answer within {PATIENCE:.0f} s")
