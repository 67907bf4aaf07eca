"""Names of cookies.

Where the site is served over https they begin with `__Host-`: browsers take such a cookie only from this host, never
from another one of the same domain. Cookies of earlier versions have no prefix; they are read until they run out.
"""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage
from django.contrib.sessions import middleware
from django.http import HttpRequest, HttpResponse

from annotation.models import BrowserSession

SESSION, CSRF, LANGUAGE = "sessionid", "csrftoken", "django_language"


def cookie_name(name: str) -> str:
    return settings.COOKIE_PREFIX + name


def read_cookie(request: HttpRequest, name: str) -> str:
    """Return the value of a cookie that is not secret, also of an earlier version; "" if there is none."""
    return request.COOKIES.get(cookie_name(name)) or request.COOKIES.get(name, "")


def read_signed_cookie(request: HttpRequest, name: str, *, salt: str, max_age: int | timedelta) -> str | None:
    """Return the value of a signed cookie, also of an earlier version; None if there is none, or no valid one."""
    options: dict[str, Any] = {"default": None, "salt": salt, "max_age": max_age}
    found = request.get_signed_cookie(cookie_name(name), **options)
    return request.get_signed_cookie(name, **options) if found is None else found


class SessionMiddleware(middleware.SessionMiddleware):
    """Django's own, which takes over the sessions of cookies without the prefix, so that an upgrade signs nobody out.

    Only sessions from before the upgrade are taken over: other hosts of the domain can set a cookie without the prefix.
    """

    def process_request(self, request: HttpRequest) -> None:
        earlier = bool(settings.COOKIE_PREFIX) and _take_earlier(request)
        super().process_request(request)
        if earlier:  # both cookies are sent again, under the names of now
            request.session.modified = request.META["CSRF_COOKIE_NEEDS_UPDATE"] = True

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response = super().process_response(request, response)
        if settings.COOKIE_PREFIX and SESSION in request.COOKIES:
            response.delete_cookie(SESSION, samesite=settings.SESSION_COOKIE_SAMESITE)
        return response


def _take_earlier(request: HttpRequest) -> bool:
    """Give the cookies of earlier versions the names of now, and return whether one has a session."""
    cookies = request.COOKIES
    if LANGUAGE in cookies:
        cookies.setdefault(settings.LANGUAGE_COOKIE_NAME, cookies[LANGUAGE])
    key = cookies.get(SESSION, "")
    if not key or "\0" in key or settings.SESSION_COOKIE_NAME in cookies:
        return False
    if not BrowserSession.objects.filter(pk=key, began_at=None).exists():
        return False
    cookies[settings.SESSION_COOKIE_NAME] = key
    if CSRF in cookies:  # pages that are open go on sending this one
        cookies[settings.CSRF_COOKIE_NAME] = cookies[CSRF]
    return True


class MessageCookies(CookieStorage):
    @property
    def cookie_name(self) -> str:
        return cookie_name("messages")


class MessageStorage(FallbackStorage):
    """Django's own, with the prefix in the name of the cookie."""

    storage_classes = (MessageCookies, SessionStorage)
