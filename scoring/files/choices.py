"""Best-worst judgments from a file: `item1..itemK,best,worst`, optionally `tuple,annotator`."""

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from annotation.unknown import is_unknown
from scoring.files.reading import FileFault, Table, open_table
from scoring.stats.choices import Choices

ITEM = re.compile(r"item\s*(\d+)")


@dataclass(frozen=True)
class Row:
    """One judgment as written; a smaller tuple has fewer items."""

    line: int
    items: list[str]
    best: str
    worst: str
    tuple: str | None
    annotator: str | None


def is_choices(table: Table) -> bool:
    """Return whether a table's columns are those of best-worst judgments."""
    if any(map(ITEM.fullmatch, table.columns)):
        return True
    return table.find("best", "bestitem") is not None and table.find("value") is None


def read_rows(table: Table, *, keep_invalid: bool, signed: bool = False) -> Iterator[Row]:
    """Yield the judgments of a table; `signed`, every one must name its annotator. Raise FileFault for a missing
    column, fewer than two items, a choice that is no item of its row, a missing annotator where one is required;
    and, unless they are to be kept, a repeated item or the same item as best and worst."""
    items = _item_columns(table)
    best, worst = table.column("best", "bestitem"), table.column("worst", "worstitem")
    group, annotator = table.find("tuple"), table.column("annotator") if signed else table.find("annotator")
    for line, record in table.rows:
        values = [value.strip() for value in record]
        shown = [values[place] for place in items if values[place]]
        row = Row(
            line,
            shown,
            values[best],
            values[worst],
            None if group is None else values[group],
            None if annotator is None else values[annotator],
        )
        reason = _fault(row, keep_invalid=keep_invalid)
        if signed and not row.annotator:
            reason = "the annotator is empty."
        elif signed and is_unknown(row.annotator or ""):
            reason = f"“{row.annotator}” is reserved for unknown annotators. Use another name."
        if reason:
            table.fault(line, reason)
        else:
            yield row
    table.refuse()


def _item_columns(table: Table) -> list[int]:
    numbers = [(int(found[1]), place) for place, name in enumerate(table.columns) if (found := ITEM.fullmatch(name))]
    if len(numbers) < 2:
        raise FileFault(f"{table.name}, line 1: the columns “item1”, “item2”, … are missing.")
    if len(dict(numbers)) < len(numbers):
        raise FileFault(f"{table.name}, line 1: an item column occurs twice.")
    return [place for _, place in sorted(numbers)]


def _fault(row: Row, *, keep_invalid: bool) -> str:
    if len(row.items) < 2:
        return "a judgment needs at least two items."
    for name, chosen in (("best", row.best), ("worst", row.worst)):
        if not chosen:
            return f"{name} is empty."
        if chosen not in row.items:
            return f"{name} is “{chosen}”, which is not an item in this row."
    if keep_invalid:
        return ""
    if len(set(row.items)) < len(row.items):
        return "an item occurs twice in this row (use --keep-invalid to count such rows)."
    if row.best == row.worst:
        return f"best and worst are both “{row.best}” (use --keep-invalid to count such rows)."
    return ""


def read_choices(path: str, *, keep_invalid: bool, signed: bool) -> Choices:
    """Return all judgments of a file as arrays; see `collect`."""
    with open_table(path) as table:
        return collect(table, keep_invalid=keep_invalid, signed=signed)


def collect(table: Table, *, keep_invalid: bool, signed: bool = False) -> Choices:
    """Return all judgments of an open table as arrays. Raise FileFault as in `read_rows`, or without judgments."""
    return collect_named(table, keep_invalid=keep_invalid, signed=signed).choices


@dataclass(frozen=True)
class NamedChoices:
    """Judgments, with the names of items and annotators by their numbers."""

    choices: Choices
    items: list[str]
    annotators: list[str]


def collect_named(table: Table, *, keep_invalid: bool, signed: bool = False) -> NamedChoices:
    """Return all judgments of an open table with names. Raise FileFault as in `read_rows`, or without judgments."""
    names: dict[str, int] = {}
    tuples: dict[object, int] = {}
    annotators: dict[str, int] = {}
    flat, lengths, best, worst, groups, people = (array("q") for _ in range(6))
    for row in read_rows(table, keep_invalid=keep_invalid, signed=signed):
        numbers = [names.setdefault(item, len(names)) for item in row.items]
        flat.extend(numbers)
        lengths.append(len(numbers))
        best.append(names[row.best])
        worst.append(names[row.worst])
        key = row.tuple or tuple(sorted(numbers))
        groups.append(tuples.setdefault(key, len(tuples)))
        people.append(annotators.setdefault(row.annotator or "", len(annotators)))
    if not lengths:
        raise FileFault(f"{table.name}: there are no judgments.")
    choices = Choices(
        items=_padded(flat, lengths),
        best=np.array(best, dtype=np.int64),
        worst=np.array(worst, dtype=np.int64),
        tuples=np.array(groups, dtype=np.int64),
        annotators=None if table.find("annotator") is None else np.array(people, dtype=np.int64),
        number=len(names),
    )
    return NamedChoices(choices, list(names), list(annotators))


def _padded(flat: array, lengths: array) -> np.ndarray:
    """Return items in rows of equal length, smaller tuples filled up with -1."""
    sizes = np.array(lengths, dtype=np.int64)
    items = np.full((len(sizes), int(sizes.max())), -1, dtype=np.int64)
    items[np.arange(items.shape[1]) < sizes[:, None]] = np.array(flat, dtype=np.int64)
    return items
