"""The outermost middleware: it gives every request an ID, logs it and counts it."""

import logging
from collections.abc import Callable
from time import perf_counter

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from config.operation.context import HEADER, REQUEST_ID, request_id
from config.operation.logs import NO_ROUTE, route_of
from config.operation.metrics import count_request
from config.operation.pages import page_for_monitoring

logger = logging.getLogger(__name__)
METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


class RequestMiddleware:
    """Names, times, logs and counts requests; answers health pages and metrics before anything else is asked."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.static = f"/{settings.STATIC_URL.lstrip('/')}"

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.request_id = number = request_id(request.META.get("HTTP_X_REQUEST_ID"))
        token, begun = REQUEST_ID.set(number), perf_counter()
        try:
            response = page_for_monitoring(request)
            if response is not None:
                response._has_been_logged = True  # by Django, as an error whenever a page says that something is wrong
            else:
                response = self.get_response(request)
                self._note(request, response, perf_counter() - begun)
        finally:
            REQUEST_ID.reset(token)
        response[HEADER] = number
        return response

    def _note(self, request: HttpRequest, response: HttpResponse, seconds: float) -> None:
        route = route_of(request)
        if route == NO_ROUTE and request.path_info.startswith(self.static):
            return
        method = request.method if request.method in METHODS else "other"
        count_request(route, method, response.status_code, seconds)
        about = {"route": route, "method": method, "status": response.status_code, "ms": round(1000 * seconds, 1)}
        logger.info("request", extra=about)
