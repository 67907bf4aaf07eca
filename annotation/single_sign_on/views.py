"""The way to the provider and back."""

from collections.abc import Callable

from allauth.account.internal.decorators import login_not_required
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.base import ProviderException
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView, OAuth2LoginView, OAuth2View
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_POST
from requests import RequestException

from annotation.single_sign_on.provider import SingleSignOnClient

# A provider that is down, or whose answer is not what the standard says.
FAULTS = (RequestException, OAuth2Error, ProviderException, KeyError, ValueError)


def _page(view: type[OAuth2View]) -> Callable[..., HttpResponse]:
    @login_not_required
    def page(request: HttpRequest, provider_id: str) -> HttpResponse:
        client = SingleSignOnClient(request, provider_id)
        try:
            provider = client.get_provider()
        except SocialApp.DoesNotExist as error:
            raise Http404 from error
        try:
            return view.adapter_view(client)(request)
        except FAULTS as error:
            return render_authentication_error(request, provider, exception=error)

    return page


login = require_POST(_page(OAuth2LoginView))
callback = _page(OAuth2CallbackView)
