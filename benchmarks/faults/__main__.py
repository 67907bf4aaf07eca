"""`python -m benchmarks.faults`: kill, freeze or fill up parts of production while annotators answer.

The command fails unless every confirmed answer is stored exactly once, every annotator could continue, and every
background job has finished. Requires the programs of PostgreSQL and Redis.
"""

import argparse
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.faults.parts import Stack, production
from benchmarks.faults.people import Persistent
from benchmarks.load.__main__ import failed, machine
from benchmarks.load.driving import Crowd, Outcome, drive
from benchmarks.load.measuring import annotators

HEADING = (
    "| fault | times | answers confirmed | lost | duplicated | annotators stuck | longest wait of an annotator "
    "| everything back after | background job |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
)
FROZEN = 5.0  # seconds
AWAY = 2.0  # seconds until what was killed is started again
BETWEEN = 4.0  # seconds of quiet work before each fault
FULL = 5.0  # seconds without space


@dataclass
class Doing:
    """What is done to a part, and how long it took until everything was there again."""

    do: Callable[[Stack], None]
    recoveries: list[float] = field(default_factory=list)

    def repeat(self, stack: Stack, times: int) -> None:
        for _ in range(times):
            time.sleep(BETWEEN)
            self.do(stack)
            self.recoveries.append(stack.wait_until_ready())


def killed(name: str) -> Callable[[Stack], None]:
    def do(stack: Stack) -> None:
        stack.parts[name].kill()
        time.sleep(AWAY)
        stack.parts[name].start()

    return do


def frozen(name: str) -> Callable[[Stack], None]:
    def do(stack: Stack) -> None:
        stack.parts[name].signal(signal.SIGSTOP)
        time.sleep(FROZEN)
        stack.parts[name].signal(signal.SIGCONT)

    return do


def full(stack: Stack) -> None:
    """Fill the disk of the database, and make room again."""
    filling = stack.data / "filling"
    try:
        with filling.open("wb") as file:
            while True:
                file.write(bytes(1 << 20))
                file.flush()
    except OSError:
        until = time.monotonic() + FULL
        while time.monotonic() < until:
            stack.keep_running()
            time.sleep(0.2)
    finally:
        filling.unlink()


FULL_DISK = "PostgreSQL disk full"
FAULTS: dict[str, Callable[[Stack], None]] = {
    "web killed": killed("web"),
    "worker killed": killed("worker"),
    "beat killed": killed("beat"),
    "Redis killed": killed("broker"),
    "PostgreSQL killed": killed("database"),
    "Redis frozen": frozen("broker"),
    "PostgreSQL frozen": frozen("database"),
    FULL_DISK: full,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("--clients", type=int, default=100, help="number of simultaneous clients (default: 100)")
    parser.add_argument("--times", type=int, default=3, help="how often to repeat each fault (default: 3)")
    parser.add_argument("--pairs", type=int, default=2_000, help="pairs per project (default: 2000)")
    parser.add_argument(
        "--only", choices=list(FAULTS), action="append", help="run only this fault (can be repeated; default: all)"
    )
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that all parts end too
    os.umask(0o022)
    print(f"{machine()}\n\n{HEADING}", flush=True)
    with ExitStack() as stack, TemporaryDirectory() as folder, production(Path(folder), stack) as own:
        people = own.serving.run(
            "-m", "benchmarks.load.worlds", "ratings", str(asked.clients), str(asked.clients), str(asked.pairs)
        )
        crowd = Crowd.of([Persistent(one) for one in annotators(own.serving, json.loads(people))])
        problems = []
        for name in asked.only or FAULTS:
            if name == FULL_DISK and not os.path.ismount(own.data):
                print(f"| {name} | skipped: no separate disk could be mounted | | | | | | | |", flush=True)
                continue
            problems += try_fault(own, crowd, name, asked)
    return failed(problems)


def try_fault(own: Stack, crowd: Crowd, name: str, asked: argparse.Namespace) -> list[str]:
    """Do one thing several times while people answer, print what was found, and return what went wrong."""
    job, last = own.serving.run("-m", "benchmarks.faults.jobs", "start").split()
    doing = Doing(FAULTS[name])
    outcome = answer_meanwhile(crowd, asked.clients, lambda: doing.repeat(own, asked.times))
    ended = own.serving.run("-m", "benchmarks.faults.jobs", "wait", job).strip()
    found = json.loads(own.serving.run("-m", "benchmarks.load.checking", last, given=json.dumps(outcome.acknowledged)))
    stuck = len(outcome.problems)
    cells = [
        *(name, asked.times, found["acknowledged"], found["missing"]),
        *(found["doubled"] + found["screens with two answers"], stuck),
        *(f"{max(outcome.latencies):.1f} s", f"{max(doing.recoveries):.1f} s", ended),
    ]
    print(f"| {' | '.join(map(str, cells))} |", flush=True)
    problems = [f"{name}: {problem}" for problem in sorted(set(outcome.problems))]
    problems += [
        f"{name}: {key} {found[key]}" for key in ("missing", "doubled", "screens with two answers") if found[key]
    ]
    return problems + ([] if ended == "done" else [f"{name}: a background job is {ended}"])


def answer_meanwhile(crowd: Crowd, clients: int, work: Callable[[], None]) -> Outcome:
    """Let people answer until the work is over and for some seconds more."""
    over, failures = threading.Event(), []

    def do() -> None:
        try:
            work()
            time.sleep(BETWEEN)
        except BaseException as failure:
            failures.append(failure)
        over.set()

    worker = threading.Thread(target=do)
    outcome = drive(crowd, clients=clients, over=over, ready=worker.start)
    worker.join()
    if failures:
        raise failures[0]
    return outcome


if __name__ == "__main__":
    sys.exit(main())
