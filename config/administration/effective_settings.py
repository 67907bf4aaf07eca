"""The settings in effect, as administrators see them; nothing secret is among them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import connection
from django.template.defaultfilters import filesizeformat
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.recruiting.mailings import sends_email


@dataclass(frozen=True)
class Setting:
    """title: in words. value: in effect. name: of the variable that changes it, empty if none does."""

    title: str | Promise
    value: str
    name: str = ""


def effective_settings() -> Iterator[Setting]:
    """Yield the settings that administrators ask about."""
    yield Setting(gettext_lazy("Database"), connection.vendor, "DATABASE_URL")
    yield Setting(gettext_lazy("Data folder"), str(settings.DATA_DIR), "DATA_DIR")
    mail = settings.EMAIL_HOST if sends_email() else _("Not sent: emails are written to files")
    yield Setting(gettext_lazy("Email"), mail, "EMAIL_URL")
    yield Setting(gettext_lazy("Sender of emails"), settings.DEFAULT_FROM_EMAIL, "DEFAULT_FROM_EMAIL")
    yield Setting(gettext_lazy("Single sign-on"), settings.OIDC_URL or _("Off"), "OIDC_URL")
    required = _("Required of administrators and managers") if settings.REQUIRE_SECOND_FACTOR else _("Optional")
    yield Setting(gettext_lazy("Two-factor authentication"), required, "REQUIRE_SECOND_FACTOR")
    hours = settings.SESSION_IDLE_AGE.total_seconds() / 3600
    idle = _("%(hours)s hours") % {"hours": f"{hours:g}"} if hours else _("No limit")
    yield Setting(gettext_lazy("Longest session without use"), idle, "SESSION_IDLE_HOURS")
    outgoing = ", ".join(settings.OUTGOING_HOSTS) or _("Any public address")
    yield Setting(gettext_lazy("Webhooks and models may lead to"), outgoing, "OUTGOING_HOSTS")
    yield Setting(gettext_lazy("Hosts"), ", ".join(settings.ALLOWED_HOSTS) or "–", "ALLOWED_HOSTS")
    yield Setting(gettext_lazy("Largest upload"), filesizeformat(settings.UPLOAD_MAX_BYTES), "UPLOAD_MAX_BYTES")
    yield Setting(gettext_lazy("Joining by one link, per address"), _rate(settings.JOIN_RATE), "JOIN_RATE")
    everywhere = _rate(settings.JOIN_RATE_OF_ADDRESS)
    yield Setting(gettext_lazy("Joining by all links, per address"), everywhere, "JOIN_RATE_OF_ADDRESS")
    person, study = settings.BONUS_MOST_PER_PERSON, settings.BONUS_MOST_PER_STUDY
    yield Setting(gettext_lazy("Highest bonus per person"), str(person), "BONUS_MOST_PER_PERSON")
    yield Setting(gettext_lazy("Highest bonuses per study"), str(study), "BONUS_MOST_PER_STUDY")
    yield Setting(
        gettext_lazy("Lowest hourly pay of a Prolific study"), str(settings.MINIMUM_HOURLY_PAY), "MINIMUM_HOURLY_PAY"
    )
    yield Setting(gettext_lazy("Security contact"), settings.SECURITY_CONTACT or "–", "SECURITY_CONTACT")
    monitored = _("Set") if settings.MONITOR_TOKEN else _("Not set")
    yield Setting(gettext_lazy("Token for metrics"), monitored, "MONITOR_TOKEN")


def _rate(limit: Any) -> str:
    most, seconds = limit
    return _("%(number)s in %(minutes)s minutes") % {"number": most, "minutes": round(seconds / 60)}
