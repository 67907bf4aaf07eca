"""A worker in a process of its own, on data of its own, as `serve` starts it."""

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from textwrap import dedent
from urllib.parse import urlsplit, urlunsplit

import psycopg2
from django.db import connection

from annotation.management.commands.serve import worker
from tests.config.surroundings import ROOT, clean_environment

RUN, RELEASE = "scoring_run", "scoring_release"
ENDED = {"done", "failed", "uncertain", "cancelled"}
STARTING = """
    from annotation.models import Project
    from scoring.domain.runs.starting import start_run
    from annotation.tasks import run_job
    for parameters in {parameters!r}:
        run = start_run(project=Project.objects.get(key={project!r}), actor=None, parameters=parameters)
        run_job.delay("run", run.pk)
        print(run.pk)
"""
RELEASING = """
    from annotation.models import Project
    from scoring.domain.releases.jobs import request_release
    from annotation.tasks import run_job
    project = Project.objects.get(key="project")
    release = request_release(project=project, actor=None, run=project.runs.last())
    run_job.delay("release", release.pk)
    print(release.pk)
"""
RESULTS = """
    from scoring.models import Run
    from scoring.summaries.tree import as_json
    for run in Run.objects.filter(pk__in={runs!r}).order_by("pk"):
        print(as_json(run.results))
"""


class Embedded:
    """Data on SQLite with a broker of files, and a worker that can be killed."""

    def __init__(self, folder, template, **environment):
        self.folder, self.process = folder, None
        self.environment = clean_environment(DATA_DIR=folder, WORKER_LOST_AFTER=1, PYTHONWARNINGS="ignore")
        self.environment |= {name: str(value) for name, value in environment.items()}
        self.make_database(template)

    def make_database(self, template):
        """A copy of what the tests migrated, where they are on SQLite, too."""
        if connection.vendor == "sqlite":
            shutil.copy(template, self.folder / "semblance.sqlite3")
        else:
            self.manage("migrate", "--verbosity", "0")

    def manage(self, *arguments):
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def do(self, code):
        return self.manage("shell", "--verbosity", "0", "-c", dedent(code)).split("\n")[:-1]

    def start_runs(self, *parameters, project="project", before=""):
        """New runs, sent to a worker; gives their ids."""
        starting = dedent(STARTING).format(parameters=list(parameters), project=project)
        return [int(line) for line in self.do(dedent(before) + starting)]

    def start_release(self):
        """A new release of the first run, sent to a worker; gives its id."""
        return int(self.do(RELEASING)[0])

    def results_of(self, runs):
        return self.do(RESULTS.format(runs=runs))

    def start(self):
        command = self.worker_command()
        self.process = subprocess.Popen(command, cwd=ROOT, env=self.environment, start_new_session=True)

    def worker_command(self):
        schedule = str(self.folder / "beat-schedule")
        return [schedule if "beat-schedule" in word else word for word in worker()]

    def kill(self):
        """As nothing can be refused: the worker and what it started end where they are."""
        if self.process:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def rows(self, query, *values):
        with closing(sqlite3.connect(self.folder / "semblance.sqlite3", timeout=30)) as database:
            found = database.execute(query, values).fetchall()
            database.commit()
            return found

    def wait_for(self, ids, seconds=120, table=RUN):
        """Until all these rows of a table have ended; gives their states."""
        deadline = time.monotonic() + seconds
        marks = ", ".join("?" * len(ids))
        while True:
            states = self.rows(f"SELECT state FROM {table} WHERE id IN ({marks}) ORDER BY id", *ids)
            if {state for (state,) in states} <= ENDED:
                return [state for (state,) in states]
            assert time.monotonic() < deadline, self.what_hinders(states, table)
            time.sleep(0.05)

    def what_hinders(self, states, table):
        """Say what is at work; the worker prints where each of its threads is."""
        if self.process and self.process.poll() is None:
            os.kill(self.process.pid, signal.SIGUSR1)
            time.sleep(2)
        parts = self.rows(
            "SELECT id, state, attempts, heartbeat_at, problem FROM scoring_runpart WHERE state <> 'done'"
        )
        return states, self.rows(f"SELECT * FROM {table} ORDER BY id DESC LIMIT 1"), parts, os.listdir(self.folder)

    def state_of(self, own, table=RUN):
        return self.rows(f"SELECT state FROM {table} WHERE id = ?", own)[0][0]

    def wait_until_moved(self, own, seconds=60, table=RUN):
        """Until something happens to a row, or it has ended."""
        before = now = self._moves(own, table)
        deadline = time.monotonic() + seconds
        while now == before and now[0] not in ENDED:
            assert time.monotonic() < deadline, now
            time.sleep(0.01)
            now = self._moves(own, table)

    def _moves(self, own, table):
        (moves,) = self.rows(f"SELECT state, attempts FROM {table} WHERE id = ?", own)
        parts = self.rows("SELECT sum(attempts) FROM scoring_runpart WHERE run_id = ?", own) if table == RUN else []
        return (*moves, *parts)

    end = kill


class Served(Embedded):
    """The same on PostgreSQL and on a Redis of its own, which can be killed; the worker has processes, not threads."""

    def __init__(self, folder, template, database, binary, **environment):
        self.url, self.binary, self.port = address_of_new(database), binary, free_port()
        self.start_broker(folder)
        address = f"redis://127.0.0.1:{self.port}/0"
        super().__init__(folder, template, DATABASE_URL=self.url, REDIS_URL=address, **environment)

    def make_database(self, template):
        name = urlsplit(self.url).path[1:]
        ask(beside(self.url, "postgres"), f'CREATE DATABASE {name} TEMPLATE "{template}"')

    def worker_command(self):
        return ["prefork" if word == "threads" else word for word in super().worker_command()]

    def rows(self, query, *values):
        return ask(self.url, query.replace("?", "%s"), values)

    def start_broker(self, folder):
        """Without care for what it holds: a killed one begins empty."""
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
        self.redis = subprocess.Popen([self.binary, *options], stdout=subprocess.DEVNULL)

    def lose_broker(self):
        self.redis.kill()
        self.redis.wait()
        self.start_broker(self.folder)

    def lose_database(self):
        """What a restart of the server is to its clients: every connection ends, and for a while there is no other."""
        name = urlsplit(self.url).path[1:]
        whole = beside(self.url, "postgres")
        ask(whole, f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        for _ in range(20):
            ask(whole, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
            time.sleep(0.05)
        ask(whole, f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")

    def end(self):
        self.kill()
        self.redis.kill()
        self.redis.wait()
        ask(beside(self.url, "postgres"), f"DROP DATABASE {urlsplit(self.url).path[1:]} WITH (FORCE)")


def beside(url, name):
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def address_of_new(url):
    """The address of a database on the same server that is not there yet."""
    return beside(url, f"semblance_worker_{os.getpid()}_{time.monotonic_ns()}")


def ask(url, query, values=()):
    with closing(psycopg2.connect(url)) as connection:
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(query, values or None)
            return cursor.fetchall() if cursor.description else []


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]
