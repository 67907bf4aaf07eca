"""Digests in the database that are compared years later, by a key that a change of SECRET_KEY leaves as it is."""

import hashlib
import hmac

from django.conf import settings
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.models import DigestKey


def digest_key() -> bytes:
    """Return the key of lasting digests.

    The first time it is stored, and is the oldest known SECRET_KEY, by which earlier versions made the digests that are
    in the database.

    Raises:
        Refusal: the key was encrypted with a SECRET_KEY that is not known. Another key would match no digest, so that
            people who have unsubscribed would get emails again.
    """
    oldest = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS][-1]
    row, _new = DigestKey.objects.get_or_create(pk=1, defaults={"key": oldest})
    if not row.key:
        raise Refusal(
            _(
                "A key in the database can’t be decrypted. The administrator has to add the earlier SECRET_KEY to "
                "SECRET_KEY_FALLBACKS and run “reencrypt”."
            )
        )
    return row.key.encode()


def lasting_digest(text: str, key: bytes | None = None) -> bytes:
    """Return the HMAC-SHA256 of a text. Parameters: key, from `digest_key`, if there are several texts."""
    return hmac.digest(key or digest_key(), text.encode(), hashlib.sha256)
