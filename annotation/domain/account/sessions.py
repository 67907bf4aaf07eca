"""Where a person is signed in: their sessions, and how they end."""

from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.models import BrowserSession, User

BROWSERS = (  # most also name the browser that they derive from, so the first match counts
    *(("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet")),
    *(("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("Chrome/", "Chrome"), ("CriOS/", "Chrome")),
    ("Safari/", "Safari"),
)
SYSTEMS = (
    *(("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("CrOS", "ChromeOS")),
    *(("Windows", "Windows"), ("Mac OS X", "macOS"), ("Linux", "Linux")),
)


def describe_browser(user_agent: str) -> str:
    """Return the browser and the system that a User-Agent header names, such as Firefox (Linux); "" for others."""
    browser, system = (next((name for mark, name in names if mark in user_agent), "") for names in (BROWSERS, SYSTEMS))
    return f"{browser} ({system})" if browser and system else browser or system


def end_sessions(user: User, but: str | None = None) -> int:
    """Delete the sessions of an account, with what they hold, and return how many.

    Parameters: but, the key of a session that stays.
    """
    return user.browser_sessions.exclude(pk=but or "").delete()[0]


def end_session(user: User, reference: str, but: str | None = None) -> BrowserSession:
    """End the session of the person that pages call `reference`, and return it.

    Parameters: but, the key of the session in use, which ends by signing out.

    Raises:
        Refusal: there is no such session, or no longer.
    """
    for session in user.browser_sessions.exclude(pk=but or ""):
        if session.reference == reference:
            BrowserSession.objects.filter(pk=session.pk).delete()
            return session
    raise Refusal(_("This browser is no longer signed in."))
