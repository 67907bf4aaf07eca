"""Whether an answer costs the same whatever a person and a project have behind them."""

import argparse
import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.load.driving import Crowd, Outcome, drive
from benchmarks.load.measuring import Meter, annotators, shown
from benchmarks.load.servers import Serving
from benchmarks.release import execute

CLIENTS = 4
WARMING = 1.0  # seconds before anything counts
FEW_JUDGMENTS = 1_000  # of the small project
TURNS = 3  # in which all take part, so that what else the machine does meets all of them
HEADING = "| an answer in | answers | p50 | web | PostgreSQL | total | ratio to the row above |\n|" + " --- |" * 7


@dataclass
class Cost:
    """What the answers of some people cost. parts: milliseconds of processor time by part of the server."""

    outcomes: list[Outcome] = field(default_factory=list)
    parts: dict[str, float] = field(default_factory=dict)

    def add(self, outcome: Outcome, meter: Meter) -> None:
        self.outcomes.append(outcome)
        for part, each in meter.milliseconds(outcome.answers).items():
            self.parts[part] = self.parts.get(part, 0.0) + each * outcome.answers

    @property
    def answers(self) -> int:
        return sum(outcome.answers for outcome in self.outcomes)

    def each(self, part: str) -> float:
        return self.parts.get(part, 0.0) / max(self.answers, 1)

    @property
    def together(self) -> float:
        return self.each("web") + self.each("database")

    @property
    def median(self) -> float:
        whole = Outcome(latencies=[one for outcome in self.outcomes for one in outcome.latencies])
        return whole.percentile(50)


def compare(serve: Callable[[Path], AbstractContextManager[Serving]], asked: argparse.Namespace) -> list[str]:
    """Print what answers of people and of projects with and without a past cost; return what went wrong."""
    print(f"\n{CLIENTS} clients\n\n{HEADING}", flush=True)
    costs: dict[str, Cost] = {}
    # Each project has a database of its own: what other projects have behind them may cost something too.
    for judgments in (0, FEW_JUDGMENTS, asked.judgments):
        with TemporaryDirectory() as folder, serve(Path(folder)) as serving:
            made = serving.run("-m", "benchmarks.load.filling", str(CLIENTS), str(judgments))
            if serving.database:
                execute(serving.database, "VACUUM ANALYZE")
            for name, cost in _costs(serving, json.loads(made), asked.seconds).items():
                before = list(costs.values())[-1] if len(costs) % 2 else None
                costs[name] = cost
                print(row(name, cost, before), flush=True)
    return sorted({problem for cost in costs.values() for outcome in cost.outcomes for problem in outcome.problems})


def _costs(serving: Serving, made: dict[str, list[dict[str, str]]], seconds: float) -> dict[str, Cost]:
    """Return what the answers of each group cost, measured in turns."""
    groups = {name: Crowd.of(annotators(serving, people)) for name, people in made.items()}
    costs = {name: Cost() for name in groups}
    for crowd in groups.values():
        drive(crowd, clients=CLIENTS, seconds=WARMING, ready=lambda: None)
    for turn in range(1, TURNS + 1):
        for name, crowd in groups.items():
            meter = Meter(serving)
            outcome = drive(crowd, clients=CLIENTS, seconds=seconds / TURNS, ready=meter.start, seed=turn)
            costs[name].add(outcome, meter)
    return costs


def row(name: str, cost: Cost, before: Cost | None) -> str:
    ratio = f"{cost.together / before.together:.2f}" if before else ""
    times = [shown(number, "ms") for number in (cost.median, cost.each("web"), cost.each("database"), cost.together)]
    return f"| {name} | {cost.answers:,} | {' | '.join(times)} | {ratio} |"
