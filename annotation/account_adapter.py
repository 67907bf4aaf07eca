"""Sign-in: limits on password guessing that nobody can use to lock out the owner of an account."""

from datetime import timedelta
from secrets import token_urlsafe
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.core.internal import ratelimit
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from annotation.cookies import cookie_name, read_signed_cookie

COOKIE = "known_browser"
SALT = "semblance.known_browser"
LASTS = 365 * 24 * 3600  # seconds


class AccountAdapter(DefaultAccountAdapter):
    """allauth's adapter, but failed sign-ins count for an account with a browser or IP address, not for the account.

    A person who guesses locks out only themselves. A browser in which somebody has signed in before has a separate
    count, so that guesses from the same network do not block it either. All other browsers share a high limit for each
    account.
    """

    error_messages = DefaultAccountAdapter.error_messages | {"no_passwords": _("Passwords are turned off here.")}

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return not settings.OIDC_ONLY

    def is_reauthentication_required(self, *, app: str) -> bool:
        """Without passwords, signing in again after half a day has to be enough."""
        return not settings.OIDC_ONLY and super().is_reauthentication_required(app=app)

    def is_safe_url(self, url: str | None) -> bool:
        """Return whether a page may follow; one whose address cannot be parsed may not."""
        try:
            return super().is_safe_url(url)
        except ValueError:
            return False

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        login = _login_of(credentials)
        return f"{login} {known_browser(request, login) or self.get_client_ip(request)}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt, until it succeeds. Raise ValidationError if there were too many, or without passwords."""
        if settings.OIDC_ONLY:
            raise self.validation_error("no_passwords")
        super().pre_authenticate(request, **credentials)
        login = _login_of(credentials)
        if known_browser(request, login):
            return
        usage = ratelimit.consume(request, app="allauth.account", action="login_elsewhere", key=login)
        if not usage:
            raise self.validation_error("too_many_login_attempts")
        self._login_failed_rl_usage.usage += usage.usage

    def reauthenticate(self, user: AbstractBaseUser, password: str) -> bool:
        """Return whether this is the person's password; wrong ones count as failed sign-ins."""
        self.pre_authenticate(context.request, email=user.email or user.username)
        if known := user.check_password(password):
            self._rollback_login_failed_rl_usage()
            context.request.session.cycle_key()
        return known

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **arguments: Any) -> HttpResponse:
        response = super().post_login(request, user, **arguments)
        from_provider = "sociallogin" in (arguments.get("signal_kwargs") or {})
        age = settings.OIDC_SESSION_AGE if from_provider else settings.SESSION_COOKIE_AGE
        request.session.set_expiry(timezone.now() + timedelta(seconds=age))  # however often the session is used
        login = user.email.lower()
        value = f"{_mark(login)} {known_browser(request, login) or token_urlsafe(12)}"
        options = {"httponly": True, "secure": settings.HTTPS, "samesite": "Lax"}
        response.set_signed_cookie(cookie_name(COOKIE), value, salt=SALT, max_age=LASTS, **options)
        return response


def known_browser(request: HttpRequest, login: str) -> str:
    """Return the name of a browser in which this person signed in last; "" for all others."""
    value = read_signed_cookie(request, COOKIE, salt=SALT, max_age=LASTS) or ""
    mark, _space, name = value.partition(" ")
    return name if mark == _mark(login) else ""


def _login_of(credentials: dict[str, Any]) -> str:
    return (credentials.get("email") or credentials.get("username") or "").lower()


def _mark(login: str) -> str:
    return salted_hmac(SALT, login).hexdigest()[:32]
