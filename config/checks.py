"""Checks of PUBLIC_URL, with errors in words."""

from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks

LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1"}
EXAMPLE = "Give the address that people type, such as https://semblance.example.org"
CLEAR = "is plain http: passwords and answers travel unencrypted"


def check_public_url(app_configs=None, **kwargs):
    url = settings.PUBLIC_URL
    try:
        problem = public_url_error(url)
    except ValueError as error:
        problem = f"cannot be read as an address: {error}"
    if problem:
        return [checks.Error(f"PUBLIC_URL={url!r} {problem}.", hint=EXAMPLE, id="config.E001")]
    if sends_passwords_in_the_clear(url):
        return [checks.Warning(f"PUBLIC_URL={url!r} {CLEAR}.", hint=EXAMPLE, id="config.W001")]
    return []


def public_url_error(url):
    """Return the error of an address as the end of a sentence, or ''."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or "://" not in url:
        return "has no scheme: it must begin with http:// or https://"
    if not parts.hostname:
        return "names no host"
    if parts.path.strip("/") or parts.query or parts.fragment:
        return "has more than a host and a port: Semblance lives at the root of its host"
    if parts.username or parts.password:
        return "holds a name or a password, which does not belong there"
    if parts.port == 0:
        return "has port 0, where nothing can be reached"
    return ""


def sends_passwords_in_the_clear(url):
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.hostname not in LOCAL_HOSTS and not settings.DEBUG
