"""The table of pages in docs/performance.md, and which of them are too slow or grow with the project."""

import platform
import re
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.watching.measuring import RUNS, Row

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"
LIMIT = 300.0
"""Milliseconds of processor time that a page may take, together with PostgreSQL."""
LATER = ("project-person-effect", "project-forecast?simulate=1", "project-people-bulk")
"""Parts that compute something on request, which pages load after they are shown."""
SHOWN = 30
HEADING = "| page | queries | time | web | PostgreSQL | size |\n| --- | --- | --- | --- | --- | --- |"


def table(kind: str, rows: Sequence[Row]) -> str:
    """Return the slowest pages as a table, after a summary of all."""
    slowest = sorted(rows, key=lambda row: -row.processor)[:SHOWN]
    times = [row.processor for row in rows]
    queries = [row.many for row in rows]
    summary = (
        f"{len(rows)} pages: median {median(times):.0f} ms, maximum {max(times):.0f} ms of processor time; "
        f"{min(queries)} to {max(queries)} queries. Median of {RUNS} requests each, Python "
        f"{platform.python_version()}. The slowest:"
    )
    lines = [
        f"| {row.name} | {row.many} | {row.milliseconds:.0f} ms | {row.web:.0f} ms | {row.database:.0f} ms | "
        f"{row.size / 1000:.0f} KB |"
        for row in slowest
    ]
    return "\n".join([f"### Pages of managers, {kind}", "", summary, "", HEADING, *lines, ""])


def problems(rows: Sequence[Row]) -> list[str]:
    """Return a line for each page that is too slow or needs more queries in a larger project."""
    at_once = [row for row in rows if row.name not in LATER]
    slow = [f"{row.name}: {row.processor:.0f} ms" for row in at_once if row.processor > LIMIT]
    return slow + [f"{row.name}: {row.few} queries, then {row.many}" for row in rows if row.many > row.few]


def write(kind: str, printed: str) -> None:
    """Replace the table of this kind in docs/performance.md, up to the next heading."""
    text, heading = PAGE.read_text(encoding="utf-8"), re.escape(printed.splitlines()[0])
    found = re.search(rf"^{heading}\n.*?(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise SystemExit(f"{PAGE.name} has no section “{printed.splitlines()[0]}”.")
    PAGE.write_text(text[: found.start()] + printed + "\n" + text[found.end() :], encoding="utf-8")
