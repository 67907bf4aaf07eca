"""Production in parts that can be killed and frozen: the commands of Dockerfile and docker-compose.yml, and private
servers of PostgreSQL and Redis that keep their data as the ones in docker-compose.yml do."""

import os
import secrets
import shlex
import shutil
import signal
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.load.processes import family
from benchmarks.load.servers import Serving, compose_services, image, quietly, rebound, search_path
from benchmarks.release import ROOT

# isort: split
from machine import free_port  # found through `benchmarks.load.servers`
from services import can_create_databases, installed_postgres, redis_binary, temporary_folder, unprivileged_account

PATIENCE = 120.0  # seconds until a part has to be back
DATA = "400m"  # of PostgreSQL's disk, which can be filled


@dataclass
class Part:
    """A process of production with all that it starts. account: whose it is, as `subprocess.Popen` takes it."""

    name: str
    command: list[str]
    environment: dict[str, str]
    log: Path
    account: dict[str, Any] = field(default_factory=dict)
    cwd: Path = ROOT
    process: subprocess.Popen | None = None

    def start(self) -> None:
        with self.log.open("ab") as file:
            options = {"cwd": self.cwd, "env": self.environment, "stdout": file, "stderr": file, **self.account}
            self.process = subprocess.Popen(self.command, start_new_session=True, **options)

    def keep_running(self) -> None:
        """Start it again if it has ended by itself, as Docker does."""
        if self.process and self.process.poll() is not None:
            self.start()

    def signal(self, number: int) -> None:
        for pid in family(self.process.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def kill(self) -> None:
        if self.process:
            self.signal(signal.SIGKILL)
            self.process.wait()


@dataclass
class Stack:
    """All parts by name, the address under which they serve, and the folder of PostgreSQL's data."""

    parts: dict[str, Part]
    serving: Serving
    data: Path

    def is_ready(self) -> bool:
        """Return whether database, broker, worker and storage are there, as the health page says."""
        with suppress(OSError), urllib.request.urlopen(f"{self.serving.url}/health/ready?strict", timeout=5) as page:
            return page.status == 200
        return False

    def wait_until_ready(self) -> float:
        """Wait until all is there, starting what has ended; return how many seconds that took."""
        began = time.monotonic()
        while not self.is_ready():
            if time.monotonic() - began > PATIENCE:
                raise SystemExit(f"Production did not recover within {PATIENCE:.0f} s.")
            self.keep_running()
            time.sleep(0.1)
        return time.monotonic() - began

    def keep_running(self) -> None:
        for part in self.parts.values():
            part.keep_running()


@contextmanager
def production(folder: Path, stack: Any) -> Iterator[Stack]:
    """Start production; it ends with the block. `stack` is where folders outside of this one are cleared away."""
    servers = [_postgres(temporary_folder(stack), stack), _redis(folder)]
    database, broker = (part for part, _url in servers)
    for part in (database, broker):
        part.start()
    urls = {"DATABASE_URL": servers[0][1], "REDIS_URL": servers[1][1]}
    _wait_for_postgres(urls["DATABASE_URL"])
    port, shipped, services = free_port(), image(), compose_services("https://localhost")
    environment = os.environ | shipped.environment | urls
    environment |= {"PATH": search_path(), "PUBLIC_URL": "https://localhost", "TRUSTED_PROXIES": "1"}
    environment |= {"DATA_DIR": str(folder), "STATIC_ROOT": str(folder / "static"), "SECRET_KEY": secrets.token_hex()}
    environment |= {"PYTHONWARNINGS": "ignore", "LOG_LEVEL": "WARNING"}
    quietly(["python", "manage.py", "collectstatic", "--noinput"], environment)
    quietly(shlex.split(services["migrate"]["command"]), environment)
    web = rebound(_words(services["web"].get("command") or shipped.command), port)
    beat = [
        str(folder / "beat") if word == "/tmp/beat-schedule" else word for word in _words(services["beat"]["command"])
    ]
    commands = {"web": web, "worker": _words(services["worker"]["command"]), "beat": beat}
    parts = {"database": database, "broker": broker}
    for name, command in commands.items():
        parts[name] = Part(name, command, environment, folder / f"{name}.log")
        parts[name].start()
    serving = Serving(f"http://127.0.0.1:{port}", "https://localhost", 0, environment, urls["DATABASE_URL"])
    whole = Stack(parts, serving, database.cwd)
    try:
        whole.wait_until_ready()
        yield whole
    finally:
        for part in reversed(parts.values()):
            part.kill()


def _words(command: str | list[str]) -> list[str]:
    return shlex.split(command) if isinstance(command, str) else command


def _postgres(folder: Path, stack: Any) -> tuple[Part, str]:
    """Return a server with a disk of its own, if this account may mount one."""
    binaries, account, port = installed_postgres(), unprivileged_account(), free_port()
    if binaries is None:
        raise SystemExit("PostgreSQL is not installed. On Debian: apt install postgresql.")
    data = folder / "data"
    data.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DATA}", "tmpfs", str(data)]
    if shutil.which("mount") and subprocess.run(mount, capture_output=True, check=False).returncode == 0:
        stack.callback(subprocess.run, ["umount", "--lazy", str(data)], check=False)
    if account:
        shutil.chown(data, account["user"], account["group"])
    made = [str(binaries / "initdb"), "-D", str(data), *"-U postgres -A trust -E UTF8 --no-locale".split()]
    subprocess.run(made, cwd=data, check=True, stdout=subprocess.DEVNULL, **account)
    command = [str(binaries / "postgres"), "-D", str(data), "-k", str(data), "-h", "127.0.0.1", "-p", str(port)]
    log = folder / "database.log"
    return Part(
        "database", command, dict(os.environ), log, account, data
    ), f"postgres://postgres@127.0.0.1:{port}/postgres"


def _redis(folder: Path) -> tuple[Part, str]:
    port, place = free_port(), folder / "redis"
    place.mkdir()
    if not (binary := redis_binary()):
        raise SystemExit("Redis is not installed. On Debian: apt install redis-server.")
    command = [binary, *f"--port {port} --bind 127.0.0.1 --appendonly yes --dir {place}".split()]
    return Part("broker", command, dict(os.environ), folder / "broker.log"), f"redis://127.0.0.1:{port}/0"


def _wait_for_postgres(url: str) -> None:
    port, until = int(url.rpartition(":")[2].partition("/")[0]), time.monotonic() + PATIENCE
    while not can_create_databases("postgres", port):
        if time.monotonic() > until:
            raise SystemExit("PostgreSQL did not start.")
        time.sleep(0.1)
