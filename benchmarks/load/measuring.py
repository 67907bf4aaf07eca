"""One line of the table: some clients answer for some seconds, and what that cost."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import psycopg2

from benchmarks.load.annotators import Annotator
from benchmarks.load.driving import Crowd, Outcome, drive
from benchmarks.load.processes import family, megabytes, seconds, spent
from benchmarks.load.servers import Serving

SESSION = "sessionid"  # what Django calls the cookie of a session
HEADING = (
    "| screens | clients | answers per second | p50 | p95 | p99 | web | PostgreSQL | proxy | clients | queries | "
    "memory |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
)


@dataclass
class Meter:
    """The processor time of a server's parts, from one moment on."""

    serving: Serving
    began: dict[str, dict[int, float]] | None = None

    def start(self) -> None:
        self.began = self._now()

    def milliseconds(self, answers: int) -> dict[str, float]:
        """Return the processor time of an answer since the start, by part."""
        ended = self._now()
        return {part: 1000 * spent(self.began[part], used) / max(answers, 1) for part, used in ended.items() if used}

    def _now(self) -> dict[str, dict[int, float]]:
        parts = {"web": family(self.serving.web), "database": self._backends()}
        parts["proxy"] = family(self.serving.proxy) if self.serving.proxy else []
        return {part: seconds(pids) for part, pids in parts.items()}

    def _backends(self) -> list[int]:
        """Return the processes of PostgreSQL that serve the database; those of another machine cannot be seen."""
        if not self.serving.database:
            return []
        connection = psycopg2.connect(self.serving.database)
        with connection, connection.cursor() as cursor:
            cursor.execute(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            found = [pid for (pid,) in cursor.fetchall()]
        connection.close()
        return found


def annotators(serving: Serving, people: Sequence[Mapping[str, str]]) -> list[Annotator]:
    """Return people who use a server, from the addresses of their places and the keys of their sessions."""
    name = f"__Host-{SESSION}" if serving.public_url.startswith("https") else SESSION
    return [
        Annotator(serving.url, serving.public_url, one["path"], (name, one["session"]), serving.forwarded)
        for one in people
    ]


@dataclass
class World:
    """A project with people, made in the database of a server."""

    kind: str
    serving: Serving
    people: list[Annotator]
    queries: float
    last_judgment: int

    @classmethod
    def made(cls, kind: str, serving: Serving, described: str) -> "World":
        """Return the world that `worlds` printed; on the screens of its last person the queries are counted."""
        *people, last = json.loads(described)
        counted = serving.run("-m", "benchmarks.load.counting", last["path"], last["session"])
        return cls(kind, serving, annotators(serving, people), *json.loads(counted))

    def measure(self, clients: Sequence[int], length: float) -> list[Outcome]:
        """Print a line for each number of clients, and return what happened."""
        crowd, outcomes = Crowd.of(self.people), []
        for number in clients:
            meter = Meter(self.serving)
            outcome = drive(crowd, clients=number, seconds=length, ready=meter.start, seed=number)
            print(self.row(number, outcome, meter), flush=True)
            outcomes.append(outcome)
        return outcomes

    def row(self, clients: int, outcome: Outcome, meter: Meter) -> str:
        used = meter.milliseconds(outcome.answers)
        cost = partial(shown, unit="ms")
        cells = [
            self.kind,
            f"{clients}",
            f"{outcome.rate:.0f}",
            *(cost(outcome.percentile(share)) for share in (50, 95, 99)),
            *(cost(used.get(part)) for part in ("web", "database", "proxy")),
            cost(1000 * outcome.own_seconds / max(outcome.answers, 1)),
            shown(self.queries),
            f"{megabytes(family(self.serving.web)):.0f} MB",
        ]
        return f"| {' | '.join(cells)} |"

    def check(self, outcomes: Sequence[Outcome]) -> list[str]:
        """Print whether every acknowledged answer is stored once, and return what is wrong."""
        acknowledged = [one for outcome in outcomes for one in outcome.acknowledged]
        found = json.loads(
            self.serving.run("-m", "benchmarks.load.checking", str(self.last_judgment), given=json.dumps(acknowledged))
        )
        print(f"\n{self.kind}: " + ", ".join(f"{name} {number:,}" for name, number in found.items()), flush=True)
        wrong = [name for name in ("missing", "doubled", "screens with two answers", "overshoot") if found[name]]
        problems = [problem for outcome in outcomes for problem in outcome.problems]
        return [f"{self.kind}: {name} {found[name]:,}" for name in wrong] + sorted(set(problems))


def shown(number: float | None, unit: str = "") -> str:
    """Return a number with two or three digits, or a dash where it is not known."""
    if number is None or number != number:
        return "-"
    return f"{number:.1f} {unit}".strip() if number < 100 else f"{number:,.0f} {unit}".strip()


def supervisor(serving: Serving) -> str:
    """Return a line about the process that watches the others in the embedded mode."""
    return f"The supervisor alone uses {megabytes([serving.web]):.0f} MB of this memory."
