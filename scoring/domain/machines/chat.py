"""The one call that models need: chat completions, as OpenAI documents them and other servers offer them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from scoring.domain.outgoing.requests import Response, Rules, Unreachable, post
from scoring.models import Machine

WHOLE = 180.0  # seconds: models on a small machine are slow
LONGEST = 1_000_000  # bytes of an answer that are read
PATH = "/chat/completions"
BUSY = {408, 409, 425, 429}
NO_MONEY = "insufficient_quota"
SAID = 300  # letters of what a server says about an error


class Busy(Exception):
    """The server could not answer now: too many requests, a fault of its own, or no connection.

    wait: seconds after which it wants to be asked again; None if it does not say.
    """

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


class Denied(Exception):
    """The server will not answer such a request, however often it is asked; the message says why."""


@dataclass(frozen=True)
class Reply:
    """What a server answered. Tokens are None if it reports none."""

    text: str
    model: str
    fingerprint: str
    prompt_tokens: int | None
    answer_tokens: int | None


def ask(machine: Machine, prompt: str, seed: int, now: datetime) -> Reply:
    """Send the instructions and a prompt to the model's server, once, and return its reply.

    Raises:
        Busy: another attempt may succeed. Denied: none will.
    """
    body = {
        "model": machine.model,
        "messages": [{"role": "system", "content": machine.instructions}, {"role": "user", "content": prompt}],
        "seed": seed,
        machine.token_limit: machine.max_tokens,
    }
    if machine.temperature is not None:
        body["temperature"] = machine.temperature
    headers = {"Content-Type": "application/json", "User-Agent": f"Semblance/{settings.CODE_VERSION}"}
    if machine.api_key:
        headers["Authorization"] = f"Bearer {machine.api_key}"
    try:
        response = post(machine.url.rstrip("/") + PATH, json.dumps(body).encode(), headers, rules())
    except Unreachable as error:
        raise Busy(str(error)) from error
    if response.status != 200:
        raise _failure(response, now)
    return _reply(response.body)


def rules() -> Rules:
    """Return the rules for the servers of models."""
    return Rules(settings.MODELS_AT_PRIVATE_ADDRESSES, WHOLE, WHOLE, LONGEST)


def _reply(body: bytes) -> Reply:
    try:
        found = json.loads(body)
        text = found["choices"][0]["message"].get("content")
        usage = found.get("usage") or {}
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise Denied(_("The server’s answer is not a chat completion. Check the URL.")) from error
    return Reply(
        text=text if isinstance(text, str) else "",
        model=str(found.get("model") or "")[:200],
        fingerprint=str(found.get("system_fingerprint") or "")[:200],
        prompt_tokens=_whole(usage, "prompt_tokens"),
        answer_tokens=_whole(usage, "completion_tokens"),
    )


def _whole(usage: Any, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31 else None


def _failure(response: Response, now: datetime) -> Busy | Denied:
    """Return the error of a status that is not 200, with what the server says about it."""
    said, code = _error(response.body)
    meaning = {
        401: _("The server does not accept the API key."),
        403: _("The API key is not allowed to use this model."),
        404: _("The server does not know this model, or the URL is wrong."),
        429: _("The server received too many requests."),
    }.get(response.status, _("The server refused the request."))
    reason = f"{meaning} ({response.status}{': ' if said else ''}{said})"
    if code == NO_MONEY or not (response.status in BUSY or response.status >= 500):
        return Denied(reason)
    return Busy(reason, _wait(response.headers.get("retry-after", ""), now))


def _error(body: bytes) -> tuple[str, str]:
    """Return the message and the code of an error, as far as there are any."""
    try:
        error = json.loads(body)["error"]
        return str(error.get("message") or "")[:SAID], str(error.get("code") or "")
    except (ValueError, KeyError, TypeError, AttributeError):
        return body.decode("utf-8", "replace").strip()[:SAID], ""


def _wait(written: str, now: datetime) -> float | None:
    """Return the seconds of a `Retry-After` header, which is a number or a date; None without one."""
    if not written:
        return None
    try:
        return max(float(written), 0.0)
    except ValueError:
        pass
    try:
        return max((parsedate_to_datetime(written) - now).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return None
