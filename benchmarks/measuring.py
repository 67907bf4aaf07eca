"""One measurement in a process of its own: time as the best of several runs, then memory in one more."""

import json
import os
import subprocess
import sys
import time
import tracemalloc
from dataclasses import dataclass

from benchmarks.cases import CASES

MOST_RUNS = 7
SECONDS = 3.0
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True)
class Measured:
    """Seconds of the whole work; megabytes at the peak above the data that it was given."""

    seconds: float
    megabytes: float


def measure(name: str, items: int, *, peer: bool = False) -> Measured | str:
    """Measure a case, or tell in a line why it cannot be."""
    command = [sys.executable, "-m", "benchmarks", "--one", name, "--items", str(items)] + ["--peer"] * peer
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | ONE_THREAD, check=False)
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["exited without output"])[-1]
    return Measured(**json.loads(done.stdout))


def measure_here(name: str, items: int, *, peer: bool) -> None:
    """What the process of its own does: print the measurement as JSON."""
    case = CASES[name]
    prepare, share = (case.peer, case.peer_share) if peer else (case.prepare, 1.0)
    if prepare is None:
        raise SystemExit(f"{name} has no peer")
    work = prepare(items)
    seconds: list[float] = []
    while len(seconds) < MOST_RUNS and sum(seconds) < SECONDS:
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    tracemalloc.start()
    work()
    megabytes = tracemalloc.get_traced_memory()[1] / 1e6
    print(json.dumps({"seconds": min(seconds) / share, "megabytes": megabytes}))
