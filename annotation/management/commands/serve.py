"""The embedded server: web server and worker in one command, each restarted when it dies."""

import ctypes
import fcntl
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from annotation.domain.account.installation import LOCAL_HOSTS

LONGEST_WAIT = 30.0  # seconds between two tries to start a process that keeps dying
STEADY = 60.0  # a process that lived this long is taken for healthy: its next death is a first one
GRACE = 4.0  # seconds to end by itself before it is ended
PORTS_TRIED = 50


class Command(BaseCommand):
    help = "Serves Semblance without any other server: web pages and background work, until Ctrl-C."

    def add_arguments(self, parser):
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="port, or the next free one (8000)")

    def handle(self, *, host, port, **options):
        stop = stop_signal()
        settings.OTHERS_REACH_IT = settings.OTHERS_REACH_IT or host not in LOCAL_HOSTS
        with alone_in(settings.DATA_DIR), listen(host, port) as listener:
            self.stdout.write("Semblance looks after its database ...")
            self.stdout.flush()
            call_command("migrate", verbosity=0, interactive=False)  # an empty folder is enough to begin with
            connection.close()
            call_command("collectstatic", verbosity=0, interactive=False, clear=True)
            url = address(host, listener.getsockname()[1])
            processes = [Watched("web server", web_server(listener), listener), Watched("worker", worker())]
            environment = child_environment(url)
            for process in processes:
                process.start(environment)
            threading.Thread(target=self.announce, args=(url, stop), daemon=True).start()
            try:
                self.watch(processes, environment, stop)
            finally:
                end(processes)
        self.stdout.write("Semblance has stopped.")

    def watch(self, processes, environment, stop):
        while not stop.wait(0.2):
            for process in processes:
                if message := process.look_after(environment):
                    self.stderr.write(message)

    def announce(self, url, stop):
        """Print the address as soon as it answers."""
        while not stop.wait(0.1):
            if answers(url):
                self.stdout.write(f"\nSemblance runs at {url}\nCtrl-C stops it.\n")
                self.stdout.flush()
                return


@dataclass
class Watched:
    """A child process in its own process group, so that everything it started ends with it."""

    name: str
    command: list[str]
    listener: socket.socket | None = None
    process: subprocess.Popen | None = None
    deaths: int = 0
    started_at: float = field(default=0.0)
    start_at: float = field(default=0.0)

    def start(self, environment: dict[str, str]) -> None:
        self.started_at = time.monotonic()
        self.process = subprocess.Popen(
            self.command,
            env=environment,
            cwd=settings.BASE_DIR,
            start_new_session=True,
            pass_fds=[self.listener.fileno()] if self.listener else [],
            preexec_fn=end_with_parent if sys.platform == "linux" else None,
        )

    def look_after(self, environment: dict[str, str]) -> str:
        """Restart the process when its wait is over, and return the message about a new death, or ''."""
        if self.process and self.process.poll() is not None:
            return self.bury()
        if not self.process and time.monotonic() >= self.start_at:
            self.start(environment)
        return ""

    def bury(self) -> str:
        code, lived = self.process.returncode, time.monotonic() - self.started_at
        self.signal(signal.SIGKILL)  # what the dead process left behind
        self.process = None
        self.deaths = 1 if lived > STEADY else self.deaths + 1
        wait = min(0.5 * 2 ** (self.deaths - 1), LONGEST_WAIT)
        self.start_at = time.monotonic() + wait
        return f"The {self.name} ended after {lived:.0f} s ({why(code)}). It starts again in {wait:.1f} s."

    def signal(self, number: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)


def web_server(listener: socket.socket) -> list[str]:
    """Return the command of one process with threads. The socket stays open, so that requests wait for a restart."""
    options = "--workers 1 --threads 8 --graceful-timeout 3 --no-control-socket"
    options += " --log-level warning"
    bind = f"fd://{listener.fileno()}"
    return [sys.executable, "-m", "gunicorn", *options.split(), "--bind", bind, "config.wsgi:application"]


def worker() -> list[str]:
    options = "--pool threads --concurrency 2 --loglevel WARNING"
    options += " --without-gossip --without-mingle --without-heartbeat"
    schedule = ["-B", "--schedule", str(settings.DATA_DIR / "beat-schedule")]
    return [sys.executable, "-m", "celery", "-A", "config", "--quiet", "worker", *options.split(), *schedule]


def child_environment(url: str) -> dict[str, str]:
    """Return the environment, in which links in e-mails lead to the found port unless it says otherwise."""
    quiet = "ignore:You're running the worker with superuser"  # in a container everybody is root
    reachable = {"OTHERS_REACH_IT": "1"} if settings.OTHERS_REACH_IT else {}
    return {"PUBLIC_URL": url, "PYTHONWARNINGS": quiet, **os.environ, **reachable, "PYTHONUNBUFFERED": "1"}


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold the folder's lock: two servers on the same data would run two schedulers."""
    with open(folder / "serve.lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CommandError(f"Semblance already runs on the data in {folder}. Stop it first.") from None
        yield


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket on the port, or on the first free one above it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    problem: Exception | None = None
    for candidate in range(port, min(port + PORTS_TRIED, 65536)):
        try:
            return socket.create_server((host, candidate), family=family, backlog=256)
        except OSError as error:
            problem = error
    raise CommandError(f"No port from {port} on can be used on {host}: {problem}")


def address(host: str, port: int) -> str:
    everywhere_or_here = ("127.0.0.1", "::1", "0.0.0.0", "::", "localhost")
    name = "localhost" if host in everywhere_or_here else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}"


def answers(url: str) -> bool:
    """Return whether any HTTP answer comes back, be it a redirect or an error page."""
    parts = urlsplit(url)
    with closing(HTTPConnection(parts.hostname, parts.port, timeout=5)) as connection:
        try:
            connection.request("GET", "/account/login/")
            connection.getresponse()
        except (OSError, HTTPException):
            return False
        return True


def stop_signal() -> threading.Event:
    """Return an event that Ctrl-C, SIGTERM and a closed terminal set."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: stop.set())
    return stop


def end(processes: list[Watched]) -> None:
    """End all processes together: first politely, after the grace period by force."""
    running = [process for process in processes if process.process]
    for process in running:
        process.signal(signal.SIGTERM)
    deadline = time.monotonic() + GRACE
    for process in running:
        with suppress(subprocess.TimeoutExpired):
            process.process.wait(max(deadline - time.monotonic(), 0.01))
        process.signal(signal.SIGKILL)
        process.process.wait()


def end_with_parent() -> None:
    """Ask Linux for SIGTERM when the parent is gone, however it went (PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def why(code: int) -> str:
    return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
