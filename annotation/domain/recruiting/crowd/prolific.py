"""The calls of Prolific's API: studies, submissions and bonuses (docs.prolific.com/api-reference)."""

import json
from collections.abc import Iterator, Set
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import HTTPRedirectHandler, Request, build_opener

from django.conf import settings
from django.utils.translation import gettext as _

SECONDS = 20
LONGEST = 100_000  # bytes of an answer that are read
LONGEST_LIST = 5_000_000  # bytes of the list of screeners, which names every country and language
NOT_FOUND = 404
REFUSALS = {400, 401, 403, 404, 422, 429}  # the platform says that it did nothing
REFUSALS_OF_STUDIES = REFUSALS | {405, 409}


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


def create_study(token: str, values: dict[str, Any]) -> dict[str, Any]:
    """Create a draft, which costs nothing, and return it as Prolific describes it."""
    return _study(_call(token, "POST", "/api/v1/studies/", values))


def read_study(token: str, study_id: str) -> dict[str, Any]:
    return _study(_call(token, "GET", _path_of(study_id)))


def update_study(token: str, study_id: str, values: dict[str, Any]) -> dict[str, Any]:
    """Change a draft, or the number of places of a published study, and return it."""
    return _study(_call(token, "PATCH", _path_of(study_id), values))


def move_study(token: str, study_id: str, action: str) -> dict[str, Any]:
    """Take a study to its next state. Parameters: action, PUBLISH, PAUSE or START."""
    return _study(_call(token, "POST", _path_of(study_id) + "transition/", {"action": action}))


def cost_of(token: str, *, reward: int, places: int) -> int:
    """Return the cost of so many places with fees and VAT, in cents or pence."""
    body = {"reward": reward, "total_available_places": places}
    try:
        return round(_call(token, "POST", "/api/v1/study-cost-calculator/", body)["total_cost"])
    except (KeyError, TypeError, ValueError) as error:
        raise Unclear(_("Prolific’s answer contains no cost.")) from error


def read_filters(token: str) -> list[dict[str, Any]]:
    """Return every screener with its choices or range."""
    found = _call(token, "GET", "/api/v1/filters/", longest=LONGEST_LIST).get("results")
    if not isinstance(found, list):
        raise Unclear(_("Prolific’s answer contains no screeners."))
    return [one for one in found if isinstance(one, dict) and "filter_id" in one and "title" in one]


def _path_of(study_id: str) -> str:
    return f"/api/v1/studies/{quote(study_id, safe='')}/"


def _study(found: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(found.get("id"), str) or not isinstance(found.get("status"), str):
        raise Unclear(_("Prolific’s answer describes no study."))
    return found


def _call(token: str, method: str, path: str, body: Any = None, longest: int = LONGEST) -> dict[str, Any]:
    headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = Request(settings.PROLIFIC_API_URL + path, data, headers, method=method)
    try:
        found = json.loads(_answer(request, REFUSALS_OF_STUDIES, longest))
    except ValueError as error:
        raise Unclear(_("The answer is not valid JSON.")) from error
    if not isinstance(found, dict):
        raise Unclear(_("The answer is not valid JSON."))
    return found


def _post(token: str, path: str, body: dict[str, str]) -> bytes:
    headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
    request = Request(settings.PROLIFIC_API_URL + path, json.dumps(body).encode(), headers, method="POST")
    return _answer(request)


def _answer(request: Request, refusals: Set[int] = REFUSALS, longest: int = LONGEST) -> bytes:
    """Send a request and return the answer.

    Raises:
        Refused: the platform definitely did nothing. Unclear: any other failure.
    """
    try:
        with build_opener(_NoRedirect).open(request, timeout=SECONDS) as response:
            return response.read(longest)
    except HTTPError as error:
        failure = Refused if error.code in refusals else Unclear
        raise failure(_explanation(error)) from error
    except (OSError, HTTPException) as error:
        raise Unclear(f"{type(error).__name__}: {error}") from error


def _explanation(error: HTTPError) -> str:
    """Return what went wrong in plain words, with the status and what Prolific says about it."""
    try:
        said = "; ".join(_sentences(error.read(LONGEST)))[:500]
    except (OSError, HTTPException):
        said = error.reason
    return f"{_meaning(error.code)} ({error.code}{': ' if said else ''}{said})"


def _meaning(status: int) -> str:
    return {
        400: _("Prolific refused this."),
        401: _("Prolific does not accept the project’s token. Enter a new one."),
        403: _("The project’s token is not allowed to do this."),
        404: _("Prolific does not know this study, or the token belongs to another workspace."),
        409: _("The study’s state at Prolific does not allow this."),
        422: _("Prolific refused this."),
        429: _("Prolific received too many requests. Try again in a few minutes."),
    }.get(status, _("Prolific could not be used."))


def _sentences(body: bytes) -> Iterator[str]:
    """Return what an error says: `error.detail` is a sentence, a list, or lists by the names of fields."""
    try:
        error = json.loads(body)["error"]
        detail = error.get("detail") or error.get("title") or ""
    except (ValueError, KeyError, TypeError, AttributeError):
        yield body.decode("utf-8", "replace").strip()
        return
    fields = detail.items() if isinstance(detail, dict) else [("", detail)]
    for name, faults in fields:
        for fault in faults if isinstance(faults, list) else [faults]:
            yield f"{name}: {fault}" if name else str(fault)
