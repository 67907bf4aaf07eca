"""What happens to sessions when people prove again who they are, and when their second factors change."""

from typing import Any

from allauth.mfa import signals
from django.http import HttpRequest

from annotation.domain.account.expiry import end_sessions
from annotation.models import User


def connect() -> None:
    """Follow the signals of second factors."""
    signals.authenticator_used.connect(_renew_key)
    for changed in (signals.authenticator_added, signals.authenticator_removed, signals.authenticator_reset):
        changed.connect(_end_others)


def _renew_key(sender: object, request: HttpRequest, reauthenticated: bool = False, **_signal: Any) -> None:
    """Give the session another key when a code or passkey is asked for again; at sign-in Django does it."""
    if reauthenticated:
        request.session.cycle_key()


def _end_others(sender: object, request: HttpRequest, user: User, **_signal: Any) -> None:
    """End the person's other sessions: whoever is in one of them did not need the new factor."""
    end_sessions(user, but=request.session.session_key)
