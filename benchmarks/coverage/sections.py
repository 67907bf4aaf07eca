"""The sections of docs/results.md with the coverage of intervals, one for each part of the simulation."""

import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from benchmarks.coverage.parts import Part, World
from benchmarks.coverage.shares import Shares

RESULTS = Path(__file__).parents[2] / "docs" / "results.md"
LEVEL = "####"
HEADING = "| interval | of | collections | coverage | standard error |\n| --- | --- | --- | --- | --- |"


def section(part: Part, found: Iterable[tuple[World, Shares]], collections: int) -> str:
    """Return a heading, and a table with a row for each interval of each world.

    The standard error of the coverage is that of the mean over collections; empty for a single collection.
    """
    rows = [
        f"| {name} | {world.place} | {world.number(collections):,} | {np.mean(shares):.3f} | {_error(shares)} |"
        for world, intervals in found
        for name, shares in intervals.items()
    ]
    return "\n".join([f"{LEVEL} {part.title}", "", HEADING, *rows, ""])


def _error(shares: list[float]) -> str:
    return f"{np.std(shares, ddof=1) / np.sqrt(len(shares)):.3f}" if len(shares) > 1 else ""


def with_section(text: str, new: str) -> str:
    """Return the page with a section replaced, up to the next heading.

    Raises:
        ValueError: the page has no section of this title.
    """
    heading = new.splitlines()[0]
    found = re.search(rf"^{re.escape(heading)}\n.*?(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise ValueError(f"{RESULTS.name} has no section “{heading}”.")
    return text[: found.start()] + new + "\n" + text[found.end() :]
