"""The security log: sign-ins and failed sign-ins, changes of access, and exports of data."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

KEPT = timedelta(days=180)  # then a task deletes them; the database refuses it before


class SecurityKind(models.TextChoices):
    """Events of accounts and links. Actions in a project have the names of the audit log."""

    SIGNED_IN = "signed in", _("signed in")
    SIGNED_OUT = "signed out", _("signed out")
    SESSIONS_ENDED = "sessions ended", _("signed out elsewhere")
    SIGN_IN_FAILED = "sign-in failed", _("sign-in failed")
    SECOND_STEP_FAILED = "second step failed", _("two-factor authentication failed")
    SECOND_FACTOR_ADDED = "second factor added", _("second factor added")
    SECOND_FACTOR_REMOVED = "second factor removed", _("second factor removed")
    PASSWORD_CHANGED = "password changed", _("password changed")
    ADDRESS_CHANGED = "address changed", _("email addresses changed")
    TOKEN_CREATED = "token created", _("API token created")
    TOKEN_REVOKED = "token revoked", _("API token revoked")
    EXPORTED = "exported", _("data exported")
    LINK_REFUSED = "link refused", _("link rejected")
    SINGLE_SIGN_ON_CONNECTED = "single sign-on connected", _("single sign-on connected")
    SINGLE_SIGN_ON_DISCONNECTED = "single sign-on disconnected", _("single sign-on disconnected")
    GROUPS_APPLIED = "groups applied", _("permissions changed by single sign-on")
    ACCESS_REFUSED = "access refused", _("access refused")
    REQUESTS_REFUSED = "requests refused", _("many requests refused")
    ADMINISTERED = "administered", _("changed on the administration pages")


class SecurityEvent(models.Model):
    """An event that an administrator may look up later. It contains no secrets and nothing that somebody typed."""

    kind = models.CharField(max_length=40)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    address = models.CharField(max_length=50, blank=True, help_text="Of the client, where there was a request.")
    project_key = models.CharField(max_length=50, blank=True)
    details = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [
            models.Index(fields=["-at", "-id"], name="security_by_time"),
            models.Index(fields=["kind", "-at", "-id"], name="security_by_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.at:%Y-%m-%d %H:%M}"
