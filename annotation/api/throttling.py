"""Limits of requests."""

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from annotation.models import ApiToken


class OfToken(SimpleRateThrottle):
    """The limit of a token, or of a browser session's account."""

    scope = "token"

    def get_cache_key(self, request: Request, view: object) -> str | None:
        if not request.user.is_authenticated:
            return None
        ident = request.auth.digest[:40] if isinstance(request.auth, ApiToken) else f"account-{request.user.pk}"
        return self.cache_format % {"scope": self.scope, "ident": ident}


class OfStranger(SimpleRateThrottle):
    """The limit of an address without a valid token."""

    scope = "stranger"

    def get_cache_key(self, request: Request, view: object) -> str | None:
        if request.user.is_authenticated:
            return None
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}
