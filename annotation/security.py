"""Events of requests and accounts for the security log."""

from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from allauth.account import signals as account
from allauth.account.adapter import get_adapter
from allauth.mfa import signals as mfa
from allauth.socialaccount import signals as social
from allauth.socialaccount.models import SocialAccount, SocialLogin
from django.contrib.admin.models import LogEntry
from django.contrib.auth import signals as auth
from django.core.exceptions import PermissionDenied
from django.db.models.signals import post_delete, post_save
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from annotation.domain.rate_limits import within_limit
from annotation.domain.security.log import OF_STRANGERS, count_refusal, record
from annotation.models import ApiToken, User
from annotation.models.security import SecurityKind as Kind

DOORS = frozenset(("join", "resume", "member-accept", "crowd-enter", "unsubscribe", "account_reset_password_from_key"))
REFUSED = (400, 403, 404, 410)
HIDDEN = (403, 404)  # pages that exist, but not for this account
NOT_PERMITTED = (401, 403, 404)  # counted wherever they come from: somebody may be trying doors
DATA_TYPES = ("text/csv", "application/x-ndjson")
BY_SIGNAL = (
    (auth.user_logged_in, Kind.SIGNED_IN),
    (auth.user_logged_out, Kind.SIGNED_OUT),
    (account.password_changed, Kind.PASSWORD_CHANGED),
    (account.password_set, Kind.PASSWORD_CHANGED),
    (account.password_reset, Kind.PASSWORD_CHANGED),
    (account.email_added, Kind.ADDRESS_CHANGED),
    (account.email_changed, Kind.ADDRESS_CHANGED),
    (account.email_removed, Kind.ADDRESS_CHANGED),
    (mfa.authenticator_added, Kind.SECOND_FACTOR_ADDED),
    (mfa.authenticator_removed, Kind.SECOND_FACTOR_REMOVED),
    (mfa.authenticator_reset, Kind.SECOND_FACTOR_ADDED),
    (mfa.authentication_failed, Kind.SECOND_STEP_FAILED),
)


def address_of(request: HttpRequest) -> str:
    """Return the client's IP address; of an IPv6 address the network of the household or office."""
    address = ip_address(get_adapter().get_client_ip(request))
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or ip_network((address, 64), strict=False)
    return str(address)


def _address_if_known(request: HttpRequest) -> str:
    try:
        return address_of(request)
    except PermissionDenied:  # as behind a socket of the machine, where no proxy says who it is
        return ""


def _record(kind: Kind, request: HttpRequest | None, user: Any, **details: Any) -> None:
    match = getattr(request, "resolver_match", None)
    if match:
        details["page"] = match.view_name
    values = {"address": _address_if_known(request), "project_key": match.kwargs.get("key", "")} if match else {}
    known = User.objects.filter(pk=user.pk).first() if isinstance(user, User) else None  # it may just be erased
    record(kind, now=timezone.now(), user=known, **{name: str(value)[:50] for name, value in values.items()}, **details)


class SecurityLogMiddleware:
    """Records exports of data, rejected links, pages refused to accounts, and bursts of refused requests."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if kind := _kind_of(request, response):
            _record(kind, request, request.user)
        if response.status_code in NOT_PERMITTED and (address := _address_if_known(request)):
            user = request.user if request.user.is_authenticated else None
            count_refusal(address=address, now=timezone.now(), user=user)
        return response


def _kind_of(request: HttpRequest, response: HttpResponse) -> Kind | None:
    name = request.resolver_match.view_name if request.resolver_match else ""
    if name in DOORS and response.status_code in REFUSED:
        return Kind.LINK_REFUSED
    if name and response.status_code in HIDDEN and request.user.is_authenticated:
        return Kind.ACCESS_REFUSED if _is_new(request.user) else None
    taken = "attachment" in response.get("Content-Disposition", "")
    taken = taken or response.get("Content-Type", "").startswith(DATA_TYPES)
    return Kind.EXPORTED if taken and request.method == "GET" and response.status_code == 200 else None


def _is_new(user: User) -> bool:
    """Return whether one more refused request of the account is an event of its own, and not part of a flood."""
    return within_limit(name=f"access refused {user.pk}", most=OF_STRANGERS, now=timezone.now())


def connect() -> None:
    """Begin to keep what the signals of accounts, tokens and the administration tell."""
    for signal, kind in BY_SIGNAL:
        signal.connect(_receiver(kind), weak=False, dispatch_uid=f"security log {kind} {id(signal)}")
    auth.user_login_failed.connect(_failed)
    social.social_account_added.connect(_connected)
    social.social_account_removed.connect(_disconnected)
    post_save.connect(_token_created, sender=ApiToken)
    post_delete.connect(_token_revoked, sender=ApiToken)
    post_save.connect(_administered, sender=LogEntry)


def _receiver(kind: Kind) -> Callable[..., None]:
    def keep(sender: object, request: HttpRequest | None = None, user: Any = None, **_signal: Any) -> None:
        _record(kind, request, user)

    return keep


def _failed(sender: object, credentials: dict[str, Any], request: HttpRequest | None = None, **_signal: Any) -> None:
    """Keep whose account it was. What was typed is not kept: it may be a password in the wrong field."""
    address = credentials.get("email") or credentials.get("username") or ""
    _record(Kind.SIGN_IN_FAILED, request, User.objects.filter(email__iexact=address).first() if address else None)


def _connected(sender: object, request: HttpRequest, sociallogin: SocialLogin, **_signal: Any) -> None:
    _record(Kind.SINGLE_SIGN_ON_CONNECTED, request, sociallogin.user)


def _disconnected(sender: object, request: HttpRequest, socialaccount: SocialAccount, **_signal: Any) -> None:
    _record(Kind.SINGLE_SIGN_ON_DISCONNECTED, request, socialaccount.user)


def _token_created(sender: object, instance: ApiToken, created: bool, **_signal: Any) -> None:
    if created:
        record(Kind.TOKEN_CREATED, now=timezone.now(), user=instance.user, scope=instance.scope)


def _token_revoked(sender: object, instance: ApiToken, origin: Any = None, **_signal: Any) -> None:
    if origin is instance or getattr(origin, "model", None) is ApiToken:  # not those that go with their account
        record(Kind.TOKEN_REVOKED, now=timezone.now(), user=instance.user, scope=instance.scope)


def _administered(sender: object, instance: LogEntry, **_signal: Any) -> None:
    about = {"table": instance.content_type.model if instance.content_type else "", "row": instance.object_id}
    record(Kind.ADMINISTERED, now=timezone.now(), user=instance.user, **about)
