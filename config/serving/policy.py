"""The Content-Security-Policy of pages."""

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import cached_property

OWN_POLICY = frozenset(("_csp_config", "_csp_update", "_csp_replace", "_csp_exempt"))


class PolicyMiddleware(CSPMiddleware):
    """django-csp's own, except that the policy that nearly all pages share is built once."""

    @cached_property
    def shared(self) -> str:
        return build_policy()

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if settings.DEBUG or OWN_POLICY & vars(response).keys() or hasattr(request, "_csp_nonce"):
            return super().process_response(request, response)
        response.headers.setdefault(HEADER, self.shared)
        return response
