"""Results as JSON on standard output."""

import json
import math
import sys
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import Any

Reasons = Mapping[str, str]


def defined(values: Any, reason: str) -> dict[str, Any]:
    """Return figures by name, null where one is undefined, with the reason under `NAME_reason`."""
    figures = asdict(values) if is_dataclass(values) and not isinstance(values, type) else dict(values)
    found: dict[str, Any] = {}
    for name, value in figures.items():
        missing = isinstance(value, float) and not math.isfinite(value)
        found[name] = None if missing else value
        if missing:
            found[f"{name}_reason"] = reason
    return found


def write_json(result: Mapping[str, Any]) -> None:
    json.dump(result, sys.stdout, indent=2, ensure_ascii=False, allow_nan=False)
    sys.stdout.write("\n")
