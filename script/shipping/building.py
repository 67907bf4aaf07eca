"""The image: every instruction of the Dockerfile, carried out on a layer of its own."""

import fnmatch
import os
import shutil
import sys
from pathlib import Path

from container import SYSTEM_PATH, Container, Layer
from dockerfile import Image, assignments, instructions, words

PYTHON = "/opt/base"  # where the base image's Python is; the image's own commands only know `python` and `pip`
PASSED_ON = ("PIP_", "SSL_", "HTTP_", "HTTPS_", "http", "https")  # how this machine reaches its package index


class BuildFailed(Exception):
    """An instruction of the Dockerfile ended with an error."""


def build(context: Path, folder: Path) -> tuple[Image, Layer]:
    """Carry out the Dockerfile of a folder.

    Raises:
        BuildFailed: with the instruction and what it printed.
    """
    image, layer = Image(), Layer(folder)
    for name, arguments in instructions(context / "Dockerfile"):
        print(f"  {name} {' '.join(arguments.split())[:100]}", flush=True)
        if name == "FROM":
            carry_out(image, layer, ["sh", "-ec", base_python()])
            image.environment["PATH"] = f"{PYTHON}/bin:{SYSTEM_PATH}"
        elif name == "ENV":
            image.environment |= assignments(arguments)
        elif name == "WORKDIR":
            image.folder = arguments
            carry_out(Image(), layer, ["mkdir", "-p", arguments])
        elif name == "COPY":
            *sources, target = arguments.split()
            copy(context, sources, layer.upper / os.path.join(image.folder, target).lstrip("/"))
        elif name == "RUN":
            carry_out(image, layer, words(arguments))
        elif name == "USER":
            image.user = arguments
        elif name == "CMD":
            image.command = words(arguments)
    return image, layer


def carry_out(image: Image, layer: Layer, command: list[str]) -> None:
    passed_on = {name: value for name, value in os.environ.items() if name.startswith(PASSED_ON)}
    environment = {"HOME": "/root", **passed_on, **image.environment}
    one = Container("build", layer, command, environment, folder=image.folder, user=image.user)
    one.start()
    if one.finish() != 0:
        raise BuildFailed(f"{' '.join(command)}\n{one.log.read_text()}")


def base_python() -> str:
    """Return commands that make a Python with nothing installed, as the base image has it, for every account."""
    real = Path(os.path.realpath(sys.executable))
    opened = [str(parent) for parent in real.parents if parent != Path("/")]
    return f"chmod a+rx {' '.join(opened)}\n{real} -m venv {PYTHON}\nchmod -R a+rX {PYTHON}"


def copy(context: Path, sources: list[str], target: Path) -> None:
    ignored = [line for line in (context / ".dockerignore").read_text().split() if not line.startswith("#")]
    for source in sources:
        path = context / source
        if path.is_dir():
            shutil.copytree(path, target, dirs_exist_ok=True, ignore=ignoring(context, ignored), symlinks=True)
        else:
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)


def ignoring(context: Path, patterns: list[str]):
    def ignore(folder: str, names: list[str]) -> set[str]:
        paths = {name: str((Path(folder) / name).relative_to(context)) for name in names}
        return {name for name, path in paths.items() if any(matches(path, one) for one in patterns)}

    return ignore


def matches(path: str, pattern: str) -> bool:
    """Return whether a rule of .dockerignore leaves a path out; `**/` is any folder or none."""
    if pattern.startswith("**/"):
        return fnmatch.fnmatch(os.path.basename(path), pattern.removeprefix("**/"))
    return fnmatch.fnmatch(path, pattern)
