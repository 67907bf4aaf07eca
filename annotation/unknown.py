"""Unknown annotators: a choice from a file without names is stored for a placeholder.

The placeholder has this name everywhere, also in the files of a release. Its choices may come from different people,
so no statistics by person are computed from them.
"""

import re

UNKNOWN = re.compile("unknown [1-9][0-9]{0,9}")


def unknown_person(number: int) -> str:
    """Return the outside id and the pseudonym of a placeholder; number, from 1."""
    return f"unknown {number}"


def is_unknown(name: str) -> bool:
    """Return whether an outside id or a pseudonym is that of a placeholder."""
    return UNKNOWN.fullmatch(name) is not None
