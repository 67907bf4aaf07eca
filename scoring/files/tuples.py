"""`tuples ITEMS.csv`: a balanced best-worst design and its certificate."""

import csv
import json
import sys
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from annotation.planning.errors import PlanningError
from annotation.planning.tuples import certificate, design_groups, design_tuples
from scoring.files.progress import timed
from scoring.files.reading import FileFault, named, open_table


def run(options: Namespace) -> None:
    items, groups = _read(options.items, options.group)
    tuples = _design(options, len(items), groups)
    if options.certificate:
        _certify(options.certificate, asdict(certificate(tuples, len(items), options.seed, groups)))
    _write(tuples, items, groups)


def _design(options: Namespace, items: int, groups: list[str] | None) -> np.ndarray:
    wanted = {"size": options.size, "factor": options.factor, "generator": np.random.default_rng(options.seed)}
    try:
        with timed("designing"):
            return design_tuples(items, **wanted) if groups is None else design_groups(groups, **wanted)
    except PlanningError as refusal:
        raise FileFault(f"{named(options.items)}: {refusal}") from refusal


def _certify(path: str, facts: dict[str, Any]) -> None:
    try:
        Path(path).write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise FileFault(f"{path}: {error.strerror}.") from error


def _read(path: str, group: str | None) -> tuple[list[str], list[str] | None]:
    """Return the items in the order of the file, and the group of each if a column is named for it. Raise FileFault for
    a missing column, an empty or repeated item, an empty group, or no items."""
    items: dict[str, str] = {}
    with open_table(path) as table:
        item = table.column("item")
        of_group = None if group is None else table.column(group.strip().lower())
        for line, record in table.rows:
            name = record[item].strip()
            if not name:
                table.fault(line, "the item is empty.")
            elif name in items:
                table.fault(line, f"the item “{name}” occurs twice.")
            else:
                items[name] = "" if of_group is None else record[of_group].strip()
                if of_group is not None and not items[name]:
                    table.fault(line, f"the {table.columns[of_group]} of “{name}” is empty.")
        table.refuse()
        if not items:
            raise FileFault(f"{table.name}: there are no items.")
    return list(items), None if group is None else list(items.values())


def _write(tuples: np.ndarray, items: list[str], groups: list[str] | None) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    header = ["tuple", *(f"item{place}" for place in range(1, tuples.shape[1] + 1))]
    writer.writerow(header if groups is None else [*header, "group"])
    for number, row in enumerate(tuples.tolist(), start=1):
        line = [number, *(items[item] for item in row)]
        writer.writerow(line if groups is None else [*line, groups[row[0]]])
