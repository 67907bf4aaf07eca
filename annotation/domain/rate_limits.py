"""Limits of how often something may be done: a count in the cache for an hour or another span of time."""

from datetime import UTC, datetime
from hashlib import sha256

from django.conf import settings
from django.core.cache import cache
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal

HOUR = 3600  # seconds


class TooMany(Refusal):
    """The limit is reached; `again_at` is the time from which it may be tried again."""

    def __init__(self, again_at: datetime) -> None:
        super().__init__(_("Many people have started from your IP address in a short time."))
        self.again_at = again_at


def within_limit(*, name: str, most: int, now: datetime) -> bool:
    """Count one more use of the name in this hour, and return whether it is within the limit."""
    return _count(name, HOUR, now) <= most


def count_newcomer(*, client: str, door: str, now: datetime) -> None:
    """Count a newcomer by address and entrance, and by address alone. Raise TooMany above one of the two limits.

    A class shares one address. A program that makes people up has one address too, and goes on for longer.
    """
    for name, rate in ((f"{client} {door}", settings.JOIN_RATE), (client, settings.JOIN_RATE_OF_ADDRESS)):
        most, seconds = rate
        if _count(f"newcomer {name}", seconds, now) > most:
            raise TooMany(datetime.fromtimestamp((int(now.timestamp()) // seconds + 1) * seconds, UTC))


def _count(name: str, seconds: int, now: datetime) -> int:
    span = int(now.timestamp()) // seconds
    key = f"limit-{sha256(name.encode()).hexdigest()}-{seconds}-{span}"
    cache.add(key, 0, seconds)
    return cache.incr(key)
