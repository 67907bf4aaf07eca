"""A demo of its own in a temporary folder, made interesting with the commands that everybody has, and served."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from machine import free_port

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120  # seconds until the server has to be there
# Two projects to join, one with Czech texts; a round on its way, with people who raise flags; and a run of it.
COMMANDS = (
    "migrate --verbosity 0",
    "demo",
    "create_project vyber --preset czech_news --language cs --seed 2021 --set R1.incidents=2",
    "add_member vyber manager@example.org manager",
    "import_items vyber annotation/presets/czech_news/demo/incidents-cs.jsonl",
    "plan vyber R1",
    "create_project related --preset semrel --language en --seed 2021 --set main.people=2",
    "add_member related manager@example.org manager",
    "import_items related annotation/presets/semrel/demo/pairs.csv",
    "plan related main",
    "simulate definitions main --people 6 --seed 4 --careless 0.2 --straight 0.2",
    "score definitions --splits 200",
)


@contextmanager
def served_demo(data: Path) -> Iterator[str]:
    """The address of the demo; server and worker end with the block."""
    environment = {**os.environ, "DATA_DIR": str(data), "DATABASE_URL": "", "REDIS_URL": "", "STORAGE_URL": ""}
    for command in COMMANDS:
        print(f"manage.py {command}", flush=True)
        manage = [sys.executable, "manage.py", *command.split()]
        subprocess.run(manage, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    port = free_port()
    serve = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with subprocess.Popen(serve, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL) as process:
        try:
            yield wait_for(f"http://localhost:{port}", process)
        finally:
            process.terminate()


def wait_for(url: str, process: subprocess.Popen) -> str:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            urlopen(url, timeout=5).close()
            return url
        except (URLError, OSError):
            time.sleep(0.5)
    raise SystemExit("The demo did not start: see the lines above.")
