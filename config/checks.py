"""Checks of PUBLIC_URL and of single sign-on, with errors in words."""

from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks

LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1"}
EXAMPLE = "Use the address at which people open Semblance, such as https://semblance.example.org"
CLEAR = "uses http, so passwords and answers are sent unencrypted"


def check_public_url(app_configs=None, **kwargs):
    url = settings.PUBLIC_URL
    try:
        problem = public_url_error(url)
    except ValueError as error:
        problem = f"is not a valid URL: {error}"
    if problem:
        return [checks.Error(f"PUBLIC_URL={url!r} {problem}.", hint=EXAMPLE, id="config.E001")]
    if sends_passwords_in_the_clear(url):
        return [checks.Warning(f"PUBLIC_URL={url!r} {CLEAR}.", hint=EXAMPLE, id="config.W001")]
    return []


def public_url_error(url):
    """Return the error of an address as the end of a sentence, or ''."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or "://" not in url:
        return "has no scheme. It must start with http:// or https://"
    if not parts.hostname:
        return "has no host"
    if parts.path.strip("/") or parts.query or parts.fragment:
        return "has a path, query or fragment. Semblance must run at the root of its host"
    if parts.username or parts.password:
        return "contains a user name or a password. Remove it"
    if parts.port == 0:
        return "has port 0, which is not a valid port"
    return ""


def sends_passwords_in_the_clear(url):
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.hostname not in LOCAL_HOSTS and not settings.DEBUG


def check_single_sign_on(app_configs=None, **kwargs):
    if not settings.OIDC_URL:
        return []
    found = []
    parts = urlsplit(settings.OIDC_URL)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOCAL_HOSTS):
        found.append(("OIDC_URL must start with https://.", "Use the issuer that the provider's documentation names."))
    for name in ("OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"):
        if not getattr(settings, name):
            found.append((f"OIDC_URL is set, but {name} is not.", "The provider shows it for each client."))
    return [checks.Error(problem, hint=hint, id="config.E002") for problem, hint in found]
