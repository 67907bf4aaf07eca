"""Times are shown in the person's own zone."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.utils import timezone


class TimeZoneMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        own = zone(request.COOKIES.get("time_zone", "")) or zone(getattr(request.user, "time_zone", ""))
        with timezone.override(own):
            return self.get_response(request)


def zone(name: str) -> ZoneInfo | None:
    """The zone of an IANA name; None for a name that is none."""
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):
        return None
