"""Requests for a part of a file, as in RFC 9110, section 14."""

import re

SINGLE = re.compile(r"bytes=\s*(\d{0,18})-(\d{0,18})\s*")


class Unsatisfiable(Exception):
    """The file ends before the range begins."""


def wanted_range(header: str | None, size: int) -> tuple[int, int] | None:
    """Return the first byte of a range and the one after its last; None for the whole file.

    A header that is no range of bytes, or has several, counts as none, as the standard allows. Raise Unsatisfiable if
    nothing of the range is in the file.
    """
    match = SINGLE.fullmatch(header or "")
    if match is None or match.groups() == ("", ""):
        return None
    first, last = match.groups()
    if not first:  # a number of bytes at the end
        start, end = max(0, size - int(last)), size
    else:
        start, end = int(first), min(int(last) + 1, size) if last else size
        if last and int(last) < int(first):
            return None
    if start >= end:
        raise Unsatisfiable
    return start, end
