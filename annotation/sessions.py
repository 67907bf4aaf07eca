"""What happens to sessions when people sign in, prove again who they are, or change their second factors."""

from typing import Any

from allauth.mfa import signals
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest
from django.utils import timezone

from annotation.domain.account.sessions import describe_browser, end_sessions
from annotation.models import User


def connect() -> None:
    """Follow the signals of signing in and of second factors."""
    user_logged_in.connect(_note_browser)
    signals.authenticator_used.connect(_renew_key)
    for changed in (signals.authenticator_added, signals.authenticator_removed, signals.authenticator_reset):
        changed.connect(_end_others)


def _note_browser(sender: object, request: HttpRequest, **_signal: Any) -> None:
    """Store in which browser the session of the account begins, for the person to recognize it."""
    request.session.browser = describe_browser(request.META.get("HTTP_USER_AGENT", ""))
    request.session.began_at = timezone.now()


def _renew_key(sender: object, request: HttpRequest, reauthenticated: bool = False, **_signal: Any) -> None:
    """Give the session another key when a code or passkey is asked for again; at sign-in Django does it."""
    if reauthenticated:
        request.session.cycle_key()


def _end_others(sender: object, request: HttpRequest, user: User, **_signal: Any) -> None:
    """End the person's other sessions: whoever is in one of them did not need the new factor."""
    end_sessions(user, but=request.session.session_key)
