"""The canonical form of a registered plan, and its hash: the same plan gives the same bytes on every machine."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

FORMAT = "semblance-registration"
SCHEMA_VERSION = 1
"""The version of the format, raised when a key changes its meaning or is removed."""
LARGEST = 10_000_000  # bytes of a file that is read


def canonical(document: Mapping[str, Any]) -> str:
    """Return a plan as JSON with sorted keys and without white space between them."""
    return json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def digest(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, in hexadecimal digits."""
    return sha256(text.encode()).hexdigest()


def read_plan(content: bytes) -> dict[str, Any]:
    """Return the plan of an exported file, whatever its white space and the order of its keys.

    Raises:
        ValueError: the file is too large, not valid JSON, or not a registered plan; the message is a full sentence.
    """
    if len(content) > LARGEST:
        raise ValueError("The file is too large for a registered plan.")
    try:
        found = json.loads(content.decode(), object_pairs_hook=_without_repeats, parse_constant=_refuse_constant)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise ValueError(f"The file is not valid JSON: {error}.") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ValueError("The file is not a registered plan exported by Semblance.")
    return found


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is repeated")
    return found


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number of JSON")
