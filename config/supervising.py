"""Keeps the processes of the embedded server running until it is stopped.

`manage.py serve` becomes this program, which stays as long as the server runs. It therefore imports nothing that is not
in Python itself: with Django it would keep a hundred megabytes for a few lines of output.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

LONGEST_WAIT = 30.0  # seconds between two tries to start a process that keeps dying
STEADY = 60.0  # a process that lived this long is taken for healthy: its next death is a first one
GRACE = 4.0  # seconds to end by itself before it is ended


@dataclass
class Watched:
    """A child process in its own process group, so that everything it started ends with it.

    socket: the number of an open socket that it takes over.
    """

    name: str
    command: list[str]
    socket: int | None = None
    process: subprocess.Popen | None = None
    deaths: int = 0
    started_at: float = field(default=0.0)
    start_at: float = field(default=0.0)

    def start(self) -> None:
        self.started_at = time.monotonic()
        self.process = subprocess.Popen(  # noqa: S603 its commands are our own
            self.command,
            start_new_session=True,
            pass_fds=[] if self.socket is None else [self.socket],
            preexec_fn=end_with_parent if sys.platform == "linux" else None,
        )

    def look_after(self) -> str:
        """Restart the process when its wait is over, and return the message about a new death, or ''."""
        if self.process and self.process.poll() is not None:
            return self.bury()
        if not self.process and time.monotonic() >= self.start_at:
            self.start()
        return ""

    def bury(self) -> str:
        code, lived = self.process.returncode, time.monotonic() - self.started_at
        self.signal(signal.SIGKILL)  # what the dead process left behind
        self.process = None
        self.deaths = 1 if lived > STEADY else self.deaths + 1
        wait = min(0.5 * 2 ** (self.deaths - 1), LONGEST_WAIT)
        self.start_at = time.monotonic() + wait
        return f"The {self.name} stopped after {lived:.0f} s ({why(code)}). It will restart in {wait:.1f} s."

    def signal(self, number: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)


def main(plan: str) -> None:
    """Run the processes of a plan: JSON with the `url`, the `announcement` once it answers, and the `processes`."""
    stop, known = stop_signal(), json.loads(plan)
    processes = [Watched(**process) for process in known["processes"]]
    for process in processes:
        process.start()
    announcing = (known["url"], known["announcement"], stop)
    threading.Thread(target=announce, args=announcing, daemon=True).start()
    try:
        watch(processes, stop)
    finally:
        end(processes)
    print("Semblance has stopped.", flush=True)


def watch(processes: list[Watched], stop: threading.Event) -> None:
    while not stop.wait(0.2):
        for process in processes:
            if message := process.look_after():
                print(message, file=sys.stderr, flush=True)


def announce(url: str, text: str, stop: threading.Event) -> None:
    """Print the text as soon as the address answers."""
    while not stop.wait(0.1):
        if answers(url):
            print(text, flush=True)
            return


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


if __name__ == "__main__":
    main(os.environ.pop("SUPERVISED"))  # unlike arguments it is nobody else's to read
