"""Containers without an engine: namespaces of Linux, with the files of this machine as the lowest layer.

Everything a container changes is in a layer of its own in a temporary folder, so nothing outside changes, not even when
a command adds an account. What this does not show: the base images themselves, and their own first commands.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

NAMESPACES = ("--mount", "--pid", "--uts", "--ipc", "--propagation", "private", "--fork", "--kill-child")
INSIDE = Path(__file__).with_name("inside.py")
NEW_MOUNTS, NEW_NETWORK = 0x20000, 0x40000000  # CLONE_NEWNS, CLONE_NEWNET
SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def keep_in_memory(folder: Path) -> None:
    """Mount a file system in memory on a folder, for this process and its children only.

    Layers must not be on the file system of the lowest one, the root of this machine.
    """
    _unshare(NEW_MOUNTS)
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", folder], check=True)


def leave_the_network(folder: Path, name: str) -> None:
    """Go into a network with nothing but a loopback device, which has a name: ports that are taken outside are free."""
    _unshare(NEW_NETWORK)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    (folder / "hosts").write_text(f"127.0.0.1 localhost {name}\n")
    subprocess.run(["mount", "--bind", folder / "hosts", "/etc/hosts"], check=True)


def _unshare(kind: int) -> None:
    if ctypes.CDLL(None, use_errno=True).unshare(kind):
        raise OSError(ctypes.get_errno(), "A namespace could not be made.")


@dataclass
class Layer:
    """A folder that holds what a container or an image changes."""

    folder: Path
    below: Sequence[Path] = (Path("/"),)

    def __post_init__(self) -> None:
        for name in ("upper", "work", "root"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)

    @property
    def upper(self) -> Path:
        return self.folder / "upper"

    def above(self, folder: Path) -> "Layer":
        """Return an empty layer over this one."""
        return Layer(folder, (self.upper, *self.below))


@dataclass
class Container:
    """One command on a layer, as a user with no more rights than it was given."""

    name: str
    layer: Layer
    command: Sequence[str]
    environment: Mapping[str, str]
    folder: str = "/"
    user: str = "root"
    capabilities: Sequence[str] | None = None  # kept ones; None: all
    volumes: Sequence[tuple[Path, str]] = ()
    temporary: Sequence[str] = ()
    read_only: bool = False
    hosts: Sequence[str] = ("localhost",)
    process: subprocess.Popen | None = field(default=None, repr=False)

    @property
    def log(self) -> Path:
        return self.layer.folder / "log"

    @property
    def variables(self) -> dict[str, str]:
        return {"PATH": SYSTEM_PATH, "HOME": "/", "HOSTNAME": self.name, **self.environment}

    @property
    def rights(self) -> list[str]:
        """The beginning of each command: who runs it, and what that account may not do."""
        if self.user == "root" and self.capabilities is None:
            return []
        name, _, group = self.user.partition(":")
        account = ["--reuid", name, "--regid", group or name, "--init-groups"] * (name != "root")
        dropped = []
        if self.capabilities is not None:
            kept = ",".join(["-all", *(f"+{name.lower()}" for name in self.capabilities)])
            dropped = ["--bounding-set", kept, "--inh-caps", "-all", "--no-new-privs"]
        return ["setpriv", *account, *dropped]

    def start(self) -> None:
        made = {
            "name": self.name,
            "root": str(self.layer.folder / "root"),
            "lower": [str(path) for path in self.layer.below],
            "upper": str(self.layer.upper),
            "work": str(self.layer.folder / "work"),
            "hosts": list(self.hosts),
            "volumes": [(str(source), target) for source, target in self.volumes],
            "temporary": list(self.temporary),
            "read_only": self.read_only,
            "folder": self.folder,
            "as": self.rights,
            "command": list(self.command),
            "environment": self.variables,
        }
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                ["unshare", *NAMESPACES, sys.executable, str(INSIDE), json.dumps(made)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def finish(self, timeout: float = 1200) -> int:
        """Wait for the end and return the exit code."""
        return self.process.wait(timeout)

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def first_process(self) -> int:
        """The number, outside, of the process that has number 1 inside."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return int(children.read_text().split()[0])

    def execute(self, command: Sequence[str], timeout: float = 60) -> subprocess.CompletedProcess:
        """Run another command in the running container, as its health checks are run."""
        enter = ["nsenter", "--target", str(self.first_process), "--mount", "--pid", "--uts", "--ipc", "--root", "--wd"]
        return subprocess.run(
            [*enter, *self.rights, *command], env=self.variables, capture_output=True, text=True, timeout=timeout
        )

    def stop(self, grace: float) -> bool:
        """Ask the command to end; return whether it did so in the time that it is given."""
        if not self.running:
            return True
        os.kill(self.first_process, signal.SIGTERM)
        try:
            self.process.wait(grace)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return False
        return True

    def memory(self) -> int:
        """Return the megabytes of all its processes, shared pages divided among those who share them (PSS)."""
        own = os.readlink(f"/proc/{self.first_process}/ns/pid")
        return sum(proportional_size(pid) for pid in processes() if namespace(pid) == own) // 1024


def processes() -> Iterator[str]:
    return (entry for entry in os.listdir("/proc") if entry.isdigit())


def namespace(pid: str) -> str:
    try:
        return os.readlink(f"/proc/{pid}/ns/pid")
    except OSError:  # it has ended
        return ""


def proportional_size(pid: str) -> int:
    try:
        rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(row.split()[1]) for row in rows if row.startswith("Pss:")), 0)
