"""Figures printed in the papers, each file with its source."""

import json
from pathlib import Path
from typing import Any


def figures(name: str) -> dict[str, Any]:
    return json.loads(Path(__file__).with_name(f"{name}.json").read_text(encoding="utf-8"))
