"""Semblance and its peers, one after the other, each alone; a table with ratios."""

import argparse
import json
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.load.driving import Crowd, NotAcknowledged, Outcome, Person, drive
from benchmarks.load.measuring import Meter, annotators, shown
from benchmarks.load.peers.installing import Missing
from benchmarks.load.peers.serving import PEERS
from benchmarks.load.processes import family, megabytes
from benchmarks.load.servers import Serving
from benchmarks.release import ROOT, execute

CLIENTS = (1, 16)
WARMING = 3.0  # seconds before anything counts: servers load what they need at the first requests
PERFORMANCE = ROOT / "docs" / "performance.md"
TITLE = "## Answers per second, compared with other tools"
HEADING = (
    "| 2,000 pairs, save a rating and get the next pair | one client, p50 | p95 | 16 clients | p95 | processor, web | "
    "PostgreSQL | memory | ratio (Semblance to peer) |\n|" + " --- |" * 9
)


@dataclass(frozen=True)
class Result:
    """What one tool did with one client and with sixteen. parts: milliseconds of processor time with sixteen."""

    name: str
    alone: Outcome
    many: Outcome
    parts: dict[str, float]
    memory: float

    def row(self, ours: "Result") -> str:
        cells = [
            self.name,
            *(shown(self.alone.percentile(share), "ms") for share in (50, 95)),
            f"{self.many.rate:.0f}/s",
            shown(self.many.percentile(95), "ms"),
            *(shown(self.parts.get(part), "ms") for part in ("web", "database")),
            f"{self.memory:.0f} MB",
            f"{ours.many.rate / self.many.rate:.1f}" if self.many.rate else "-",
        ]
        return f"| {' | '.join(cells)} |"


def compare(
    serve: Callable[[Path], AbstractContextManager[Serving]], asked: argparse.Namespace, heading: str
) -> list[str]:
    """Print the table, and write it into the documentation if asked; return what went wrong with Semblance."""
    ours = _ours(serve, asked)
    rows = [ours.row(ours)]
    print(f"\n{HEADING}\n{rows[0]}", flush=True)
    for name, start in PEERS.items():
        rows.append(_peers_row(name, start, asked, ours))
        print(rows[-1], flush=True)
    if asked.write:
        write(f"{heading}\n\n{HEADING}\n" + "\n".join(rows))
    return sorted({*ours.alone.problems, *ours.many.problems})


def _ours(serve: Callable[[Path], AbstractContextManager[Serving]], asked: argparse.Namespace) -> Result:
    with TemporaryDirectory() as folder, serve(Path(folder)) as serving:
        made = serving.run("-m", "benchmarks.load.worlds", "ratings", "34", "34", str(asked.pairs))
        if serving.database:
            execute(serving.database, "ANALYZE")
        return _measured(f"Semblance ({serving.name})", serving, annotators(serving, json.loads(made)), asked.seconds)


def _peers_row(name: str, start: Callable, asked: argparse.Namespace, ours: Result) -> str:
    try:
        with (
            TemporaryDirectory(ignore_cleanup_errors=True) as folder,
            start(Path(folder), asked.port + 3, 34, asked.pairs) as running,
        ):
            result = _measured(running.described, running.serving, running.people, asked.seconds)
    except (Missing, NotAcknowledged) as problem:
        return f"| {name} | could not be installed or driven: {str(problem).replace('|', '/')} |" + " |" * 7
    if result.many.problems:
        print(f"{name}: {'; '.join(sorted(set(result.many.problems)))}", flush=True)
    return result.row(ours)


def _measured(name: str, serving: Serving, people: list[Person], seconds: float) -> Result:
    crowd, meter = Crowd.of(people), Meter(serving)
    drive(crowd, clients=CLIENTS[-1], seconds=WARMING, ready=lambda: None, seed=0)
    alone, many = (
        drive(crowd, clients=clients, seconds=seconds, ready=meter.start, seed=clients) for clients in CLIENTS
    )
    return Result(name, alone, many, meter.milliseconds(many.answers), megabytes(family(serving.web)))


def write(table: str, path: Path = PERFORMANCE) -> None:
    """Put the table at the end of its section of the documentation, in the place of the one that was there."""
    before, _, rest = path.read_text().partition(f"{TITLE}\n")
    section, mark, after = rest.partition("\n## ")
    said = re.split(r"(?m)^\d+ processors\b", section)[0].rstrip()
    path.write_text(f"{before}{TITLE}\n{said}\n\n{table}\n{mark}{after}")
