"""What processes use, as Linux tells it in /proc."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")
TICK = os.sysconf("SC_CLK_TCK")
GONE = (FileNotFoundError, ProcessLookupError, PermissionError)


def family(parent: int) -> list[int]:
    """Return a process and all that descend from it."""
    parents = {pid: fields[1] for pid in _all() if (fields := _stat(pid))}
    found, new = [parent], [parent]
    while new:
        new = [pid for pid, its in parents.items() if int(its) in new]
        found += new
    return found


def seconds(pids: Iterable[int]) -> dict[int, float]:
    """Return the processor time that each process has used, in seconds; without those that are gone."""
    used = {pid: _stat(pid) for pid in pids}
    return {pid: (int(fields[11]) + int(fields[12])) / TICK for pid, fields in used.items() if fields}


def spent(before: dict[int, float], after: dict[int, float]) -> float:
    """Return the processor time between two moments; of processes that began in between, all of theirs."""
    return sum(used - before.get(pid, 0.0) for pid, used in after.items())


def megabytes(pids: Iterable[int]) -> float:
    """Return the proportional set size of processes: what they share is counted once."""
    return sum(map(_proportional, pids)) / 1024


def _proportional(pid: int) -> int:
    with suppress(*GONE):
        for line in (PROC / str(pid) / "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0


def peak_megabytes(pid: int) -> float:
    """Return the most memory that a process has had resident at once (VmHWM); 0 if it is gone."""
    with suppress(*GONE):
        for line in (PROC / str(pid) / "status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return 0.0


def _stat(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat after the name, which may contain spaces: state, parent, ..."""
    with suppress(*GONE):
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    return []


def _all() -> list[int]:
    return [int(entry.name) for entry in PROC.iterdir() if entry.name.isdecimal()]
