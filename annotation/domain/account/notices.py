"""Emails that tell people of changes to their account, in case somebody else made them."""

import logging

from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from annotation.domain.languages import speaking_to
from annotation.models import User

logger = logging.getLogger(__name__)


def notify(user: User, template: str, **values: object) -> None:
    """Send an email about a change to the person's account; a failure does not stop the change."""
    if not user.email:
        return
    with speaking_to(user):
        text = render_to_string(f"email/{template}.txt", values)
        try:
            send_mail(_("Semblance: your account has changed"), text, None, [user.email])
        except OSError:
            logger.exception("A notice of a change could not be sent.")
