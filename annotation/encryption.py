"""Encryption of secrets in the database: second factors, and tokens of other services.

The key is derived from SECRET_KEY; values encrypted with earlier keys (SECRET_KEY_FALLBACKS) can be read until they are
encrypted again.
"""

import hashlib
import hmac
from base64 import urlsafe_b64encode
from functools import cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import models

MARK = "fernet:"  # how an encrypted value begins


class Unreadable(Exception):
    """The value was encrypted with another SECRET_KEY."""


def encrypt(text: str) -> str:
    """Return the text encrypted with the present key."""
    return MARK + _keys().encrypt(text.encode()).decode()


def decrypt(stored: str) -> str:
    """Return the text of an encrypted value; a value from before there was encryption is returned as it is.

    Raises:
        Unreadable: no known key has encrypted it.
    """
    if not stored.startswith(MARK):
        return stored
    try:
        return _keys().decrypt(stored.removeprefix(MARK)).decode()
    except InvalidToken as error:
        raise Unreadable from error


def keyed_hash(text: str) -> bytes:
    """Return the HMAC-SHA256 of a text with SECRET_KEY, from which nobody works out the text.

    Parameters: text, unlike those of all other uses.
    """
    return hmac.digest(settings.SECRET_KEY.encode(), text.encode(), hashlib.sha256)


def _keys() -> MultiFernet:
    return _keys_of(settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


@cache
def _keys_of(*secrets: str) -> MultiFernet:
    return MultiFernet([Fernet(_derived(secret)) for secret in secrets])


def _derived(secret: str) -> bytes:
    """Return a separate key, so that nothing else derived from the secret reveals it."""
    derivation = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"semblance secrets in the database")
    return urlsafe_b64encode(derivation.derive(secret.encode()))


class EncryptedText(models.TextField):
    """A text that is encrypted in the database; one that cannot be read any more is empty."""

    def get_prep_value(self, value: str | None) -> str | None:
        return encrypt(value) if value else value

    def from_db_value(self, value: str | None, *arguments: Any) -> str | None:
        try:
            return decrypt(value) if value else value
        except Unreadable:
            return ""
