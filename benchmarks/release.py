"""`python -m benchmarks.release [--judgments 1000000] [--kind choices|ratings]`: time a large scoring run and release.

Uses a temporary database on the server of DATABASE_URL, or SQLite in a temporary folder if it is not set. Time, CPU
time and peak resident memory are those of the whole command, including Python, Django and libraries, but not those of
the database server.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit, urlunsplit

import psycopg2

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("choices", "ratings")
OWN_DATABASE = "semblance_benchmark"
HEADING = "| command | elapsed | CPU | peak memory | files |\n| --- | --- | --- | --- | --- |"


@dataclass(frozen=True)
class Used:
    elapsed: float
    processor: float
    megabytes: float


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.release")
    parser.add_argument("--judgments", type=int, default=1_000_000)
    parser.add_argument("--kind", choices=KINDS, default="choices")
    parser.add_argument("--splits", default="1000", help="splits for split-half reliability (default: 1000)")
    asked = parser.parse_args()
    with TemporaryDirectory() as folder, own_database(os.environ.get("DATABASE_URL", "")) as url:
        environment = os.environ | {"DATA_DIR": folder, "DATABASE_URL": url, "PYTHONWARNINGS": "ignore"}
        manage = [sys.executable, "manage.py"]
        run([*manage, "migrate", "--verbosity", "0"], environment)
        run([sys.executable, "-m", "benchmarks.largeprojects", asked.kind, str(asked.judgments)], environment)
        if url:
            execute(url, "ANALYZE")  # as a database does by itself that was not filled a moment ago
        print(f"{asked.judgments:,} {asked.kind}, {'PostgreSQL' if url else 'SQLite'}\n\n{HEADING}", flush=True)
        used = run([*manage, "score", "large", "--splits", asked.splits], environment)
        print(row("score", used, ""), flush=True)
        used = run([*manage, "figures", "large", "--out", f"{folder}/figures"], environment)
        print(row("figures", used, ""), flush=True)
        used = run([*manage, "release", "large", "--out", f"{folder}/out"], environment)
        written = sum(path.stat().st_size for path in Path(folder, "out").iterdir())
        print(row("release", used, f"{written / 1e6:,.0f} MB"), flush=True)


def row(name: str, used: Used, files: str) -> str:
    return f"| {name} | {used.elapsed:.1f} s | {used.processor:.1f} s | {used.megabytes:,.0f} MB | {files} |"


def run(command: list[str], environment: dict[str, str]) -> Used:
    """Runs a command to its end; what it used by itself, whatever else the machine does."""
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} exited with status {process.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Used(time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / 1e6)


@contextmanager
def own_database(given: str) -> Iterator[str]:
    """The address of a new PostgreSQL database beside the one that is given, dropped afterwards; or '' for SQLite."""
    if not given.startswith("postgres"):
        yield ""
        return
    name = f"{OWN_DATABASE}_{os.getpid()}"
    beside = urlunsplit(urlsplit(given)._replace(path="/postgres"))
    execute(beside, f"CREATE DATABASE {name}")
    try:
        yield urlunsplit(urlsplit(given)._replace(path=f"/{name}"))
    finally:
        execute(beside, f"DROP DATABASE {name} WITH (FORCE)")


def execute(url: str, statement: str) -> None:
    connection = psycopg2.connect(url)
    connection.autocommit = True
    connection.cursor().execute(statement)
    connection.close()


if __name__ == "__main__":
    main()
