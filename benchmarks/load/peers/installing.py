"""Packages of the peers, each in an environment of its own in a cache folder."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "semblance-benchmarks"
UV = [sys.executable, "-m", "uv"]
COMPLETE = "installed-completely"


class Missing(Exception):
    """A peer cannot be installed or driven; the message says why in a line."""


def installed(name: str, *packages: str) -> Path:
    """Return the folder of programs of an environment with these packages, made where it is missing.

    Raises:
        Missing: they cannot be installed.
    """
    mark = hashlib.sha256(" ".join(packages).encode()).hexdigest()[:12]
    folder = CACHE / f"{name}-{mark}"
    if not (folder / COMPLETE).exists():
        print(f"Installing {' '.join(packages)} in {folder}", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        run([*UV, "venv", "--quiet", "--python", sys.executable, str(folder)])
        run([*UV, "pip", "install", "--quiet", "--python", str(folder / "bin" / "python"), *packages])
        (folder / COMPLETE).touch()
    return folder / "bin"


def version(programs: Path, package: str) -> str:
    """Return the version of a package in an environment."""
    code = f"from importlib.metadata import version; print(version({package!r}))"
    return run([str(programs / "python"), "-c", code]).strip()


def run(command: list[str], environment: dict[str, str] | None = None) -> str:
    """Run a command to its end and return what it printed. Raise Missing, with its last line, if it failed."""
    # Not where our own packages are: a peer has one of the same name.
    elsewhere = tempfile.gettempdir()
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=elsewhere, check=False)
    if done.returncode:
        raise Missing((done.stderr.strip().splitlines() or [f"{command[0]} exited with status {done.returncode}"])[-1])
    return done.stdout
