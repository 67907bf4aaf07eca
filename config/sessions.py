"""Sessions in the database, each read by a query that is made once."""

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from annotation.prepared import Prepared


class SessionStore(db.SessionStore):
    """Django's own, but for the query with which every request of somebody signed in begins."""

    def _get_session_from_db(self) -> Session | None:
        found = _session(key=self.session_key)
        if found and found[0].expire_date > timezone.now():
            return found[0]
        self._session_key = None
        return None


@Prepared
def _session(key: str) -> QuerySet[Session]:
    return Session.objects.filter(pk=key)
