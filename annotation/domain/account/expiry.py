"""Deletion of expired data: sessions, tokens, invitations, and emails kept as files."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from email import message_from_bytes
from email.utils import getaddresses
from importlib import import_module
from pathlib import Path

from django.conf import settings
from django.contrib.sessions.models import Session

from annotation.domain.project.members import DAYS
from annotation.models import ApiToken, MemberInvitation, User

BETWEEN = b"-" * 79 + b"\n"  # after each email of a file
KEPT = timedelta(days=30)  # after the end, so that people can find out why something stopped working


def delete_expired(now: datetime) -> None:
    """Delete expired sessions; and a month after their end API tokens, invitations of members, and emails in files."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    ApiToken.objects.filter(expiry__lt=now - KEPT).delete()
    MemberInvitation.objects.filter(invited_at__lt=now - KEPT - timedelta(days=DAYS)).delete()
    for path in _kept_mails():
        if path.stat().st_mtime < (now - KEPT).timestamp():
            path.unlink(missing_ok=True)


def end_sessions(user: User, but: str | None = None) -> None:
    """Delete the sessions of an account and their data. Parameters: but, the key of one that stays."""
    for session in Session.objects.exclude(pk=but or "").iterator(chunk_size=1000):
        if session.get_decoded().get("_auth_user_id") == str(user.pk):
            session.delete()


def delete_kept_mails(addresses: set[str]) -> None:
    """Delete the emails to these addresses that are kept as files, because this server sends none."""
    for path in _kept_mails():
        letters = path.read_bytes().split(BETWEEN)  # several that were sent in the same second
        others = [letter for letter in letters if not addresses & _recipients(letter)]
        if any(letter.strip() for letter in others):
            path.write_bytes(BETWEEN.join(others))
        else:
            path.unlink(missing_ok=True)


def _kept_mails() -> Iterator[Path]:
    folder = getattr(settings, "EMAIL_FILE_PATH", None)
    return Path(folder).glob("*.log") if folder else iter(())


def _recipients(letter: bytes) -> set[str]:
    to = message_from_bytes(letter.lstrip()).get_all("To", [])
    return {address.lower() for _name, address in getaddresses(to)}
