"""A browser without a window: one connection that is kept alive, and cookies.

It costs little, because it shares the processors with the server that is measured.
"""

import gzip
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPMessage, HTTPSConnection, RemoteDisconnected
from urllib.parse import urlencode, urlsplit

PATIENCE = 60.0  # seconds for one answer
FORM = "application/x-www-form-urlencoded"
COOKIE = re.compile(r"([^=;\s]+)=([^;]*)")
CLOSED = (RemoteDisconnected, ConnectionResetError, BrokenPipeError)
REDIRECTS = {301, 302, 303}


@dataclass(frozen=True)
class Page:
    status: int
    headers: HTTPMessage
    text: str


@dataclass
class Browser:
    """A person's browser.

    Parameters: url, where it connects; headers, sent with each request; cookies, those that it has from earlier.
    """

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)
    resent: int = 0
    """Requests sent again because the server had closed the idle connection."""

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme == "https":
            self.connection: HTTPConnection = HTTPSConnection(
                parts.hostname or "", parts.port, timeout=PATIENCE, context=_unchecked()
            )
        else:
            self.connection = HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE)

    def get(self, path: str, **headers: str) -> Page:
        return self._followed(self._request("GET", path, None, headers), headers)

    def post(self, path: str, fields: Mapping[str, str] | bytes, **headers: str) -> Page:
        """Send a form, or bytes of the type named in the headers, and return the page to which the answer leads."""
        body = fields if isinstance(fields, bytes) else urlencode(fields).encode()
        page = self._request("POST", path, body, {"Content-Type": FORM} | headers)
        return self._followed(page, headers)

    def send(self, method: str, path: str, body: bytes, **headers: str) -> Page:
        return self._request(method, path, body, headers)

    def close(self) -> None:
        self.connection.close()

    def _followed(self, page: Page, headers: Mapping[str, str]) -> Page:
        while page.status in REDIRECTS:
            place = urlsplit(page.headers["Location"])
            page = self._request("GET", place.path + (f"?{place.query}" if place.query else ""), None, headers)
        return page

    def _request(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Page:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        own = {"Cookie": cookies} if cookies else {}
        sent = {"Accept-Encoding": "gzip", **self.headers, **own, **headers}
        try:
            self.connection.request(method, path, body, sent)
            response = self.connection.getresponse()
        except CLOSED:
            self.resent += 1
            self.connection.close()
            self.connection.request(method, path, body, sent)
            response = self.connection.getresponse()
        content = response.read()
        for line in response.headers.get_all("Set-Cookie", ()):
            if found := COOKIE.match(line):
                self.cookies[found[1]] = found[2]
        if response.headers.get("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        return Page(response.status, response.headers, content.decode())


def _unchecked() -> ssl.SSLContext:
    """Return a context that takes the certificate which the proxy signed for this machine itself."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
