"""Results as CSV or JSON on a stream."""

import json
import math
import sys
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import Any

Reasons = Mapping[str, str]


def defined(values: Any, reason: str) -> dict[str, Any]:
    """Figures by name, null where one is not defined, with the reason beside it under `NAME_reason`."""
    figures = asdict(values) if is_dataclass(values) and not isinstance(values, type) else dict(values)
    told: dict[str, Any] = {}
    for name, value in figures.items():
        missing = isinstance(value, float) and not math.isfinite(value)
        told[name] = None if missing else value
        if missing:
            told[f"{name}_reason"] = reason
    return told


def write_json(result: Mapping[str, Any]) -> None:
    json.dump(result, sys.stdout, indent=2, ensure_ascii=False, allow_nan=False)
    sys.stdout.write("\n")
