"""Rate limits: counts in the cache for an hour or another period."""

from datetime import UTC, datetime
from hashlib import sha256

from django.conf import settings
from django.core.cache import cache
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal

MINUTE, HOUR = 60, 3600  # seconds


class TooMany(Refusal):
    """The limit is reached; `again_at` is the time from which it may be tried again."""

    def __init__(self, again_at: datetime) -> None:
        super().__init__(_("Too many people have joined from your network in a short time."))
        self.again_at = again_at


def within_limit(*, name: str, most: int, now: datetime) -> bool:
    """Count one more use of the name in this hour, and return whether it is within the limit."""
    return _count(name, HOUR, now) <= most


def count_in_minute(*, name: str, now: datetime) -> int:
    """Count one more use of the name, and return how many there were in this minute."""
    return _count(name, MINUTE, now)


def count_newcomer(*, client: str, door: str, now: datetime) -> None:
    """Count a newcomer by address and entrance, and by address alone. Raise TooMany above one of the two limits.

    A class shares one address. A program that invents people also has one address, but continues for longer.
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
