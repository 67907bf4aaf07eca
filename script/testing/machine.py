"""What the machine has, and what Debian's package manager may add to it."""

import os
import shutil
import socket
import subprocess
from functools import cache


def is_root() -> bool:
    return os.geteuid() == 0


@cache
def apt() -> list[str]:
    """The beginning of a package manager call that needs no password, or nothing."""
    if not shutil.which("apt-get"):
        return []
    if is_root():
        return ["apt-get"]
    allowed = shutil.which("sudo") and quietly(["sudo", "-n", "true"])
    return ["sudo", "-n", "apt-get"] if allowed else []


def apt_install(*packages: str, timeout: float = 600) -> bool:
    """Install packages where that is possible, within so many seconds for each of two steps; whether it worked."""
    if not apt():
        return False
    print(f"Installing {' '.join(packages)}", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    quietly([*apt(), "update", "-qq"], timeout)
    return quietly([*apt(), "install", "-y", "-qq", "--no-install-recommends", *packages], timeout, env=environment)


def quietly(command: list[str], timeout: float = 600, **options) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=timeout, **options).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]
