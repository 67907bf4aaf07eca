"""The calls of Prolific's API that check and pay (docs.prolific.com/api-reference)."""

import json
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import HTTPRedirectHandler, Request, build_opener

from django.conf import settings
from django.utils.translation import gettext as _

SECONDS = 20
LONGEST = 100_000  # bytes of an answer that are read
NOT_FOUND = 404
REFUSALS = {400, 401, 403, 404, 422, 429}  # the platform says that it did nothing


class Refused(Exception):
    """The platform said no: nothing was done."""


class Unclear(Exception):
    """No answer, or none that says whether anything was done."""


class _NoRedirect(HTTPRedirectHandler):
    """Never places an order a second time, at another address."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


def is_submission_of(token: str, submission_id: str, *, participant: str, study_id: str) -> bool:
    """Return whether Prolific knows the submission, of this participant and in this study.

    Raises:
        Refused, Unclear: there is no answer that says so.
    """
    url = f"{settings.PROLIFIC_API_URL}/api/v1/submissions/{quote(submission_id, safe='')}/"
    try:
        found = json.loads(_answer(Request(url, headers={"Authorization": f"Token {token}"})))
    except Refused as error:
        if isinstance(error.__cause__, HTTPError) and error.__cause__.code == NOT_FOUND:
            return False
        raise
    except ValueError as error:
        raise Unclear(_("The response is not valid JSON.")) from error
    known = isinstance(found, dict) and (found.get("participant"), found.get("study_id"))
    return known == (participant, study_id)


def set_up_bonuses(token: str, *, study_id: str, lines: list[str]) -> str:
    """Prepare an order and return its ID. This pays nothing, however often it is done."""
    answer = _post(
        token, "/api/v1/submissions/bonus-payments/", {"study_id": study_id, "csv_bonuses": "\n".join(lines)}
    )
    try:
        return str(json.loads(answer)["id"])
    except (ValueError, KeyError, TypeError) as error:
        raise Unclear(_("The response has no ID.")) from error


def pay_bonuses(token: str, order: str) -> None:
    """Pay an order. Every call pays: it must never be made twice."""
    _post(token, f"/api/v1/bulk-bonus-payments/{quote(order, safe='')}/pay/", {})


def published_keys() -> list[Any]:
    """Return the public keys with which Prolific signs the addresses of studies.

    Raises:
        Refused, Unclear: there is no answer, or none with keys.
    """
    try:
        keys = json.loads(_answer(Request(settings.PROLIFIC_API_URL + "/.well-known/study/jwks.json")))["keys"]
    except (ValueError, KeyError, TypeError) as error:
        raise Unclear(_("The response has no keys.")) from error
    return keys if isinstance(keys, list) else []


def _post(token: str, path: str, body: dict[str, str]) -> bytes:
    headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
    request = Request(settings.PROLIFIC_API_URL + path, json.dumps(body).encode(), headers, method="POST")
    return _answer(request)


def _answer(request: Request) -> bytes:
    """Send a request and return the answer.

    Raises:
        Refused: the platform definitely did nothing. Unclear: any other failure.
    """
    try:
        with build_opener(_NoRedirect).open(request, timeout=SECONDS) as response:
            return response.read(LONGEST)
    except HTTPError as error:
        failure = Refused if error.code in REFUSALS else Unclear
        raise failure(f"{error.code}: {_explanation(error)}") from error
    except (OSError, HTTPException) as error:
        raise Unclear(f"{type(error).__name__}: {error}") from error


def _explanation(error: HTTPError) -> str:
    try:
        return error.read(LONGEST).decode("utf-8", "replace")[:500]
    except (OSError, HTTPException):
        return error.reason
