"""`python -m benchmarks.load`: measure throughput, latency, CPU time, queries and memory while many annotators answer.

By default, production is started as in the Dockerfile and docker-compose.yml, behind the proxy, with PostgreSQL and
Redis. The command fails unless every answer that the server acknowledged is in the database exactly once.
"""

import argparse
import os
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.load import history
from benchmarks.load.measuring import HEADING, World, supervisor
from benchmarks.load.peers import comparing
from benchmarks.load.servers import Serving, embedded, production
from benchmarks.release import execute

KINDS = ("ratings", "sliders", "contexts", "selection", "best-worst", "best-worst-open")
PORT = 8340  # and the two above it

Serve = Callable[[Path], AbstractContextManager[Serving]]


def main() -> int:
    asked = parsed()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that servers and databases end too
    os.umask(0o022)
    print(machine(), flush=True)
    serve: Serve = (
        partial(embedded, port=asked.port)
        if asked.embedded
        else partial(production, port=asked.port, direct=asked.direct)
    )
    if asked.peers:
        return failed(comparing.compare(serve, asked, machine()))
    if asked.history:
        return failed(history.compare(serve, asked))
    return failed(measure_all(serve, asked))


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--kind", choices=[*KINDS, "all"], default="all", help="kind of screens (default: all)")
    parser.add_argument(
        "--clients",
        type=numbers,
        help="comma-separated numbers of simultaneous clients (default: 1,16,100; embedded: 16)",
    )
    parser.add_argument("--seconds", type=float, default=10.0, help="duration for each number of clients (default: 10)")
    parser.add_argument("--signed-in", type=int, default=1_000, help="annotators with a session (default: 1000)")
    parser.add_argument("--pairs", type=int, default=2_000, help="pairs per project (default: 2000)")
    parser.add_argument(
        "--port", type=int, default=PORT, help=f"first port; the next ones are used too (default: {PORT})"
    )
    parser.add_argument("--direct", action="store_true", help="bypass the proxy")
    parser.add_argument("--embedded", action="store_true", help="measure manage.py serve on SQLite")
    parser.add_argument(
        "--history", action="store_true", help="measure how the cost per answer grows with the data already stored"
    )
    parser.add_argument(
        "--judgments",
        type=int,
        default=1_000_000,
        help="with --history: size of the large project (default: 1000000)",
    )
    parser.add_argument("--peers", action="store_true", help="run the same task on Potato, doccano and Label Studio")
    parser.add_argument("--write", action="store_true", help="with --peers: write the table to docs/performance.md")
    asked = parser.parse_args()
    asked.clients = asked.clients or ([16] if asked.embedded else [1, 16, 100])
    return asked


def numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def measure_all(serve: Serve, asked: argparse.Namespace) -> list[str]:
    """Measure each kind on a server and a database of its own; return what went wrong."""
    problems = []
    for kind in KINDS if asked.kind == "all" else [asked.kind]:
        with TemporaryDirectory() as folder, serve(Path(folder)) as serving:
            problems += measure(kind, serving, asked)
    return problems


def measure(kind: str, serving: Serving, asked: argparse.Namespace) -> list[str]:
    people = str(max(asked.clients) + 1)  # one more, on whose screens queries are counted
    described = serving.run("-m", "benchmarks.load.worlds", kind, people, str(asked.signed_in), str(asked.pairs))
    if serving.database:
        execute(serving.database, "ANALYZE")  # as a database does by itself that was not filled a moment ago
    world = World.made(kind, serving, described)
    print(f"\n{serving.name}\n\n{HEADING}", flush=True)
    outcomes = world.measure(asked.clients, asked.seconds)
    if asked.embedded:
        print(supervisor(serving))
    return world.check(outcomes)


def machine() -> str:
    name = next((line.partition(":")[2].strip() for line in cpu_lines() if line.startswith("model name")), "")
    return f"{os.cpu_count()} processors {name}, clients included; {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"


def cpu_lines() -> list[str]:
    return Path("/proc/cpuinfo").read_text().splitlines()


def failed(problems: list[str]) -> int:
    for problem in problems:
        print(f"FAILED: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
