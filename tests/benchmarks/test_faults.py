"""The benchmark of faults: production really loses a part while people answer."""

import re
import subprocess
import sys

import pytest

from tests.config.surroundings import ROOT, clean_environment


@pytest.mark.thorough
@pytest.mark.postgres
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_web_server_that_is_killed_loses_no_answer():
    command = "-m benchmarks.faults --clients 4 --times 1 --pairs 2000 --only".split()
    done = subprocess.run(
        [sys.executable, *command, "web killed"],
        cwd=ROOT,
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    row = next(line for line in done.stdout.splitlines() if line.startswith("| web killed |"))
    times, confirmed, lost, doubled, stuck = map(int, re.findall(r"\| (\d+) (?=\|)", row))
    assert confirmed > 0 and (times, lost, doubled, stuck) == (1, 0, 0, 0)
    assert row.endswith("| done |")
