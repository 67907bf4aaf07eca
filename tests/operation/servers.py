"""gunicorn as the Dockerfile starts it, with the log in a file."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import closing

from django.db import connection

from annotation.management.commands.serve import listen, worker
from tests.config.surroundings import ROOT, clean_environment

BEARER = "Bearer a-token-of-the-monitoring"


class Server:
    """Two web processes, and a worker if wanted, on data of their own."""

    def __init__(self, folder, template, **environment):
        self.log, self.processes = folder / "log", []
        with closing(listen("127.0.0.1", 8321)) as free:
            self.port = free.getsockname()[1]
        self.environment = clean_environment(
            DATA_DIR=folder, LOG_FORMAT="json", PYTHONUNBUFFERED=1, PYTHONWARNINGS="ignore", **environment
        )
        if connection.vendor == "sqlite":
            shutil.copy(template, folder / "semblance.sqlite3")
        else:
            self.manage("migrate", "--verbosity", "0")

    def start(self, *command):
        with self.log.open("ab") as log:
            options = {"cwd": ROOT, "env": self.environment, "stdout": log, "stderr": log, "start_new_session": True}
            self.processes.append(subprocess.Popen([sys.executable, *command], **options))

    def start_web(self, workers=2):
        options = f"--bind 127.0.0.1:{self.port} --workers {workers} --threads 4"
        self.start("-m", "gunicorn", "config.wsgi", *options.split(), "--no-control-socket")
        wait_until(lambda: self.get("/health/live")[0] == 200)

    def start_worker(self):
        schedule = str(self.log.with_name("beat"))
        self.start(*(schedule if "beat-schedule" in word else word for word in worker()[1:]))

    def get(self, path, data=None, **headers):
        """The status, the headers and the text of an answer; status 0 if there is none."""
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, names)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read().decode()
        except OSError:
            return 0, {}, ""

    def lines(self):
        """The log: every line of it is one JSON object."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def manage(self, *arguments):
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def stop(self, number=signal.SIGTERM):
        for process in self.processes:
            os.killpg(process.pid, number)
        for process in self.processes:
            process.wait(60)
        self.processes = []


def wait_until(condition, seconds=90):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds} s in vain"
        time.sleep(0.1)
