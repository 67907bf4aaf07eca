"""Requests to archives: JSON and files, with errors in plain words."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.jobs.engine import TryLater
from scoring.domain.outgoing.requests import Response, Rules, Unreachable, send

SILENCE, WHOLE = 120.0, 7200.0  # seconds without a byte, and for one request
LONGEST = 5_000_000  # bytes of an answer that are read
SAID = 300  # letters of what an archive says about an error
BUSY = {408, 423, 425, 429}
JSON = "application/json"


class NotFound(Refusal):
    """The archive has nothing at this address, or does not show it to the owner of the token."""


class Taken(Refusal):
    """The archive has something of this name already."""


@dataclass(frozen=True)
class Client:
    """An archive: its name on pages, the beginning of its addresses, and the project's token."""

    title: str
    base: str
    token: str = field(repr=False)

    def call(self, method: str, url: str, body: Any = None, media_type: str = JSON) -> dict[str, Any]:
        """Send JSON to the archive and return the JSON that it answers; nothing is an empty object.

        Raises:
            NotFound, Taken, Refusal: the archive will not do it. TryLater: it may do it later.
        """
        data = b"" if body is None else json.dumps(body).encode()
        return self._json(self.send(method, url, data, media_type))

    def send(
        self, method: str, url: str, body: bytes | BinaryIO, media_type: str = JSON, size: int | None = None
    ) -> Response:
        """Send bytes or an open file to the archive. Parameters: url, or a path below the beginning of its addresses;
        size, of a file in bytes. Raise as `call`."""
        url = self.base + url if url.startswith("/") else url
        if not self._is_own(url):
            raise Refusal(_("%(archive)s sent an address of another server. Nothing was sent.") % self._named)
        headers = {"Content-Type": media_type, "Accept": media_type if media_type.endswith("+json") else JSON}
        return self._checked(method, url, body, headers | {"Authorization": f"Bearer {self.token}"}, size)

    def send_elsewhere(
        self, method: str, url: str, body: bytes | BinaryIO, headers: Mapping[str, str], size: int | None = None
    ) -> Response:
        """Send bytes or an open file to an address that the archive named, without the token. Raise as `call`."""
        return self._checked(method, url, body, dict(headers), size)

    @property
    def _named(self) -> dict[str, str]:
        return {"archive": self.title}

    def _is_own(self, url: str) -> bool:
        own, other = urlsplit(self.base), urlsplit(url)
        return (own.scheme, own.netloc) == (other.scheme, other.netloc)

    def _checked(
        self, method: str, url: str, body: bytes | BinaryIO, headers: dict[str, str], size: int | None
    ) -> Response:
        headers |= {"User-Agent": f"Semblance/{settings.CODE_VERSION}", "Accept": headers.get("Accept", JSON)}
        if size is not None:
            headers["Content-Length"] = str(size)
        try:
            response = send(method, url, body, headers, rules())
        except Unreachable as error:
            raise TryLater(_("%(archive)s cannot be reached: %(why)s") % (self._named | {"why": error})) from error
        if not 200 <= response.status < 300:
            raise self._failure(response)
        return response

    def _json(self, response: Response) -> dict[str, Any]:
        try:
            found = json.loads(response.body or b"{}")
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise TryLater(_("The answer of %(archive)s is not valid JSON.") % self._named)
        return found

    def _failure(self, response: Response) -> Exception:
        """Return the error of a status, with what the archive says about it."""
        said = _said(response.body)
        meanings = {
            401: _("%(archive)s does not accept the token. An owner can enter a new one."),
            403: _("The token for %(archive)s is not allowed to do this. It needs the right to write."),
            404: _("%(archive)s does not know this draft, or the token belongs to another account."),
            409: _("%(archive)s has something of this name already. Choose another name."),
            413: _("A file is too large for %(archive)s."),
            429: _("%(archive)s received too many requests."),
        }
        meaning = meanings.get(response.status, _("%(archive)s refused the request.")) % self._named
        reason = f"{meaning} ({response.status}{': ' if said else ''}{said})"
        if response.status in BUSY or response.status >= 500:
            return TryLater(reason)
        return {404: NotFound, 409: Taken}.get(response.status, Refusal)(reason)


def _said(body: bytes) -> str:
    """Return what an archive says about an error: Zenodo as `message` and `errors`, Hugging Face as `error`."""
    try:
        found = json.loads(body)
        fields = [f"{one.get('field', '')}: {one.get('message', '')}" for one in found.get("errors") or ()]
        said = "; ".join([str(found.get("message") or found.get("error") or ""), *fields])
    except (ValueError, AttributeError, TypeError):
        said = body.decode("utf-8", "replace")
    return " ".join(said.split())[:SAID]


def rules() -> Rules:
    """Return the rules for requests to archives."""
    return Rules(settings.ARCHIVES_AT_PRIVATE_ADDRESSES, SILENCE, WHOLE, LONGEST)
