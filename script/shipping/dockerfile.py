"""The instructions of a Dockerfile."""

import json
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

KNOWN = {"ARG", "FROM", "ENV", "WORKDIR", "COPY", "RUN", "USER", "VOLUME", "EXPOSE", "CMD"}


@dataclass
class Image:
    """What an image says about the containers that are made of it."""

    environment: dict[str, str] = field(default_factory=dict)
    folder: str = "/"
    user: str = "root"
    command: list[str] = field(default_factory=list)


def instructions(path: Path) -> list[tuple[str, str]]:
    """Return the instructions in order, each with its arguments as one line.

    Raises:
        ValueError: an instruction that `script/production` cannot carry out.
    """
    lines = [line for line in path.read_text().splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n", " ", "\n".join(lines))
    found = [tuple(line.split(maxsplit=1)) for line in joined.splitlines() if line.strip()]
    if unknown := {name for name, _ in found} - KNOWN:
        raise ValueError(f"{path.name} has instructions that are not known here: {', '.join(sorted(unknown))}")
    return found


def assignments(arguments: str) -> dict[str, str]:
    """Return the variables of an ENV instruction."""
    return dict(word.split("=", 1) for word in shlex.split(arguments))


def words(arguments: str) -> list[str]:
    """Return a command as words: of its JSON form, or for a shell."""
    return json.loads(arguments) if arguments.startswith("[") else ["sh", "-c", arguments]
