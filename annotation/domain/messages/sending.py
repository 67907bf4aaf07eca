"""Emails of which the database notes that they were sent."""

import logging

from django.core.mail import send_mail
from django.db import transaction

from annotation.models import User

logger = logging.getLogger(__name__)


def send_noted(subject: str, text: str, user: User, what: str) -> bool:
    """Send an email that this transaction notes as sent, and return whether that worked.

    If not, the transaction is rolled back, so that the email is sent later. Parameters: what, its name in the log.
    """
    try:
        send_mail(" ".join(subject.split()), text, None, [user.email])
    except OSError:
        logger.exception("%s will be sent by email later.", what)
        transaction.set_rollback(True)
        return False
    return True
