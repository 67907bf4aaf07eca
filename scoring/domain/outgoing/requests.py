"""Requests to an address that a user chose: never into the private network, never following redirects."""

import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import Timer
from typing import Any, BinaryIO
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal

SILENCE = 10.0  # seconds without a byte
WHOLE = 20.0  # seconds in all
MOST_TRIED = 3  # addresses of one name
GLOBAL_UNICAST, NAT64 = ip_network("2000::/3"), ip_network("64:ff9b::/96")
LOCAL = {"localhost", "127.0.0.1", "::1"}


class Unreachable(Exception):
    """There was no answer; the message says why."""


@dataclass(frozen=True)
class Response:
    """An answer: its status, its headers by their names in small letters, and the beginning of its body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Rules:
    """What a request may do. private: lead into the private network, and go without https. silence, whole: seconds
    without a byte, and in all. longest: bytes of the answer that are read."""

    private: bool
    silence: float
    whole: float
    longest: int = 0

    @classmethod
    def of_webhooks(cls) -> "Rules":
        """Return the rules for webhooks, of whose answers only the status is read."""
        return cls(settings.WEBHOOKS_TO_PRIVATE_ADDRESSES, SILENCE, WHOLE)


def check_url(url: str, *, private: bool | None = None) -> SplitResult:
    """Return the parts of an address that may be written to. Raise Refusal if it is invalid, carries a password, is not
    https, is not among the hosts that the operator allows, or is a private address written in digits.

    Parameters: private, whether private addresses and http are allowed; by default, what is allowed to webhooks.
    """
    private = settings.WEBHOOKS_TO_PRIVATE_ADDRESSES if private is None else private
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
    except ValueError as error:
        raise Refusal(_("This is not a valid URL.")) from error
    if parts.scheme not in ("http", "https") or not host or port == 0:
        raise Refusal(_("The URL must begin with https://."))
    if parts.username is not None or parts.password is not None:
        raise Refusal(
            _("Remove the user name and password from the URL. Requests are authenticated by their signature.")
        )
    _check_listed(host)
    if parts.scheme == "http" and not (settings.DEBUG or private or host in LOCAL):
        raise Refusal(_("The URL must begin with https://."))
    if host in LOCAL or _is_number(host):
        _check_public("127.0.0.1" if host == "localhost" else host, private)
    return parts


def _check_listed(host: str) -> None:
    """Raise Refusal for a host that the operator does not allow; `.example.org` in the list stands for all below it."""
    listed = settings.OUTGOING_HOSTS
    if listed and not any(host == name.lstrip(".") or (name[:1] == "." and host.endswith(name)) for name in listed):
        reason = _("This server does not connect to %(host)s. Ask its operator to add the host to OUTGOING_HOSTS.")
        raise Refusal(reason % {"host": host})


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _check_public(address: str, private: bool) -> None:
    if not private and not _is_public(ip_address(address.split("%")[0])):
        raise Refusal(
            _("%(address)s is in a private network. This server only connects to public addresses.")
            % {"address": address}
        )


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is public, and so is the one that it carries for a translator or a tunnel."""
    if isinstance(address, IPv4Address):
        return address.is_global and not address.is_multicast
    if address in NAT64:
        return _is_public(IPv4Address(int(address) & 0xFFFFFFFF))
    carried = address.sixtofour or (address.teredo or (None, None))[1]
    return address in GLOBAL_UNICAST and address.is_global and (carried is None or _is_public(carried))


def post(url: str, body: bytes, headers: dict[str, str], rules: Rules | None = None) -> Response:
    """Post the body and return the answer, as `send` does. Parameters: rules, by default those for webhooks."""
    return send("POST", url, body, headers, rules or Rules.of_webhooks())


def send(method: str, url: str, body: bytes | BinaryIO, headers: dict[str, str], rules: Rules) -> Response:
    """Send a request and return the answer; no redirect is followed and no proxy used. Raise Unreachable if there is no
    answer in time, or the address may not be written to.

    Parameters: body, bytes or an open file; the headers have the length of a file.
    """
    try:
        parts = check_url(url, private=rules.private)
        return _exchange(_connection(parts, rules), parts, method, body, headers, rules)
    except Refusal as error:
        raise Unreachable(str(error)) from error
    except (OSError, HTTPException, UnicodeError) as error:
        raise Unreachable(f"{type(error).__name__}: {error}") from error


def _connection(parts: SplitResult, rules: Rules) -> HTTPConnection:
    host = parts.hostname or ""
    if parts.scheme == "https":
        connection: Any = HTTPSConnection(host, parts.port, timeout=rules.silence, context=ssl.create_default_context())
    else:
        connection = HTTPConnection(host, parts.port, timeout=rules.silence)
    # The checked address is the one that is connected to: a name cannot resolve to another in between.
    connection._create_connection = partial(_connect, rules.private)
    return connection


def _connect(private: bool, address: tuple[str, int], timeout: float, source: Any = None) -> socket.socket:
    host, port = address
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    for *_rest, place in found:
        _check_public(str(place[0]), private)
    last: OSError = OSError(f"No address found for {host}.")
    for *_rest, place in found[:MOST_TRIED]:
        try:
            return socket.create_connection((place[0], port), timeout)
        except OSError as error:
            last = error
    raise last


def _exchange(
    connection: HTTPConnection,
    parts: SplitResult,
    method: str,
    body: bytes | BinaryIO,
    headers: dict[str, str],
    rules: Rules,
) -> Response:
    connection.connect()
    # An answer that arrives byte by byte would block this worker for ever.
    end = Timer(rules.whole, _cut, [connection.sock])
    end.daemon = True
    end.start()
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request(method, target, body or None, headers)
        answer = connection.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        return Response(answer.status, found, answer.read(rules.longest))
    finally:
        end.cancel()
        connection.close()


def _cut(connected: socket.socket) -> None:
    try:
        connected.shutdown(socket.SHUT_RDWR)
    except OSError:
        return
