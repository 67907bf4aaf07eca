"""Forms for signing up, and for a person's account and data."""

from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.forms import ChangePasswordForm as PlainChangePasswordForm
from allauth.account.forms import ResetPasswordKeyForm
from allauth.account.forms import SignupForm as PlainSignupForm
from allauth.account.signals import user_signed_up
from allauth.account.utils import filter_users_by_email, passthrough_next_redirect_url
from allauth.core import context
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm as PlainActivateTOTPForm
from allauth.mfa.totp.internal.auth import TOTP
from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.cache import cache
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.domain.account import installation
from annotation.domain.errors import Refusal
from annotation.domain.rate_limits import MINUTE
from annotation.encryption import keyed_hash
from annotation.models import ApiToken, User


class SignupForm(PlainSignupForm):
    """A person with the setup code becomes the administrator; the link that `serve` prints contains the code.

    An address gets one account, and nobody learns from this form whether it has one. Where emails are sent, allauth
    answers both cases alike and writes to the address. Elsewhere both lead to the sign-in page.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if installation.asks_for_code():
            self.fields["setup_code"] = forms.CharField(
                required=False,
                initial=context.request.GET.get("setup_code", ""),
                label=_("Setup code (administrator only)"),
                help_text=_("You can find the code in the server’s log. It makes this account the administrator."),
            )

    def clean_setup_code(self) -> str:
        code = self.cleaned_data["setup_code"]
        try:
            installation.guard_code(code)
        except Refusal as refusal:
            raise forms.ValidationError(str(refusal)) from refusal
        return code

    def validate_unique_email(self, value: str) -> str:
        if _confirms_addresses():
            return super().validate_unique_email(value)
        self.account_already_exists = _has_account(value)
        return value

    def clean(self) -> dict[str, Any]:
        """Only the person with the setup code, who runs the machine, is told that the address has an account."""
        cleaned = super().clean()
        if cleaned.get("setup_code") and self.account_already_exists:
            self.add_error("email", _("This address already has an account. Use another one."))
        return cleaned

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Make the account unless the address has one. Return whom to sign in, or the response of both cases."""
        if _confirms_addresses():
            return super().try_save(request)
        user = self._made(request)
        if user is None:
            User().set_password(self.cleaned_data["password1"])  # so that the answer takes as long
        elif user.is_superuser:
            return user, None
        else:
            user_signed_up.send(sender=User, request=request, user=user)
        messages.success(request, _("Sign in now. If you had an account with this address before, use its password."))
        return None, redirect(passthrough_next_redirect_url(request, reverse("account_login"), "next"))

    def _made(self, request: HttpRequest) -> User | None:
        """Return the new account; None if the address has one, or gets one at this moment."""
        email = self.cleaned_data["email"]
        key = f"sign-up-{keyed_hash(email).hex()}"
        if not cache.add(key, True, MINUTE):
            return None
        try:
            return None if _has_account(email) else self.save(request)
        finally:
            cache.delete(key)

    def save(self, request: HttpRequest) -> User:
        with transaction.atomic():
            administers = installation.claim_installation(
                code=self.cleaned_data.get("setup_code", ""), now=timezone.now()
            )
            user = super().save(request)
            if administers:
                installation.make_administrator(user)
        return user


def _confirms_addresses() -> bool:
    return app_settings.EMAIL_VERIFICATION == app_settings.EmailVerificationMethod.MANDATORY


def _has_account(email: str) -> bool:
    """Return whether somebody signs in with the address; guests have only links, and may get an account."""
    return any(user.signs_in for user in filter_users_by_email(email))


class EndsTokens(forms.Form):
    """A new password, and the choice to revoke the API tokens that may have been made with the old one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.user is not None and ApiToken.objects.filter(user=self.user).exists():
            self.fields["end_tokens"] = forms.BooleanField(required=False, label=_("Revoke all my API tokens"))

    def save(self) -> None:
        super().save()
        if self.cleaned_data.get("end_tokens"):
            ApiToken.objects.filter(user=self.user).delete()


class ChangePasswordForm(EndsTokens, PlainChangePasswordForm):
    pass


class ResetPasswordForm(EndsTokens, ResetPasswordKeyForm):
    pass


class ActivateTOTPForm(PlainActivateTOTPForm):
    """The first code of an authenticator app; it cannot be used again to sign in."""

    def clean_code(self) -> str:
        code = super().clean_code()
        factor = Authenticator(user=self.user, type=Authenticator.Type.TOTP, data={})
        if not TOTP(factor)._mark_code_used(code):
            raise get_mfa_adapter().validation_error("incorrect_code")
        return code


class EraseForm(forms.Form):
    """The person's password, or a word if they have none, so that nobody erases their data by mistake."""

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.by_password = user.has_usable_password() and not settings.OIDC_ONLY
        if self.by_password:
            self.fields["proof"] = forms.CharField(
                label=_("Your password"),
                strip=False,
                widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
            )
        else:
            self.fields["proof"] = forms.CharField(label=_("Type ERASE to confirm"))

    def clean_proof(self) -> str:
        proof = self.cleaned_data["proof"]
        if not (get_adapter().reauthenticate(self.user, proof) if self.by_password else proof == "ERASE"):
            raise forms.ValidationError(_("This is not correct. Nothing was erased."))
        return proof
