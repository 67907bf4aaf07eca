"""CSV read row by row, from a file or standard input, with faults told by line."""

import csv
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from typing import TextIO

from scoring.files.progress import counted

DELIMITERS = ",\t;"
MOST_FAULTS = 20
LONGEST_FIELD = 10_000_000
csv.field_size_limit(LONGEST_FIELD)

# A byte that is not UTF-8 is read as one of these, so that its line can be told.
UNDECODED = re.compile("[\udc80-\udcff]")
DECODING = {"encoding": "utf-8-sig", "errors": "surrogateescape", "newline": ""}
REASONS = {
    "unexpected end of data": "a quotation mark is opened and never closed",
    "field larger than field limit": f"a value has more than {LONGEST_FIELD:,} characters; is a quotation mark open?",
    "expected after": "a quotation mark within quoted text must be doubled",
}


class FileFault(ValueError):
    """A file that cannot be used; the message names file, line and reason."""


@dataclass
class Table:
    """A CSV file being read: its columns, and its rows with the line on which each begins."""

    name: str
    columns: list[str]
    rows: Iterator[tuple[int, list[str]]]
    faults: list[str] = field(default_factory=list)

    def column(self, *names: str) -> int:
        """The place of a column, which may go by one of several names.

        Raises:
            FileFault: it is missing.
        """
        found = self.find(*names)
        if found is None:
            raise FileFault(f"{self.name}, line 1: the column “{names[0]}” is missing.")
        return found

    def find(self, *names: str) -> int | None:
        """The place of a column, or None.

        Raises:
            FileFault: two columns have that name.
        """
        found = next((name for name in names if name in self.columns), None)
        if found is None:
            return None
        if self.columns.count(found) > 1:
            raise FileFault(f"{self.name}, line 1: the column “{found}” stands there twice.")
        return self.columns.index(found)

    def fault(self, line: int, reason: str) -> None:
        """Notes what is wrong with a row; reading goes on, so that several are told at once."""
        self.faults.append(f"{self.name}, line {line}: {reason}")
        if len(self.faults) >= MOST_FAULTS:
            self.refuse()

    def refuse(self) -> None:
        """Raises FileFault with everything that was noted, if anything was."""
        if self.faults:
            raise FileFault("\n".join(self.faults))


def named(path: str) -> str:
    """What a path is called in messages."""
    return "standard input" if path == "-" else path


@contextmanager
def open_table(path: str) -> Iterator[Table]:
    """Opens a CSV file (`-` is standard input), separated by commas, tabs or semicolons, in UTF-8.

    Column names are read without regard to case; a byte-order mark, any line ends and empty lines are passed over.

    Raises:
        FileFault: not there, empty, not UTF-8, or not CSV.
    """
    name = named(path)
    try:
        with _text(path) as text:
            yield _table(text, name)
    except OSError as error:
        raise FileFault(f"{name}: {error.strerror}.") from error


def _table(text: TextIO, name: str) -> Table:
    records = _records(text, name)
    header = next(records, None)
    if header is None:
        raise FileFault(f"{name}: the file is empty.")
    table = Table(name, [column.strip().lower() for column in header[1]], iter(()))
    table.rows = iter(counted(_checked(records, table), "reading", " rows"))
    return table


@contextmanager
def _text(path: str) -> Iterator[TextIO]:
    if path != "-":
        with open(path, **DECODING) as file:
            yield file
    elif sys.stdin is None:
        raise FileFault("standard input: it is closed.")
    else:
        sys.stdin.reconfigure(**DECODING)
        yield sys.stdin


def _records(text: TextIO, name: str) -> Iterator[tuple[int, list[str]]]:
    lines = _lines(text, name)
    first = next(lines, "")
    delimiter = max(DELIMITERS, key=first.count)
    reader = csv.reader(chain([first], lines), delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise FileFault(f"{name}, line {line}: this is not CSV ({_reason(error)}).") from error
        if any(value.strip() for value in record):
            yield line, record


def _reason(error: csv.Error) -> str:
    return next((reason for words, reason in REASONS.items() if words in str(error)), str(error))


def _lines(text: TextIO, name: str) -> Iterator[str]:
    for number, line in enumerate(text, start=1):
        undecoded = None if line.isascii() else UNDECODED.search(line)
        if undecoded:
            byte = len(line[: undecoded.start()].encode()) + 1
            raise FileFault(f"{name}, line {number}: byte {byte} is not UTF-8; save the file in that encoding.")
        if "\0" in line:
            raise FileFault(f"{name}, line {number}: this is not a text file in UTF-8, for it holds a zero byte.")
        yield line


def _checked(records: Iterator[tuple[int, list[str]]], table: Table) -> Iterator[tuple[int, list[str]]]:
    width = len(table.columns)
    for line, record in records:
        if len(record) != width:
            table.fault(line, f"{len(record)} values for {width} columns.")
        # Files put together from several hold the header again; in a single column it is a value like any other.
        elif width == 1 or [value.strip().lower() for value in record] != table.columns:
            yield line, record
    table.refuse()
