"""The browsers in which people without an account began, and their proof of who they are in any other."""

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.cookies import cookie_name, read_signed_cookie
from annotation.domain.rate_limits import within_limit
from annotation.domain.recruiting.guests import is_code_of
from annotation.models import Guest, User
from annotation.security import address_of

SALT = "semblance.browser"
PATH = "/crowd/"  # of a cookie without the prefix, which demands the whole host
LASTS = timedelta(days=365)
PROOF = "proved_at"
PROOF_LASTS = timedelta(minutes=30)
CODES_AN_HOUR = 30  # tried from one internet address


def remember_browser(response: HttpResponse, guest: Guest) -> None:
    """Bind the browser to the guest: a session ends, such as when somebody else signs in; the cookie stays."""
    options = {
        "max_age": LASTS,
        "path": "/" if settings.COOKIE_PREFIX else PATH,
        "httponly": True,
        "secure": settings.HTTPS,
        "samesite": "Lax",
    }
    response.set_signed_cookie(cookie_name(_name(guest.user)), guest.nonce, salt=SALT, **options)


def is_browser_of(request: HttpRequest, user: User) -> bool:
    """Return whether the person began in this browser, or has proved there who they are."""
    nonce = read_signed_cookie(request, _name(user), salt=SALT, max_age=LASTS)
    guest = getattr(user, "guest", None)
    return guest is not None and nonce == guest.nonce


def _name(user: User) -> str:
    return f"place-{user.pk}"


def note_proof(request: HttpRequest, user: User) -> None:
    """Store that the person has just opened their own link or typed their code."""
    request.session[PROOF] = [user.pk, timezone.now().timestamp()]


def check_code(request: HttpRequest, guest: Guest) -> str:
    """Return what is wrong with the code that was posted; "" if it is the guest's."""
    if not within_limit(name=f"code from {address_of(request)}", most=CODES_AN_HOUR, now=timezone.now()):
        return _("Too many attempts. Try again in an hour.")
    return "" if is_code_of(guest, request.POST["code"]) else _("This code is not correct.")


def has_proved(request: HttpRequest) -> bool:
    """Return whether the person has lately opened their own link or typed their code."""
    pk, at = request.session.get(PROOF, (None, 0))
    return pk == request.user.pk and timezone.now().timestamp() - at < PROOF_LASTS.total_seconds()
