"""A request as it arrives: how much of it there is, and how much is still to come."""

import re
import tempfile
from urllib.parse import unquote, urlsplit

from config.serving.limits import most_bytes

MOST_OF_HEADERS = 64 * 1024  # bytes
KEPT_IN_MEMORY = 256 * 1024  # bytes; the rest of a longer request waits in a file
FOR_HEADERS = 10.0  # seconds
SLOWEST = 20 * 1024  # bytes in a second, of a body
END = b"\r\n\r\n"
LENGTH = re.compile(rb"\r\ncontent-length[ \t]*:[ \t]*([^\r]*?)[ \t]*(?=\r)", re.IGNORECASE)
DIGITS = re.compile(rb"\d{1,15}")
CHUNKED = re.compile(rb"\r\ntransfer-encoding[ \t]*:", re.IGNORECASE)
KNOWN = re.compile(rb"\r\n(authorization:|cookie:[^\r]*\bsessionid=)", re.IGNORECASE)  # with or without a prefix
HOST = re.compile(rb"\r\nhost[ \t]*:", re.IGNORECASE)
CONTINUE = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*\r\n", re.IGNORECASE)


class NotTaken(Exception):
    """A request that is refused before its body is read; its argument is the status."""


class Incoming:
    """The bytes of one request. Only what decides when it is whole is read here; the server's parser reads the rest."""

    def __init__(self, now: float) -> None:
        self.kept = tempfile.SpooledTemporaryFile(max_size=KEPT_IN_MEMORY)  # noqa: SIM115 closed with the request
        self.head = b""
        self.received, self.whole = 0, 0  # whole: its length, known when all headers are there
        self.surplus = b""
        self.deadline = now + FOR_HEADERS
        self.wants_to_be_asked = False

    @property
    def is_whole(self) -> bool:
        return 0 < self.whole <= self.received

    def take(self, data: bytes, now: float) -> None:
        """Add bytes. Raise NotTaken for a request that is too large, or whose length is not told."""
        if not self.whole:
            before = len(self.head)
            self.head += data
            end = self.head.find(END, max(before - len(END), 0))
            if end < 0 and len(self.head) > MOST_OF_HEADERS:
                raise NotTaken(431)
            if end < 0:
                return
            data, self.head = self.head, self.head[: end + len(END)]
            self._plan(now)
        missing = self.whole - self.received
        self.kept.write(data[:missing])
        self.received += len(data[:missing])
        self.surplus += data[missing:]

    def _plan(self, now: float) -> None:
        """Find out from the headers how long the request is. Where they are faulty, the parser says so."""
        if self.head.startswith(b"TRACE "):
            raise NotTaken(405)
        if CHUNKED.search(self.head):
            raise NotTaken(411)
        lengths = LENGTH.findall(self.head)
        if len(lengths) > 1 or not all(map(DIGITS.fullmatch, lengths)):  # the parser could find another end than we
            raise NotTaken(400)
        length = int(lengths[0]) if lengths else 0
        words = self.head.split(b"\r\n", 1)[0].split(b" ")
        if words[-1] == b"HTTP/1.1" and len(HOST.findall(self.head)) != 1:  # RFC 9112, section 3.2
            raise NotTaken(400)
        path = unquote(urlsplit(words[1].decode("latin-1")).path) if len(words) == 3 else ""
        known = KNOWN.search(self.head) is not None
        if length > most_bytes(path, known=known):
            raise NotTaken(413)
        self.whole = len(self.head) + length
        self.deadline = now + FOR_HEADERS + length / SLOWEST
        self.wants_to_be_asked = length > 0 and bool(CONTINUE.search(self.head))

    def rewind(self) -> None:
        self.kept.seek(0)

    def close(self) -> None:
        self.kept.close()
