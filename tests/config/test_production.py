"""What ships: the image of the Dockerfile and the services of docker-compose.yml, used by people in a browser."""

import os
import subprocess
import sys

import pytest

from tests.config.surroundings import ROOT, clean_environment

MAKES_NAMESPACES = ["unshare", "--mount", "--net", "true"]


def may_make_namespaces() -> bool:
    try:
        return sys.platform == "linux" and subprocess.run(MAKES_NAMESPACES, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


@pytest.mark.slow
@pytest.mark.thorough  # it downloads and installs everything anew
@pytest.mark.browser
@pytest.mark.skipif(not may_make_namespaces(), reason="needs Linux and root")
def test_what_ships_is_built_started_and_used():
    given = {"PYTHONPATH": ROOT / "script" / "testing", "SEMBLANCE_CHROMIUM": os.environ.get("SEMBLANCE_CHROMIUM", "")}
    command = [sys.executable, "script/shipping", "-k", "best_and_worst"]
    outcome = subprocess.run(command, cwd=ROOT, env=clean_environment(**given), capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
