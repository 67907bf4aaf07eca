"""Second factors: their secrets are encrypted in the database."""

import base64
import logging
import secrets

from allauth.mfa.adapter import DefaultMFAAdapter

from annotation.encryption import Unreadable, decrypt, encrypt

logger = logging.getLogger(__name__)


class SecondFactors(DefaultMFAAdapter):
    """allauth's own, with encryption of what codes are computed from."""

    def encrypt(self, text: str) -> str:
        return encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        """Return the secret; if it can no longer be read, return a random one, so that no code is accepted."""
        try:
            return decrypt(encrypted_text)
        except Unreadable:
            logger.warning("A second factor was encrypted with another SECRET_KEY and does not work.")
            return base64.b32encode(secrets.token_bytes(20)).decode()
