"""The pages for monitoring: /health/live, /health/ready and /metrics.

They are answered before hosts, https, sessions and the database are looked at: whoever checks a machine asks it by its
address, and a page that says what is wrong must not need what is wrong.
"""

import hmac
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse

from config.operation import metrics, readiness

# Every proxy that Semblance works behind sets one of them.
OF_PROXIES = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")
REFUSED = (
    "Set MONITOR_TOKEN and send it as “Authorization: Bearer TOKEN”, or send the request from the machine itself.\n"
)


def page_for_monitoring(request: HttpRequest) -> HttpResponse | None:
    """Return the answer to a request for one of these pages, or None for any other request."""
    page = PAGES.get(request.path_info)
    if page is None:
        return None
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    response = page(request)
    response["Cache-Control"] = "no-store"
    return response


def may_see_details(request: HttpRequest) -> bool:
    """Return whether a request has the token of the monitoring, or comes from the machine itself and by no proxy."""
    given = request.META.get("HTTP_AUTHORIZATION", "")
    if settings.MONITOR_TOKEN and given:
        return hmac.compare_digest(given.encode(), f"Bearer {settings.MONITOR_TOKEN}".encode())
    if any(name in request.META for name in OF_PROXIES):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:  # a socket of the file system has no address
        return False


def live(request: HttpRequest) -> HttpResponse:
    """Answer that the process answers."""
    return JsonResponse({"status": readiness.OK})


def ready(request: HttpRequest) -> HttpResponse:
    """Answer whether pages can be served: 503 if not, and with `?strict` also if anything else is wrong."""
    found = readiness.readiness()
    unhealthy = {readiness.FAILING, readiness.DEGRADED} if "strict" in request.GET else {readiness.FAILING}
    content: dict[str, Any] = {"status": found.status}
    if may_see_details(request):
        content |= {"version": settings.CODE_VERSION, "checks": [check.as_json() for check in found.checks]}
    return JsonResponse(content, status=503 if found.status in unhealthy else 200)


def exposition(request: HttpRequest) -> HttpResponse:
    """Answer with the metrics, in the form that Prometheus reads."""
    if not may_see_details(request):
        return HttpResponse(REFUSED, status=403, content_type="text/plain; charset=utf-8")
    return HttpResponse(metrics.exposition(), content_type=metrics.CONTENT_TYPE)


PAGES = {path + slash: page for path, page in (("/health/live", live), ("/health/ready", ready)) for slash in ("", "/")}
PAGES |= {"/metrics": exposition}
