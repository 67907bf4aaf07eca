"""The embedded server: web server and worker in one command, each restarted when it dies."""

import fcntl
import json
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from annotation.domain.account.installation import setup_link

SUPERVISOR = settings.BASE_DIR / "config" / "supervising.py"
PORTS_TRIED = 50


class Command(BaseCommand):
    help = "Run Semblance without any other server: web pages and background jobs, until you press Ctrl-C."

    def add_arguments(self, parser):
        parser.add_argument("--host", default="127.0.0.1", help="Address to listen on (default: 127.0.0.1).")
        parser.add_argument(
            "--port", type=int, default=8000, help="Port to listen on, or the next free one (default: 8000)."
        )

    def handle(self, *, host, port, **options):
        with alone_in(settings.DATA_DIR) as lock, listen(host, port) as listener:
            url = address(host, listener.getsockname()[1])
            environment = child_environment(url)
            self.prepare()
            setup = setup_link(environment["PUBLIC_URL"])
            connection.close()
            become_supervisor(plan(url, setup, listener), environment, lock, listener)

    def prepare(self):
        self.stdout.write("Preparing the database ...")
        self.stdout.flush()
        call_command("migrate", verbosity=0, interactive=False)  # an empty folder is enough to begin with
        call_command("collectstatic", verbosity=0, interactive=False, clear=True)


def plan(url: str, setup: str, listener: socket.socket) -> dict[str, object]:
    """Return what the supervisor runs and says."""
    lines = ["", f"Semblance is running at {url}"]
    if setup:
        lines += ["There is no administrator yet. Sign up with this link, which works only once:", setup]
    processes = [
        {"name": "web server", "command": web_server(listener), "socket": listener.fileno()},
        {"name": "worker", "command": worker()},
    ]
    return {"url": url, "announcement": "\n".join([*lines, "Press Ctrl-C to stop."]), "processes": processes}


def become_supervisor(
    own: dict[str, object], environment: dict[str, str], lock: TextIOWrapper, listener: socket.socket
) -> None:
    """Replace this process, with all that it has loaded, by a small one that holds the lock and the socket."""
    for kept in (lock, listener):
        os.set_inheritable(kept.fileno(), True)
    os.chdir(settings.BASE_DIR)
    given = environment | {"SUPERVISED": json.dumps(own)}
    os.execve(sys.executable, [sys.executable, "-I", "-S", str(SUPERVISOR)], given)  # noqa: S606 no shell is wanted


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
    return {"PUBLIC_URL": url, "PYTHONWARNINGS": quiet, **os.environ, "PYTHONUNBUFFERED": "1"}


@contextmanager
def alone_in(folder: Path) -> Iterator[TextIOWrapper]:
    """Hold the folder's lock: two servers on the same data would run two schedulers."""
    with open(folder / "serve.lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CommandError(f"Semblance is already running with the data in {folder}. Stop it first.") from None
        yield lock


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket on the port, or on the first free one above it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    problem = "port numbers end at 65535"
    for candidate in range(port, min(port + PORTS_TRIED, 65536)):
        try:
            return socket.create_server((host, candidate), family=family, backlog=256)
        except OSError as error:
            problem = str(error)
    raise CommandError(f"No port from {port} up is available on {host}: {problem}")


def address(host: str, port: int) -> str:
    everywhere_or_here = ("127.0.0.1", "::1", "0.0.0.0", "::", "localhost")
    name = "localhost" if host in everywhere_or_here else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}"
