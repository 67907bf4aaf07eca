"""The items that a run read, without the judgments, of which there may be millions."""

from dataclasses import dataclass, fields
from typing import BinaryIO

from scoring.summaries.storing import read_columns
from scoring.summaries.tables import Facts, Groups, Items

COLUMNS = {name: [column.name for column in fields(table)] for name, table in (("items", Items), ("groups", Groups))}


@dataclass(frozen=True, eq=False)
class Material:
    """The items of a snapshot; integers are as narrow as they are stored."""

    facts: Facts
    items: Items
    groups: Groups


def read_material(file: BinaryIO) -> Material:
    """Return the items of a snapshot's file.

    Raises:
        ValueError: the file has another format.
    """
    facts, found = read_columns(file, [f"{table}.{name}" for table, names in COLUMNS.items() for name in names])
    items, groups = ([found[f"{table}.{name}"] for name in names] for table, names in COLUMNS.items())
    return Material(facts, Items(*items), Groups(*groups))
