"""Which account somebody gets who signs in at the provider."""

import logging
from secrets import compare_digest
from typing import Any

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter, _build_apps_from_settings
from allauth.socialaccount.models import SocialApp, SocialLogin
from allauth.socialaccount.providers.base import AuthError, AuthProcess, ProviderException
from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.domain.account import single_sign_on
from annotation.domain.errors import Refusal
from annotation.models import User

logger = logging.getLogger(__name__)


class SingleSignOn(DefaultSocialAccountAdapter):
    """Accounts are found by the provider's ID of a person; the first time, by an address that both sides confirmed."""

    def list_apps(
        self, request: HttpRequest, provider: str | None = None, client_id: str | None = None
    ) -> list[SocialApp]:
        """Return the provider of the settings. Rows of the database are not used, so no page can add one."""
        found = _build_apps_from_settings(provider=provider, client_id=client_id)
        return [app for apps in found.values() for app in apps]

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        sent, back = sociallogin.state.get("nonce", ""), sociallogin.claims.get("nonce", "")
        if not sent or not compare_digest(str(sent), str(back)):
            raise _refused(request, _("This sign-in was not started in this browser. Try again."))
        if sociallogin.state.get("process") == AuthProcess.CONNECT:
            return
        if not sociallogin.is_existing:
            self._find_or_create(request, sociallogin)
        single_sign_on.apply_groups(user=sociallogin.user, claims=sociallogin.claims, now=timezone.now())

    def _find_or_create(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        address = next((each.email for each in sociallogin.email_addresses if each.verified), "")
        try:
            account = single_sign_on.account_of(address)
        except Refusal as refusal:
            raise _refused(request, str(refusal)) from refusal
        if account is None:
            try:
                with transaction.atomic():
                    self.save_user(request, sociallogin)
            except IntegrityError as error:  # the same person, at the same moment, in another tab
                raise _refused(request, _("Signing in did not work. Try again.")) from error
        else:
            sociallogin.connect(request, account)

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        """Take over the address only: nothing here needs names."""
        return super().populate_user(request, sociallogin, {"email": data.get("email")})

    def on_authentication_error(
        self, request: HttpRequest, provider: Any, error: Any = None, exception: Any = None, extra_context: Any = None
    ) -> None:
        """Show the reason on the sign-in page, instead of allauth's page about it."""
        logger.warning("Single sign-on failed: %s", exception if isinstance(exception, ProviderException) else error)
        if error == AuthError.CANCELLED:
            raise _refused(request, _("Sign-in cancelled."))
        raise _refused(request, _("Signing in did not work. Try again."))


def _refused(request: HttpRequest, reason: str) -> ImmediateHttpResponse:
    messages.error(request, reason)
    return ImmediateHttpResponse(redirect(settings.LOGIN_URL))
