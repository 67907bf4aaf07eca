"""The sessions of browsers, with the account that is signed in."""

from datetime import datetime
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.crypto import salted_hmac

SALT = "semblance.session"


class BrowserSession(AbstractBaseSession):
    """A session as Django stores it, with what its person needs to recognize it: browser, beginning and last use."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="browser_sessions")
    browser = models.CharField(max_length=60, blank=True, help_text="Such as Firefox (Linux).")
    began_at = models.DateTimeField(null=True, help_text="Empty for sessions of versions that did not store it.")
    used_at = models.DateTimeField(help_text="Not more exact than a few minutes.")

    class Meta:
        ordering = ["-used_at"]

    def __str__(self) -> str:
        return f"session of {self.user_id or 'nobody'}"

    def is_over(self, now: datetime) -> bool:
        """Return whether the session has reached its age, or was not used for too long."""
        idle = settings.SESSION_IDLE_AGE
        return self.expire_date <= now or (bool(idle) and now - self.used_at > idle)

    @property
    def reference(self) -> str:
        """Return a name for pages: whoever has the key is signed in."""
        return salted_hmac(SALT, self.session_key).hexdigest()[:16]

    @classmethod
    def get_session_store_class(cls) -> Any:
        return import_module(settings.SESSION_ENGINE).SessionStore
