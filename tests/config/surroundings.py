"""What a process of its own starts with: nothing of this one's settings."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEPT = ("PATH", "HOME", "LANG", "COVERAGE")


def clean_environment(**values: object) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name.startswith(KEPT)}
    return kept | {name: str(value) for name, value in values.items()}
