import os
import select
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management.base import CommandError
from django.db import connection

from annotation.management.commands.serve import address, alone_in, child_environment, listen
from benchmarks.load.processes import megabytes
from config.supervising import Watched, announce, answers, end, stop_signal, why
from tests.config.surroundings import ROOT, clean_environment

SLEEPING = [sys.executable, "-c", "import time; time.sleep(600)"]
STUBBORN = """
import pathlib, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pathlib.Path(sys.argv[1]).touch()
time.sleep(600)
"""


def wait_until(condition, seconds=60.0):
    """Waits for something that must come; fails loudly where it does not."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds} s in vain"
        time.sleep(0.05)


# the whole of it


class Server:
    """`manage.py serve` with data and a port of its own."""

    def __init__(self, folder, port):
        self.environment = clean_environment(DATA_DIR=folder, PYTHONUNBUFFERED=1)
        self.folder, self.port, self.said, self.process = folder, port, "", None

    def command(self, *arguments):
        return [sys.executable, "manage.py", *arguments]

    def run(self, *arguments):
        return subprocess.run(self.command(*arguments), cwd=ROOT, env=self.environment, capture_output=True, text=True)

    def start(self):
        self.process = subprocess.Popen(
            self.command("serve", "--port", str(self.port)),
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        wait_until(lambda: self.hears("Semblance is running at "))
        return self.said.split("running at ")[1].split()[0]

    def hears(self, words):
        while select.select([self.process.stdout], [], [], 0)[0]:
            chunk = os.read(self.process.stdout.fileno(), 65536)
            if not chunk:
                break
            self.said += chunk.decode()
        return words in self.said

    def children(self):
        """Process ids by what they run."""
        listed = subprocess.run(
            ["ps", "-o", "pid=,args=", "--ppid", str(self.process.pid)], capture_output=True, text=True
        ).stdout
        return {("worker" if "celery" in line else "web server"): int(line.split()[0]) for line in listed.splitlines()}

    def outcome(self, task):
        with closing(sqlite3.connect(self.folder / "semblance.sqlite3", timeout=20)) as database:
            query = "SELECT status FROM django_celery_results_taskresult WHERE task_id = ?"
            return next((status for (status,) in database.execute(query, [task])), None)


def open_to_others(folder):
    """What in the folder anybody but its owner may read, write or enter."""
    paths = [folder, *folder.rglob("*")]
    assert len(paths) > 5
    return [path for path in paths if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077]


@pytest.fixture
def server(template, tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "of-an-earlier-version.csv").touch()
    (tmp_path / "of-an-earlier-version.csv").chmod(0o644)
    with closing(listen("127.0.0.1", 21000)) as free:
        port = free.getsockname()[1]
    one = Server(tmp_path, port)
    if connection.vendor == "sqlite":
        shutil.copy(template, tmp_path / "semblance.sqlite3")
    else:
        assert one.run("migrate", "--verbosity", "0").returncode == 0
    yield one
    if one.process:
        one.process.kill()  # nothing, where the test came to its end
        one.process.wait()
        one.process.stdout.close()


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def page(url):
    with urllib.request.urlopen(f"{url}/account/login/", timeout=30) as response:
        return response.status


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks at the processes as on Linux")
def test_serve_from_start_to_stop(server):
    url = server.start()
    assert url == f"http://localhost:{server.port}"
    assert page(url) == 200
    assert f"{url}/account/signup/?setup_code=" in server.said
    assert "setup_code" not in subprocess.run(["ps", "-ww", "-A", "-o", "args="], capture_output=True, text=True).stdout
    assert "django" not in Path(f"/proc/{server.process.pid}/maps").read_text()
    assert megabytes([server.process.pid]) < 25

    # The worker takes what another process sends.
    sending = "from annotation.tasks import beat_heart; print(beat_heart.delay().id)"
    task = server.run("shell", "--verbosity", "0", "-c", sending).stdout.strip()
    wait_until(lambda: server.outcome(task) == "SUCCESS")

    # Nobody else serves the same data.
    other = server.run("serve", "--port", str(server.port))
    assert (other.returncode, other.stderr) == (
        1,
        f"CommandError: Semblance is already running with the data in {server.folder}. Stop it first.\n",
    )

    # Whatever dies is started again, at the same address.
    killed = server.children()
    for pid in killed.values():
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: server.hears("The web server stopped after") and server.hears("The worker stopped after"))
    assert page(url) == 200
    wait_until(lambda: set(server.children()) == {"web server", "worker"})
    assert not set(server.children().values()) & set(killed.values())

    # Others on the machine see nothing of the data, whatever was written by whom.
    assert open_to_others(server.folder) == []

    # Ctrl-C ends all of it.
    children = server.children()
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(60) == 0
    assert server.hears("Semblance has stopped.")
    assert "Traceback" not in server.said
    assert not any(map(alive, children.values()))
    assert not answers(url)


# its parts


def test_listen_takes_the_next_free_port():
    with closing(listen("127.0.0.1", 22000)) as one, closing(listen("127.0.0.1", one.getsockname()[1])) as other:
        assert other.getsockname()[1] > one.getsockname()[1]


def test_listen_on_an_address_of_another_machine():
    with pytest.raises(CommandError, match=r"No port from 22000 up is available on 192\.0\.2\.1: "):
        listen("192.0.2.1", 22000)


def test_listen_above_the_last_port():
    with pytest.raises(CommandError, match="No port from 65536 up is available"):
        listen("127.0.0.1", 65536)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://localhost:8000"),
        ("0.0.0.0", "http://localhost:8000"),
        ("::", "http://localhost:8000"),
        ("192.0.2.1", "http://192.0.2.1:8000"),
        ("2001:db8::1", "http://[2001:db8::1]:8000"),
    ],
)
def test_address(host, url):
    assert address(host, 8000) == url


def test_answers_of_nobody():
    with closing(listen("127.0.0.1", 22500)) as listener:
        port = listener.getsockname()[1]
    assert not answers(f"http://127.0.0.1:{port}")


def test_answers_of_something_that_is_no_web_server():
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:

        def talk():
            connection, _ = listener.accept()
            with closing(connection):
                connection.recv(1000)
                connection.sendall(b"220 mail\r\n\r\n")

        thread = threading.Thread(target=talk)
        thread.start()
        assert not answers(f"http://127.0.0.1:{listener.getsockname()[1]}")
        thread.join()


def test_address_is_not_announced_before_a_page_comes_back(capsys):
    stop = threading.Event()
    with closing(listen("127.0.0.1", 22700)) as listener:
        port = listener.getsockname()[1]
    thread = threading.Thread(target=announce, args=(f"http://127.0.0.1:{port}", "It runs", stop))
    thread.start()
    time.sleep(0.5)  # several questions
    stop.set()
    thread.join()
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("code", "words"), [(-9, "killed by SIGKILL"), (3, "exit code 3"), (0, "exit code 0")])
def test_why(code, words):
    assert why(code) == words


def test_data_folder_is_locked_until_the_server_ends(tmp_path):
    with alone_in(tmp_path), pytest.raises(CommandError, match="already running with the data"), alone_in(tmp_path):
        pass
    with alone_in(tmp_path):
        pass


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_stop_signal(number):
    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        stop = stop_signal()
        os.kill(os.getpid(), number)
        assert stop.wait(10)
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def test_public_url_of_the_environment_wins(monkeypatch):
    monkeypatch.delenv("PUBLIC_URL", raising=False)
    assert child_environment("http://localhost:8001")["PUBLIC_URL"] == "http://localhost:8001"
    monkeypatch.setenv("PUBLIC_URL", "https://host")
    assert child_environment("http://localhost:8001")["PUBLIC_URL"] == "https://host"


def test_process_that_keeps_dying_is_started_ever_later():
    watched = Watched("worker", [sys.executable, "-c", "raise SystemExit(3)"])
    messages = []
    for _ in range(3):
        watched.start_at = 0.0  # its wait is over
        assert watched.look_after() == ""
        watched.process.wait()
        messages.append(watched.look_after())
    assert [message.split("(")[1] for message in messages] == [
        f"exit code 3). It will restart in {wait} s." for wait in ("0.5", "1.0", "2.0")
    ]
    assert watched.process is None
    assert watched.look_after() == ""
    assert watched.process is None  # it waits


def test_process_that_lived_long_is_started_soon():
    watched = Watched("worker", SLEEPING, deaths=5)
    watched.start()
    assert watched.look_after() == ""
    watched.started_at -= 3600
    watched.signal(signal.SIGKILL)
    watched.process.wait()
    assert watched.look_after() == ("The worker stopped after 3600 s (killed by SIGKILL). It will restart in 0.5 s.")
    assert watched.deaths == 1


def test_end_is_polite_first_and_then_not(tmp_path):
    gentle = Watched("web server", SLEEPING)
    stubborn = Watched("worker", [sys.executable, "-c", STUBBORN, str(tmp_path / "deaf")])
    for process in (gentle, stubborn):
        process.start()
    wait_until((tmp_path / "deaf").exists)
    end([gentle, stubborn, Watched("never started", SLEEPING)])
    assert (gentle.process.returncode, stubborn.process.returncode) == (-signal.SIGTERM, -signal.SIGKILL)
