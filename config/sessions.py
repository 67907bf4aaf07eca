"""Sessions in the database, each read by a query that is made once."""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.db import DatabaseError
from django.db.models import QuerySet
from django.utils import timezone

from annotation.models import BrowserSession
from annotation.prepared import Prepared

NOTED_EVERY = timedelta(minutes=5)


class SessionStore(db.SessionStore):
    """Django's own, but with the account, browser and last use in columns, and one query prepared.

    Attributes: browser, in words; began_at, when somebody signed in or a stranger first needed a session.
    """

    def __init__(self, session_key: str | None = None) -> None:
        super().__init__(session_key)
        self.browser = ""
        self.began_at: datetime | None = timezone.now()

    @classmethod
    def get_model_class(cls) -> type[BrowserSession]:
        return BrowserSession

    def flush(self) -> None:
        super().flush()
        self.browser, self.began_at = "", timezone.now()  # what follows is another session

    def create_model_instance(self, data: dict[str, Any]) -> BrowserSession:
        row = super().create_model_instance(data)
        row.user_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        row.browser, row.began_at, row.used_at = self.browser, self.began_at, timezone.now()
        return row

    def _get_session_from_db(self) -> BrowserSession | None:
        now = timezone.now()
        found = _session(key=self.session_key)
        if not found or found[0].is_over(now):
            self._session_key = None
            return None
        self.browser, self.began_at = found[0].browser, found[0].began_at
        if now - found[0].used_at > min(NOTED_EVERY, settings.SESSION_IDLE_AGE / 10 or NOTED_EVERY):
            _note_use(found[0].pk, now)
        return found[0]


def _note_use(key: str, now: datetime) -> None:
    with suppress(DatabaseError):  # no reason to fail a page
        BrowserSession.objects.filter(pk=key).update(used_at=now)


@Prepared
def _session(key: str) -> QuerySet[BrowserSession]:
    return BrowserSession.objects.filter(pk=key)
