"""Encryption of secrets in the database: second factors, and tokens of other services.

The key is derived from SECRET_KEY; values encrypted with earlier keys (SECRET_KEY_FALLBACKS) can be read until they are
encrypted again.
"""

import hashlib
import hmac
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import cache
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import models

MARK = "aes256gcm:"  # how an encrypted value begins
EARLIER = "fernet:"  # how those of earlier versions begin, until `reencrypt` has run
NONCE = 12  # bytes, new and random for each value


class Unreadable(Exception):
    """The value was encrypted with another SECRET_KEY."""


def encrypt(text: str) -> str:
    """Return the text encrypted with the present key."""
    nonce = os.urandom(NONCE)
    sealed = nonce + AESGCM(_derived(settings.SECRET_KEY)).encrypt(nonce, text.encode(), None)
    return MARK + urlsafe_b64encode(sealed).decode()


def decrypt(stored: str) -> str:
    """Return the text of an encrypted value; a value from before there was encryption is returned as it is.

    Raises:
        Unreadable: no known key has encrypted it.
    """
    if not stored.startswith((MARK, EARLIER)):
        return stored
    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        try:
            return _opened(stored, secret).decode()
        except (InvalidTag, InvalidToken, ValueError):
            continue
    raise Unreadable


def _opened(stored: str, secret: str) -> bytes:
    if stored.startswith(EARLIER):
        key = urlsafe_b64encode(_derived(secret, b"semblance secrets in the database"))
        return Fernet(key).decrypt(stored.removeprefix(EARLIER))
    sealed = urlsafe_b64decode(stored.removeprefix(MARK))
    return AESGCM(_derived(secret)).decrypt(sealed[:NONCE], sealed[NONCE:], None)


def keyed_hash(text: str) -> bytes:
    """Return the HMAC-SHA256 of a text with SECRET_KEY, from which nobody works out the text.

    Parameters: text, unlike those of all other uses.
    """
    return hmac.digest(settings.SECRET_KEY.encode(), text.encode(), hashlib.sha256)


@cache
def _derived(secret: str, purpose: bytes = b"semblance secrets in the database, AES-256-GCM") -> bytes:
    """Return a separate key of 32 bytes, so that nothing else derived from the secret reveals it."""
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose).derive(secret.encode())


class EncryptedText(models.TextField):
    """A text that is encrypted in the database; one that cannot be read any more is empty."""

    def get_prep_value(self, value: str | None) -> str | None:
        return encrypt(value) if value else value

    def from_db_value(self, value: str | None, *arguments: Any) -> str | None:
        try:
            return decrypt(value) if value else value
        except Unreadable:
            return ""
