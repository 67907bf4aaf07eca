"""Checks of times that come from people or files."""

from datetime import datetime


def in_every_zone(moment: datetime) -> bool:
    """Return whether every time zone can show and store the moment; at the ends of the calendar the year overflows."""
    return 1 < moment.year < 9999
