"""Forms for signing up, and for a person's account and data."""

from typing import Any

from allauth.account.forms import SignupForm as PlainSignupForm
from allauth.core import context
from django import forms
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.domain.account import installation
from annotation.domain.errors import Refusal
from annotation.models import User


class SignupForm(PlainSignupForm):
    """Whoever brings the setup code administers the installation; the link that `serve` prints has it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if installation.asks_for_code():
            self.fields["setup_code"] = forms.CharField(
                required=False,
                initial=context.request.GET.get("setup_code", ""),
                label=_("Setup code (only for whoever runs this server)"),
                help_text=_("The server has written it into its log. It makes this account the administrator."),
            )

    def clean_setup_code(self) -> str:
        code = self.cleaned_data["setup_code"]
        try:
            installation.guard_code(code)
        except Refusal as refusal:
            raise forms.ValidationError(str(refusal)) from refusal
        return code

    def save(self, request: HttpRequest) -> User:
        with transaction.atomic():
            administers = installation.claim_installation(
                code=self.cleaned_data.get("setup_code", ""), now=timezone.now()
            )
            user = super().save(request)
            if administers:
                installation.make_administrator(user)
        return user


class EraseForm(forms.Form):
    """The person's password, or a word if they have none, so that nobody erases their data by mistake."""

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        if user.has_usable_password():
            self.fields["proof"] = forms.CharField(
                label=_("Your password"),
                strip=False,
                widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
            )
        else:
            self.fields["proof"] = forms.CharField(label=_("The word ERASE, in capitals"))

    def clean_proof(self) -> str:
        proof = self.cleaned_data["proof"]
        known = self.user.check_password(proof) if self.user.has_usable_password() else proof == "ERASE"
        if not known:
            raise forms.ValidationError(_("This is not right; nothing was erased."))
        return proof
