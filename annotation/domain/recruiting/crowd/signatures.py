"""Signatures of Prolific on the addresses of secured studies.

A token in the address holds the IDs and is signed with one of the keys that Prolific publishes
(docs.prolific.com/api-reference/well-known-endpoints/get-study-jwks).
"""

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import jwt
from django.conf import settings
from django.core.cache import cache
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.errors import Refusal
from annotation.domain.recruiting.crowd.prolific import Refused, Unclear, published_keys

logger = logging.getLogger(__name__)
NOT_SIGNED = gettext_lazy(
    "The address of this page has no valid Prolific signature. Open the study from Prolific again."
)
ALGORITHM = "RS256"
CLAIM = "prolific"
LEEWAY = 30  # seconds by which two clocks may differ
KEYS = "prolific-keys"
RENEWED = 24 * 3600  # seconds
KEPT = 7 * RENEWED  # where Prolific does not answer
PATIENCE = 60  # seconds between two requests, however many addresses name keys that are not known


def check_signature(token: str, ids: Mapping[str, str], now: datetime) -> None:
    """Raise Refusal unless Prolific has signed these IDs, for this site, and the signature is still valid."""
    try:
        key = _key(jwt.get_unverified_header(token).get("kid"), now)
        options = {"require": ["exp", "aud"], "verify_aud": False}  # a domain or a whole address, so see below
        claims = jwt.decode(token, key, algorithms=[ALGORITHM], leeway=LEEWAY, options=options)
    except jwt.PyJWTError as error:
        raise Refusal(NOT_SIGNED) from error
    signed = claims.get(CLAIM)
    if not _is_for_this_site(claims["aud"]) or not isinstance(signed, dict):
        raise Refusal(NOT_SIGNED)
    if any(signed.get(name) != value for name, value in ids.items()):
        raise Refusal(NOT_SIGNED)


def _is_for_this_site(audience: Any) -> bool:
    named = audience if isinstance(audience, list) else [audience]
    return _host(settings.PUBLIC_URL) in {_host(name) for name in named if isinstance(name, str)}


def _host(address: str) -> str | None:
    try:
        return urlsplit(address if "//" in address else f"//{address}").hostname
    except ValueError:
        return None


def _key(kid: Any, now: datetime) -> jwt.PyJWK:
    """Return the public key with that ID; the keys are renewed once a day, and when the ID is unknown."""
    fetched, keys = cache.get(KEYS, (0.0, {}))
    stale = now.timestamp() - fetched > RENEWED
    if (stale or kid not in keys) and cache.add(f"{KEYS}-asked", True, PATIENCE):
        keys = _renewed(keys, now)
    if not keys:
        raise Refusal(_("Prolific can't be reached at the moment. Try again in a minute."))
    if kid not in keys:
        raise jwt.InvalidKeyError("unknown")
    return jwt.PyJWK(keys[kid], ALGORITHM)


def _renewed(known: dict[str, Any], now: datetime) -> dict[str, Any]:
    try:
        keys = {key["kid"]: key for key in published_keys() if isinstance(key, dict) and "kid" in key}
    except (Refused, Unclear):
        logger.warning("Prolific's keys could not be refreshed.", exc_info=True)
        keys = known
    cache.set(KEYS, (now.timestamp(), keys), KEPT)
    return keys
