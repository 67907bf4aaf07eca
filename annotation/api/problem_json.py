"""The format of errors, `application/problem+json` (RFC 9457); middleware needs it before REST framework is loaded."""

from http import HTTPStatus
from typing import Any

from django.http import JsonResponse

MEDIA_TYPE = "application/problem+json"


def problem(code: int, detail: str, errors: list[dict[str, Any]] | None = None) -> JsonResponse:
    """Return the response for a status; it is JSON whatever the request accepts."""
    body = {"type": "about:blank", "title": HTTPStatus(code).phrase, "status": code, "detail": detail}
    return JsonResponse(body | ({"errors": errors} if errors else {}), status=code, content_type=MEDIA_TYPE)
