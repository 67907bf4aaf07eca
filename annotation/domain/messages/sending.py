"""Emails whose sending is recorded in the database."""

import logging

from django.core.mail import send_mail
from django.db import transaction

from annotation.domain.messages.unsubscribing import send_with_link
from annotation.models import Project, User

logger = logging.getLogger(__name__)


def send_noted(subject: str, text: str, user: User, what: str, *, project: Project | None = None) -> bool:
    """Send an email that this transaction notes as sent, and return whether that worked.

    If not, the transaction is rolled back, so that the email is sent later. Parameters: what, its name in the log;
    project, from whose reminders the email lets people unsubscribe.
    """
    try:
        if project is None:
            send_mail(" ".join(subject.split()), text, None, [user.email])
        else:
            send_with_link(subject=subject, text=text, address=user.email, project=project)
    except OSError:
        logger.exception("%s will be sent by email later.", what)
        transaction.set_rollback(True)
        return False
    return True
