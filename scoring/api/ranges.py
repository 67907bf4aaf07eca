"""A part of a file, as RFC 9110 section 14 has it."""

import re

SINGLE = re.compile(r"bytes=\s*(\d{0,18})-(\d{0,18})\s*")


class Unsatisfiable(Exception):
    """The file ends before the range begins."""


def wanted_range(header: str | None, size: int) -> tuple[int, int] | None:
    """The first byte and the one after the last; None for the whole file.

    A header that is no range of bytes, or has several, counts as none, as the standard allows.

    Raises:
        Unsatisfiable: nothing of the range is in the file.
    """
    match = SINGLE.fullmatch(header or "")
    if match is None or match.groups() == ("", ""):
        return None
    first, last = match.groups()
    if not first:  # the last so many bytes
        start, end = max(0, size - int(last)), size
    else:
        start, end = int(first), min(int(last) + 1, size) if last else size
        if last and int(last) < int(first):
            return None
    if start >= end:
        raise Unsatisfiable
    return start, end


def names(header: str | None, etag: str) -> bool:
    """Whether If-None-Match or If-Match names the file."""
    listed = [each.strip() for each in (header or "").split(",")]
    return "*" in listed or etag in [each.removeprefix("W/") for each in listed]
