"""People whom nobody knows: where a file does not tell who chose, somebody stands in, so that the choice can be stored.

By such a name they are known everywhere, also in the files of a release. No two of their choices need be of one person,
so nothing is computed of them by person.
"""

import re

UNKNOWN = re.compile("unknown [1-9][0-9]{0,9}")


def unknown_person(number: int) -> str:
    """Return the outside id and the pseudonym of somebody who stands in; number, from 1."""
    return f"unknown {number}"


def is_unknown(name: str) -> bool:
    """Return whether an outside id or a pseudonym is that of somebody who stands in."""
    return UNKNOWN.fullmatch(name) is not None
