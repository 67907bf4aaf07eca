"""`python -m benchmarks.hosts [--judgments 1000000] [--kind choices|ratings]`: one run on one worker host, then on two.

A host is a Celery worker with one process and a data folder of its own; hosts share PostgreSQL (the server of
DATABASE_URL), Redis and an S3-compatible store, as docs/operations.md describes it for several machines. The results
of the runs must be equal. Time is that of the run from its request to its end; memory is the peak of any process of a
host.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory
from urllib.request import urlopen

import psycopg2

from benchmarks.load.processes import family, peak_megabytes, seconds
from benchmarks.load.servers import own_broker, started
from benchmarks.release import KINDS, execute, own_database, run

sys.path.append(str(Path(__file__).resolve().parents[1] / "script" / "testing"))

from services import find_postgres, find_redis

HOSTS = 2
PATIENCE = 120.0  # seconds until a store or a worker has to answer
BUCKET = "files"
HEADING = "| worker hosts | elapsed | processor time of each | peak memory of each | results |\n|" + " --- |" * 5
STATE = """
    SELECT state, extract(epoch FROM ended_at - created_at), md5(results::text), problem FROM scoring_run WHERE id = %s
"""
REQUEST = """
import django, sys
django.setup()
from annotation.models import Project
from annotation.tasks import run_job
from scoring.domain.runs.starting import start_run
run = start_run(project=Project.objects.get(key="large"), actor=None, parameters={"splits": int(sys.argv[1])})
run_job.delay("run", run.pk)
print(run.pk)
"""


@dataclass
class Host:
    """A worker of its own data folder, and what it has used so far: seconds, and megabytes at its peak."""

    process: subprocess.Popen
    processor: dict[int, float] = field(default_factory=dict)
    memory: float = 0.0

    def look(self) -> None:
        members = family(self.process.pid)
        self.processor |= seconds(members)
        self.memory = max(self.memory, *map(peak_megabytes, members))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hosts", description=__doc__)
    parser.add_argument("--judgments", type=int, default=1_000_000)
    parser.add_argument("--kind", choices=KINDS, default="choices")
    parser.add_argument("--splits", type=int, default=1000, help="splits for split-half reliability (default: 1000)")
    parser.add_argument("--only-two", action="store_true", help="skip the run on one host")
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        url = stack.enter_context(own_database(find_postgres(stack)))
        environment = os.environ | {
            "DATABASE_URL": url,
            "REDIS_URL": stack.enter_context(own_broker(find_redis(stack))),
            "STORAGE_URL": stack.enter_context(store(folder)),
            "DJANGO_SETTINGS_MODULE": "config.settings.base",
            "SECRET_KEY": "of this measurement alone",
            "AWS_ACCESS_KEY_ID": "for-benchmarks",
            "AWS_SECRET_ACCESS_KEY": "for-benchmarks",
            "DATA_DIR": str(folder / "here"),
            "PYTHONWARNINGS": "ignore",
        }
        run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], environment)
        run([sys.executable, "-m", "benchmarks.largeprojects", asked.kind, str(asked.judgments)], environment)
        execute(url, "ANALYZE")  # as a database does by itself that was not filled a moment ago
        print(f"{asked.judgments:,} {asked.kind}\n\n{HEADING}", flush=True)
        found = [
            measured(hosts, environment, folder, asked.splits) for hosts in ([HOSTS] if asked.only_two else [1, HOSTS])
        ]
    elapsed, results = zip(*found, strict=True)
    if len(set(results)) > 1:
        raise SystemExit("FAILED: the results of the runs differ.")
    if len(found) > 1:
        print(f"\n{elapsed[0] / elapsed[1]:.2f} times as fast on {HOSTS} hosts")


def measured(number: int, environment: dict[str, str], folder: Path, splits: int) -> tuple[float, str]:
    """Print a line for so many hosts; return the seconds of the run and a digest of its results."""
    with ExitStack() as stack:
        hosts = [
            stack.enter_context(worker(f"host{place}", number, environment, folder)) for place in range(1, number + 1)
        ]
        pk = printed([sys.executable, "-c", REQUEST, str(splits)], environment)
        elapsed, results = finished(int(pk), hosts, environment["DATABASE_URL"])
    used = ", ".join(f"{sum(host.processor.values()):.1f} s" for host in hosts)
    memory = ", ".join(f"{host.memory:,.0f} MB" for host in hosts)
    print(f"| {number} | {elapsed:.1f} s | {used} | {memory} | {results[:12]} |", flush=True)
    return elapsed, results


def finished(pk: int, hosts: Sequence[Host], url: str) -> tuple[float, str]:
    """Wait for a run, watching its hosts; return its seconds and a digest of its results."""
    connection = psycopg2.connect(url)
    connection.autocommit = True
    with connection.cursor() as cursor:
        while True:
            for host in hosts:
                host.look()
            cursor.execute(STATE, [pk])
            state, elapsed, results, problem = cursor.fetchone()
            if state == "done":
                connection.close()
                return float(elapsed), results
            if state not in ("waiting", "running"):
                raise SystemExit(f"The run is {state}: {problem}")
            time.sleep(0.2)


@contextmanager
def worker(name: str, number: int, environment: dict[str, str], folder: Path) -> Iterator[Host]:
    """Start a worker as another machine would, and wait until it answers."""
    own = folder / f"{name}-of-{number}"
    own.mkdir()
    command = [sys.executable, "-m", "celery", "-A", "config", "--quiet"]
    line = [*command, "worker", "--concurrency", "1", "--hostname", f"{name}@measured", "--loglevel", "ERROR"]
    ping = [*command, "inspect", "ping", "--timeout", "2", "--destination", f"{name}@measured"]
    own_environment = environment | {"DATA_DIR": str(own)}
    with started(line, own_environment, folder / f"{name}.log") as process:
        until = time.monotonic() + PATIENCE
        while subprocess.run(ping, env=own_environment, capture_output=True, check=False).returncode:
            if process.poll() is not None or time.monotonic() > until:
                raise SystemExit(f"The worker {name} does not answer.")
        yield Host(process)


@contextmanager
def store(folder: Path) -> Iterator[str]:
    """Start an S3-compatible store with an empty bucket; give the value of STORAGE_URL."""
    import boto3  # noqa: PLC0415 only needed with a store

    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "moto.server", "--host", "127.0.0.1", "--port", str(port)]
    with started(command, dict(os.environ), folder / "store.log"):
        until = time.monotonic() + PATIENCE
        while not answers(f"{address}/moto-api/"):
            if time.monotonic() > until:
                raise SystemExit("The store does not answer.")
            time.sleep(0.2)
        keys = {"aws_access_key_id": "for-benchmarks", "aws_secret_access_key": "for-benchmarks"}
        boto3.client("s3", endpoint_url=address, region_name="us-east-1", **keys).create_bucket(Bucket=BUCKET)
        yield f"s3://{BUCKET}/semblance?endpoint_url={address}&region_name=us-east-1"


def answers(url: str) -> bool:
    try:
        urlopen(url, timeout=2).close()
    except OSError:
        return False
    return True


def printed(command: list[str], environment: dict[str, str]) -> str:
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout.split()[-1]


if __name__ == "__main__":
    main()
