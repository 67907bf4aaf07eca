"""Errors as `application/problem+json` (RFC 9457), with the invalid field or line."""

import re
from collections.abc import Iterator
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.views import defaults
from rest_framework import serializers, status
from rest_framework.exceptions import APIException, NotFound, ParseError, ValidationError
from rest_framework.exceptions import PermissionDenied as NotPermitted
from rest_framework.views import set_rollback

from annotation.api.problem_json import problem

LINE = re.compile(r"line (\d+)")


class TooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = "The request body is too large."
    default_code = "too_large"


class Conflict(APIException):
    """The request does not fit the present state."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "conflict"


class Unprocessable(ValidationError):
    """A body that can be read, with invalid values."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY


class FaultSerializer(serializers.Serializer):
    field = serializers.CharField(required=False, help_text="A parameter, or the path of a value in the request body.")
    line = serializers.IntegerField(required=False, help_text="The line of the request body that can't be read.")
    detail = serializers.CharField()


class ProblemSerializer(serializers.Serializer):
    type = serializers.CharField(help_text="about:blank: see the status.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    errors = FaultSerializer(many=True, required=False)


def answer_problem(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """Return the response for an error, for REST framework; unforeseen errors are left to `server_error`."""
    for known, answered in ((Http404, NotFound), (PermissionDenied, NotPermitted), (RequestDataTooBig, TooLarge)):
        error = answered() if isinstance(error, known) else error
    if not isinstance(error, APIException):
        return None
    set_rollback()
    answer = problem(error.status_code, *_described(error))
    if header := getattr(error, "auth_header", None):
        answer["WWW-Authenticate"] = header
    if wait := getattr(error, "wait", None):
        answer["Retry-After"] = str(int(wait) + 1)
    return answer


def _described(error: APIException) -> tuple[str, list[dict[str, Any]]]:
    """Return the detail of an error, and its faults one by one."""
    if isinstance(error, ValidationError):
        faults = list(_faults(error.detail))
        first = faults[0]
        return f"{first['field']}: {first['detail']}" if "field" in first else first["detail"], faults
    text = str(error.detail)
    line = LINE.search(text) if isinstance(error, ParseError) else None
    return text, [{"line": int(line[1]), "detail": text}] if line else []


def _faults(detail: Any, path: str = "") -> Iterator[dict[str, Any]]:
    if isinstance(detail, dict):
        for name, inner in detail.items():
            yield from _faults(inner, path if name == "non_field_errors" else f"{path}.{name}".lstrip("."))
    elif isinstance(detail, list):
        for inner in detail:
            yield from _faults(inner, path)
    else:
        yield ({"field": path} if path else {}) | {"detail": str(detail)}


def _of_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    reason = "This request can't be read."
    return problem(400, reason) if _of_api(request) else defaults.bad_request(request, exception)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return problem(404, "Not found.") if _of_api(request) else defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    reason = "Something went wrong. The error has been logged."
    return problem(500, reason) if _of_api(request) else defaults.server_error(request)
