"""`python -m benchmarks.growth [--judgments 10000,100000,1000000] [--kind ratings|choices]`: measure how times grow.

For each size, a project is created in a temporary database on the server of DATABASE_URL, which must be PostgreSQL.
Pages are requested by Django's test client in a separate process; the scoring run, its figures and the release are
commands. `x10` is the ratio of the last size to the one before: for ten times as many judgments, more than 10 is worse
than linear.
"""

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.release import KINDS, ROOT, execute, own_database, run

SIZES = "10000,100000,1000000"


@dataclass(frozen=True)
class Row:
    """What one kind of work takes at one size. further: what is counted, such as queries."""

    name: str
    processor: float
    elapsed: float
    further: str


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth")
    parser.add_argument("--judgments", default=SIZES, help="comma-separated numbers of judgments")
    parser.add_argument("--kind", choices=KINDS, default="choices")
    parser.add_argument("--splits", default="1000", help="splits for split-half reliability (default: 1000)")
    parser.add_argument("--pages-only", action="store_true", help="skip the scoring run and the release")
    asked = parser.parse_args()
    if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        raise SystemExit("Set DATABASE_URL to a PostgreSQL server. The database itself is not changed.")
    sizes = [int(size) for size in asked.judgments.split(",")]
    found = [measured(asked, size) for size in sizes]
    print(f"{asked.kind}: CPU time and elapsed time in seconds\n")
    print("| measurement | " + " | ".join(f"{size:,}" for size in sizes) + " | x10 |")
    print("| --- |" + " --- |" * (len(sizes) + 1))
    for rows in zip(*found, strict=True):
        print(line(rows), flush=True)


def line(rows: tuple[Row, ...]) -> str:
    cells = [f"{row.processor:.3f}, {row.elapsed:.3f}; {row.further}" for row in rows]
    grown = f"{rows[-1].elapsed / rows[-2].elapsed:.1f}" if len(rows) > 1 and rows[-2].elapsed else ""
    return f"| {rows[0].name} | {' | '.join(cells)} | {grown} |"


def measured(asked: argparse.Namespace, size: int) -> list[Row]:
    with TemporaryDirectory() as folder, own_database(os.environ["DATABASE_URL"]) as url:
        environment = os.environ | {"DATA_DIR": folder, "DATABASE_URL": url, "PYTHONWARNINGS": "ignore"}
        manage = [sys.executable, "manage.py"]
        run([*manage, "migrate", "--verbosity", "0"], environment)
        run([sys.executable, "-m", "benchmarks.largeprojects", asked.kind, str(size)], environment)
        execute(url, "ANALYZE")  # as a database does by itself that was not filled a moment ago
        pages = [sys.executable, "-m", "benchmarks.growingpages"]
        printed = subprocess.run(pages, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout
        rows = [Row(**row) for row in json.loads(printed)]
        if asked.pages_only:
            return rows
        for name, arguments in {
            "run": ("score", "large", "--splits", asked.splits),
            "figures": ("figures", "large", "--out", f"{folder}/figures"),
            "release": ("release", "large", "--out", f"{folder}/out"),
        }.items():
            used = run([*manage, *arguments], environment)
            rows.append(Row(name, used.processor, used.elapsed, f"{used.megabytes:,.0f} MB"))
        written = sum(path.stat().st_size for path in Path(folder, "out").iterdir())
        return [*rows[:-1], Row("release", rows[-1].processor, rows[-1].elapsed, f"{rows[-1].further}, {written:,} B")]


if __name__ == "__main__":
    main()
