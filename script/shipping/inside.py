"""The first process of a container: makes the container's own view of the files, then becomes its command.

It runs in new namespaces, with the container's description as its only argument; only there may it mount anything.
"""

import json
import os
import socket
import sys
from pathlib import Path
from subprocess import run


def main(made: dict) -> None:
    root = Path(made["root"])
    layers = f"lowerdir={':'.join(made['lower'])},upperdir={made['upper']},workdir={made['work']}"
    mount("-t", "overlay", "overlay", "-o", layers, root)
    (root / "etc" / "hosts").write_text(f"127.0.0.1 {' '.join(made['hosts'])}\n")
    for source, target in made["volumes"]:
        mount("--bind", source, mount_point(root, target, like=Path(source)))
    for target in made["temporary"]:
        mount("-t", "tmpfs", "-o", "mode=1777", "tmpfs", mount_point(root, target, like=root))
    mount("-t", "proc", "proc", root / "proc")
    mount("--rbind", "/dev", root / "dev")
    if made["read_only"]:
        mount("-o", "remount,bind,ro", root)
    socket.sethostname(made["name"])
    os.chroot(root)
    os.chdir(made["folder"])
    os.umask(0o022)
    command = [*made["as"], *made["command"]]
    os.execvpe(command[0], command, made["environment"])


def mount(*arguments: object) -> None:
    run(["mount", *map(str, arguments)], check=True)


def mount_point(root: Path, target: str, *, like: Path) -> Path:
    """Return a folder or an empty file to mount on, made where it is missing; links lead where they lead inside."""
    found = run(["chroot", root, "readlink", "-m", target], check=True, capture_output=True, text=True).stdout.strip()
    place = root / found.lstrip("/")
    if like.is_dir():
        place.mkdir(parents=True, exist_ok=True)
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    return place


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
