"""The limit of a body for people whose account is known: the server could only see that they have a cookie."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from config.serving.limits import OF_STRANGERS, most_bytes

API = "/api/"  # knows its people by their tokens, and reads nothing before


class BodyLimitMiddleware:
    """Answers 413 before anything reads the body, as the check of a form's origin would."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = int(request.META.get("CONTENT_LENGTH") or 0)
        if length <= OF_STRANGERS or request.path_info.startswith(API):
            return self.get_response(request)
        if length > most_bytes(request.path_info, known=request.user.is_authenticated):
            return HttpResponse(_("The request is too large."), status=413, content_type="text/plain")
        return self.get_response(request)
