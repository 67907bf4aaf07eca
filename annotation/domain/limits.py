"""How often something may be asked for: a count in the cache, by the hour or another span of time."""

from datetime import UTC, datetime
from hashlib import sha256

from django.conf import settings
from django.core.cache import cache
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal

HOUR = 3600  # seconds


class TooMany(Refusal):
    """More came than may just now; `again_at` says from when on somebody may."""

    def __init__(self, again_at: datetime) -> None:
        super().__init__(_("Many people have begun from your internet address in a short time."))
        self.again_at = again_at


def within_limit(*, name: str, most: int, now: datetime) -> bool:
    """Counts one more of the name in this hour; whether it may still be done."""
    return _count(name, HOUR, now) <= most


def count_newcomer(*, client: str, door: str, now: datetime) -> None:
    """Counts somebody who is about to take a place: what comes from one address, by one link or study and by all.

    A class sits behind one address; who makes people up by a program does too, and goes on for longer.

    Raises:
        TooMany: of one of the two.
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
