"""The first account of an installation administers it."""

import base64
import hashlib
import hmac
import logging
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.models import Installation, User

logger = logging.getLogger(__name__)
LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1"}


def is_local() -> bool:
    """Whether people reach the installation from its own machine only: by the address that they type, and on which
    the server listens, where it says so."""
    return urlsplit(settings.PUBLIC_URL).hostname in LOCAL_HOSTS and not settings.OTHERS_REACH_IT


def setup_code() -> str:
    """The code by which the first administrator shows that they run the machine: given, or made of the secret key."""
    if settings.SETUP_CODE:
        return settings.SETUP_CODE
    digest = hmac.digest(settings.SECRET_KEY.encode(), b"semblance setup code", hashlib.sha256)
    return base64.b32encode(digest)[:16].decode().lower()


def first_is_administrator() -> bool:
    """Whether whoever signs up next becomes the administrator without a code: nobody has, on this very machine."""
    return is_local() and not User.objects.exists()


def asks_for_code() -> bool:
    """Whether signing up offers to become the administrator with the code: elsewhere, while there is none."""
    return not is_local() and not Installation.objects.exists() and not _administrators_exist()


def _administrators_exist() -> bool:
    return User.objects.filter(is_superuser=True).exists()


def guard_code(code: str) -> None:
    """Raises Refusal for a code that is not the one; none at all is fine."""
    if code and not (asks_for_code() and constant_time_compare(code.strip().lower(), setup_code().lower())):
        raise Refusal(_("This is not the setup code that the server has written into its log."))


def claim_installation(*, code: str, now: datetime) -> bool:
    """Whether the account that is about to be made administers: as the first, or by the code. Only one ever does.

    To be called in the transaction that makes the account: of two that sign up in the same moment the row of the
    installation lets one through, and the other only if that one fails.

    Raises:
        Refusal: a code that is not the one.
    """
    guard_code(code)
    if not code and not first_is_administrator():
        return False
    try:
        with transaction.atomic():
            Installation.objects.create(pk=1, administered_at=now)
    except IntegrityError:
        return False
    return True


def make_administrator(user: User) -> None:
    """May do everything, in every project."""
    user.is_superuser = user.is_staff = True
    user.save(update_fields=["is_superuser", "is_staff"])


def tell_setup_code(**kwargs: Any) -> None:
    """Writes the code into the log while it is good for something; a receiver of `post_migrate`."""
    if asks_for_code():
        logger.warning("Nobody administers this installation yet. Sign up with the setup code %s", setup_code())
