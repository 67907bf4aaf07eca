"""The first administrator of an installation.

They prove with a code that they can read the server's output. Addresses of clients, hosts and listeners are not
trusted: behind a proxy they are all local.
"""

import base64
import logging
from datetime import datetime
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.encryption import keyed_hash
from annotation.models import Installation, User

logger = logging.getLogger(__name__)

CODE_LENGTH = 26  # letters and digits of 5 bits: 130 bits; people open it as a link or paste it


def setup_code() -> str:
    """Return the code by which the first administrator shows that they run the machine: set, or from the secret key."""
    if settings.SETUP_CODE:
        return settings.SETUP_CODE
    digest = keyed_hash("semblance setup code")
    return base64.b32encode(digest)[:CODE_LENGTH].decode().lower()


def setup_link(url: str) -> str:
    """Return the link by which the first administrator signs up, or "" if there is an administrator."""
    return f"{url}/account/signup/?setup_code={quote(setup_code())}" if asks_for_code() else ""


def asks_for_code() -> bool:
    """Return whether signing up asks for the code of the administrator: while there is none."""
    return not (Installation.objects.exists() or User.objects.filter(is_superuser=True).exists())


def guard_code(code: str) -> None:
    """Raise Refusal for a wrong code; an empty one is accepted."""
    if code and not (asks_for_code() and constant_time_compare(code.strip().lower(), setup_code().lower())):
        raise Refusal(_("This is not the setup code. You can find it in the server’s log."))


def claim_installation(*, code: str, now: datetime) -> bool:
    """Return whether the account about to be made becomes the administrator, by the code.

    To be called in the transaction that makes the account: of two that sign up at the same moment the row of the
    installation lets one through, and the other only if that one fails.

    Raises:
        Refusal: the code is wrong.
    """
    guard_code(code)
    if not code:
        return False
    try:
        with transaction.atomic():
            Installation.objects.create(pk=1, administered_at=now)
    except IntegrityError:
        return False
    return True


def make_administrator(user: User) -> None:
    """Let the person do everything, in every project."""
    user.is_superuser = user.is_staff = True
    user.save(update_fields=["is_superuser", "is_staff"])


def guard_last_administrator(user: User) -> None:
    """Raise Refusal where nobody would administer the installation without this account."""
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    if user.is_superuser and user.is_active and not others.exists():
        raise Refusal(_("This is the only administrator. Make someone else an administrator first."))


def log_setup_code(verbosity: int = 1, **kwargs: Any) -> None:
    """Write the code into the log while it is of use; a receiver of `post_migrate`, which may be asked to be quiet."""
    migrated = Installation._meta.db_table in connection.introspection.table_names()  # as a whole, not only one app
    if verbosity and migrated and asks_for_code():
        logger.warning("Nobody administers this installation yet. Sign up with the setup code %s", setup_code())
