"""What serves: production as the Dockerfile starts it, behind the proxy of docker-compose.yml, or the embedded mode."""

import os
import re
import secrets
import shlex
import shutil
import signal
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from urllib.error import HTTPError

import redis

from benchmarks.load.processes import family
from benchmarks.release import ROOT, own_database

sys.path += [str(ROOT / "script" / "shipping"), str(ROOT / "script" / "testing")]

from compose import read_services, read_variables
from dockerfile import Image, assignments, instructions, words
from services import find_postgres, find_redis

PATIENCE = 300.0  # seconds until a server has to answer
SECRETS = ("SECRET_KEY", "POSTGRES_PASSWORD", "REDIS_PASSWORD")
NO_PROXY = "Caddy is not installed, so measurements are without the proxy. On Debian: apt install caddy."


@dataclass
class Serving:
    """A server that answers.

    Parameters: url, where clients connect; public_url, the address that people type; web, the process whose family is
    the server; environment, with which commands see its database; database, its address, or '' for SQLite.
    """

    url: str
    public_url: str
    web: int
    environment: dict[str, str]
    database: str = ""
    proxy: int = 0
    name: str = field(default="")

    @property
    def forwarded(self) -> bool:
        """Whether clients say what a proxy would say."""
        return not self.url.startswith("https") and self.public_url.startswith("https")

    def run(self, *command: str, given: str | None = None) -> str:
        """Run a command of Python on the server's database and return what it printed."""
        python = [sys.executable, *command]
        quiet = self.environment | {"LOG_FORMAT": "text"}  # as JSON it logs every request, also those of a test client
        done = subprocess.run(python, cwd=ROOT, env=quiet, input=given, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)} exited with status {done.returncode}")
        return done.stdout


@contextmanager
def production(folder: Path, port: int, *, direct: bool) -> Iterator[Serving]:
    """Serve with production settings; PostgreSQL and Redis are those of the environment or of this machine."""
    with ExitStack() as stack:
        url = find_postgres(stack)
        if not url:
            raise SystemExit(
                "No PostgreSQL server found, and none could be started. Set DATABASE_URL, or use --embedded."
            )
        database = stack.enter_context(own_database(url))
        broker = stack.enter_context(own_broker(find_redis(stack)))
        public = f"https://localhost:{port}"
        shipped, services = image(), compose_services(public)
        environment = os.environ | shipped.environment | {"PATH": search_path()}
        environment |= {"DATABASE_URL": database, "REDIS_URL": broker, "PUBLIC_URL": public, "TRUSTED_PROXIES": "1"}
        environment |= {
            "DATA_DIR": str(folder),
            "STATIC_ROOT": str(folder / "static"),
            "SECRET_KEY": secrets.token_hex(),
        }
        environment |= {"PYTHONWARNINGS": "ignore", "LOG_LEVEL": "ERROR"}
        quietly(["python", "manage.py", "collectstatic", "--noinput"], environment)
        quietly(shlex.split(services["migrate"]["command"]), environment)
        with web(services["web"], shipped, environment, port + 1) as process:
            serving = Serving(f"http://127.0.0.1:{port + 1}", public, process.pid, environment, database)
            wait_for(process, serving.url, serving.public_url)
            serving.name = "gunicorn, PostgreSQL"
            if not direct and (proxy := stack.enter_context(_proxy(folder, port, port + 1))):
                serving.url, serving.proxy, serving.name = public, proxy, "Caddy, gunicorn, PostgreSQL"
            yield serving


@contextmanager
def embedded(folder: Path, port: int) -> Iterator[Serving]:
    """Serve with `manage.py serve` and SQLite."""
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
    environment |= {"DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings.base"}
    environment |= {"PYTHONUNBUFFERED": "1"}
    url = f"http://localhost:{port}"
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with started(command, environment, folder / "serve.log") as process:
        wait_for(process, url, url)
        yield Serving(url, url, process.pid, environment, name="manage.py serve, SQLite")


def web(service: dict, shipped: Image, environment: dict[str, str], port: int):
    """Start the web server as its image and service say, on a port of this machine only."""
    command = service.get("command") or shipped.command
    line = shlex.split(command) if isinstance(command, str) else command
    return started(rebound(line, port), environment, Path(environment["DATA_DIR"]) / "web.log")


def rebound(command: list[str], port: int) -> list[str]:
    """Return a command with its address replaced by one of this machine only.

    Raises:
        ValueError: it does not listen on the port that the image exposes.
    """
    bound = [re.sub(r"0\.0\.0\.0:8000\b", f"127.0.0.1:{port}", word) for word in command]
    if bound == command:
        raise ValueError(f"Cannot tell which address this command listens on: {' '.join(command)}")
    return bound


def image() -> Image:
    """Return what the Dockerfile says about environment and command."""
    found = Image()
    for name, arguments in instructions(ROOT / "Dockerfile"):
        if name == "ENV":
            found.environment |= assignments(arguments)
        elif name == "CMD":
            found.command = words(arguments)
    return found


def compose_services(public_url: str) -> dict:
    """Return the services of docker-compose.yml, as `.env.example` and secrets of this run fill it in."""
    variables = read_variables(ROOT / ".env.example") | {name: secrets.token_hex(24) for name in SECRETS}
    return read_services(ROOT / "docker-compose.yml", variables | {"PUBLIC_URL": public_url}, set())


@contextmanager
def own_broker(url: str) -> Iterator[str]:
    """Give an empty database of Redis, and empty it again."""
    if not url:
        raise SystemExit("No Redis server found, and none could be started. Set REDIS_URL, or use --embedded.")
    with redis.Redis.from_url(url) as client:
        if client.dbsize():
            raise SystemExit(
                "The database of REDIS_URL is not empty. Use an empty one, for example redis://127.0.0.1:6379/9."
            )
        yield url
        client.flushdb()


@contextmanager
def _proxy(folder: Path, port: int, behind: int) -> Iterator[int]:
    """Start the proxy with the project's own Caddyfile; its process, or 0 where the machine has none."""
    if not shutil.which("caddy"):
        print(NO_PROXY, flush=True)
        yield 0
        return
    text = (ROOT / "Caddyfile").read_text().replace("web:8000", f"127.0.0.1:{behind}")
    # Nothing but the one port is opened, and nobody is asked for a certificate.
    text = text.replace("skip_install_trust", "skip_install_trust\n\tlocal_certs\n\tauto_https disable_redirects", 1)
    (folder / "Caddyfile").write_text(text)
    homes = {"XDG_DATA_HOME": str(folder / "caddy"), "XDG_CONFIG_HOME": str(folder / "caddy")}
    environment = os.environ | homes | {"SITE_ADDRESS": f"https://localhost:{port}"}
    command = ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    with started(command, environment, folder / "caddy.log") as process:
        wait_for(process, f"https://localhost:{port}", f"https://localhost:{port}")
        yield process.pid


@contextmanager
def started(command: list[str], environment: dict[str, str], log: Path, cwd: Path = ROOT) -> Iterator[subprocess.Popen]:
    """Start a process that ends with the block, with everything that it started itself."""
    with log.open("wb") as file:
        process = subprocess.Popen(command, cwd=cwd, env=environment, stdout=file, stderr=file, start_new_session=True)
    try:
        yield process
    except SystemExit:
        print(log.read_text()[-3000:], file=sys.stderr)
        raise
    finally:
        end(process)


def end(process: subprocess.Popen) -> None:
    members = family(process.pid)
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        for pid in members:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.wait()


def quietly(command: list[str], environment: dict[str, str]) -> None:
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} exited with status {done.returncode}")


def wait_for(process: subprocess.Popen, url: str, public_url: str, path: str = "/account/login/") -> None:
    """Wait until a page comes back from a process, asked for as the proxy asks."""
    scheme, _, host = public_url.partition("://")
    context = ssl._create_unverified_context() if url.startswith("https") else None
    page = urllib.request.Request(url + path, headers={"Host": host, "X-Forwarded-Proto": scheme})
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            urllib.request.urlopen(page, timeout=10, context=context).close()
            return
        except HTTPError as error:
            if error.code == HTTPStatus.INTERNAL_SERVER_ERROR:
                break  # it began, and is broken
            time.sleep(0.2)
        except OSError:
            time.sleep(0.2)
    raise SystemExit(f"{url} does not respond.")


def search_path() -> str:
    """Return a PATH on which `python` and `gunicorn` are those of this environment."""
    return f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
