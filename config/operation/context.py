"""What the log names with every line: the ID of the request, and the background task."""

import re
from contextvars import ContextVar
from uuid import uuid4

HEADER = "X-Request-ID"
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
TASK: ContextVar[str] = ContextVar("task", default="")
# As proxies make them: UUIDs and other hexadecimal numbers. Nothing else, since the log must hold nothing personal.
ACCEPTED = re.compile(r"[0-9A-Fa-f-]{16,64}")


def request_id(received: str | None) -> str:
    """Return the ID that a proxy sent with a request, or a new one if it sent none or one of another form."""
    return received if received and ACCEPTED.fullmatch(received) else uuid4().hex
