"""Pages are in the person's own language, their times in the person's own zone."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.middleware.locale import LocaleMiddleware
from django.shortcuts import redirect
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from annotation.cookies import read_cookie
from annotation.permissions import SecondFactorNeeded


class NulMiddleware:
    """Answers 404 to an address with a NUL character, which PostgreSQL cannot store, and 400 to other values with one.

    Forms show the problem at the field, so of posted values only those that reached the database are rejected here.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\0" in "".join(request.COOKIES.values()):  # before the session is looked up
            raise BadRequest("A NUL character in a cookie.")
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: object) -> None:
        if "\0" in request.path_info:
            raise Http404
        if _has_nul(request.GET):
            raise BadRequest("A NUL character in the query.")

    def process_exception(self, request: HttpRequest, exception: Exception) -> None:
        if isinstance(exception, ValueError) and _has_nul(request.POST):
            raise BadRequest("A NUL character in the form.") from exception


def _has_nul(given: QueryDict) -> bool:
    return any("\0" in text for name, values in given.lists() for text in (name, *values))


class LanguageMiddleware(LocaleMiddleware):
    """The language that the account has chosen, else the one of the cookie, else the first known one of the browser.

    The API reports problems in English.
    """

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        own = "en" if request.path.startswith("/api/") else getattr(request.user, "language", "")
        if own:
            translation.activate(own)
            request.LANGUAGE_CODE = translation.get_language()


class SecondFactorMiddleware:
    """Sends people to the page where they set up a second factor, if the page that they open requires one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, SecondFactorNeeded):
            return None
        messages.warning(request, _("This page requires two-factor authentication. Set it up first."))
        return redirect("mfa_activate_totp")


class PrivatePagesMiddleware:
    """Keeps pages out of every cache unless they say otherwise; a browser may keep what it asks about again by ETag."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", f"private, {'no-cache' if 'ETag' in response else 'no-store'}")
        return response


class TimeZoneMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        own = zone(read_cookie(request, "time_zone")) or zone(getattr(request.user, "time_zone", ""))
        with timezone.override(own):
            return self.get_response(request)


def zone(name: str) -> ZoneInfo | None:
    """Return the zone of an IANA name; None for a name that is none."""
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):
        return None
