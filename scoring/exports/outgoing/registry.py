"""The programs for which a release can be downloaded."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from scoring.exports.outgoing.argilla import choice_records, rating_records
from scoring.exports.outgoing.contents import Open
from scoring.exports.outgoing.label_studio import choice_tasks, rating_tasks

Make = Callable[[Open, str], Iterator[dict[str, Any]]]


@dataclass(frozen=True)
class Outgoing:
    """A program. title: its name; ratings, choices: make its records from a release of ratings or of choices."""

    title: str
    ratings: Make
    choices: Make


OUTGOING = {
    "label_studio": Outgoing("Label Studio", rating_tasks, choice_tasks),
    "argilla": Outgoing("Argilla", rating_records, choice_records),
}
"""By the names in addresses and commands."""


def records_of(name: str, open_file: Open, *, compares: bool, version: str) -> Iterator[str]:
    """Yield a JSON array of a program's records, part by part.

    Parameters: name, in OUTGOING; compares, whether the release is of choices; version, what the scores are called.
    """
    make = OUTGOING[name].choices if compares else OUTGOING[name].ratings
    separator = "[\n"
    for record in make(open_file, version):
        yield separator + json.dumps(record, ensure_ascii=False)
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"
