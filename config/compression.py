"""Pages go out compressed."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

SMALLEST = 4_000  # bytes; most next screens are smaller, and fit in two or three packets as they are


class PageCompressionMiddleware(GZipMiddleware):
    """Compress what browsers show; files to download go out as they are, with their length and without delay."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_page = response.get("Content-Type", "").startswith("text/html")
        if response.streaming or not is_page or len(response.content) < SMALLEST:
            return response
        return super().process_response(request, response)
