"""What is refused before a view: bodies that are too large for an account, and API requests that are not encrypted."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from annotation.api.problem_json import problem
from config.serving.limits import OF_STRANGERS, most_bytes

API = "/api/"  # knows its people by their tokens, and reads nothing before
DOCUMENTATION = "/api/v1/docs/"  # a page, which browsers open


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


class EncryptedApiMiddleware:
    """Answers 403 to an API request over http where the site has https.

    Pages redirect. A program would follow the redirect, and nobody would notice that each request sends its token
    without encryption first.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        path = request.path_info
        if request.is_secure() or not settings.SECURE_SSL_REDIRECT or path == DOCUMENTATION or not path.startswith(API):
            return self.get_response(request)
        advice = "Use https. If the request had a token, it was sent without encryption: revoke it and create another."
        return problem(403, advice)
