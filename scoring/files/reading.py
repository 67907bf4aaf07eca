"""CSV read row by row, from a file or standard input, with faults told by line."""

import csv
import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import BinaryIO

DELIMITERS = ",\t;"
MOST_FAULTS = 20
csv.field_size_limit(10_000_000)


class FileFault(Exception):
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
        return next((self.columns.index(name) for name in names if name in self.columns), None)

    def fault(self, line: int, reason: str) -> None:
        """Notes what is wrong with a row; reading goes on, so that several are told at once."""
        self.faults.append(f"{self.name}, line {line}: {reason}")
        if len(self.faults) >= MOST_FAULTS:
            self.refuse()

    def refuse(self) -> None:
        """Raises FileFault with everything that was noted, if anything was."""
        if self.faults:
            raise FileFault("\n".join(self.faults))


@contextmanager
def open_table(path: str) -> Iterator[Table]:
    """Opens a CSV file (`-` is standard input), separated by commas, tabs or semicolons, in UTF-8.

    Column names are read without regard to case; a byte-order mark, Windows line ends and empty lines are passed over.

    Raises:
        FileFault: not there, empty, not UTF-8, or not CSV.
    """
    name = "standard input" if path == "-" else path
    try:
        with _binary(path) as binary:
            records = _records(binary, name)
            header = next(records, None)
            if header is None:
                raise FileFault(f"{name}: the file is empty.")
            table = Table(name, [column.strip().lower() for column in header[1]], iter(()))
            table.rows = _checked(records, table)
            yield table
    except OSError as error:
        raise FileFault(f"{name}: {error.strerror}.") from error


@contextmanager
def _binary(path: str) -> Iterator[BinaryIO]:
    if path == "-":
        yield sys.stdin.buffer
    else:
        with open(path, "rb") as file:
            yield file


def _records(binary: BinaryIO, name: str) -> Iterator[tuple[int, list[str]]]:
    lines = _lines(binary, name)
    first = next(lines, "")
    delimiter = max(DELIMITERS, key=first.count)
    reader = csv.reader(_after(first, lines), delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise FileFault(f"{name}, line {line}: this is not CSV ({error}).") from error
        if any(value.strip() for value in record):
            yield line, record


def _lines(binary: BinaryIO, name: str) -> Iterator[str]:
    for number, line in enumerate(io.BufferedReader(binary) if isinstance(binary, io.RawIOBase) else binary, start=1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise FileFault(f"{name}, line {number}: byte {error.start + 1} is not UTF-8.") from error
        if "\0" in text:
            raise FileFault(f"{name}, line {number}: this is not a text file.")
        yield text


def _after(first: str, rest: Iterator[str]) -> Iterator[str]:
    if first:
        yield first
    yield from rest


def _checked(records: Iterator[tuple[int, list[str]]], table: Table) -> Iterator[tuple[int, list[str]]]:
    width = len(table.columns)
    for line, record in records:
        if len(record) != width:
            table.fault(line, f"{len(record)} values for {width} columns.")
        elif [value.strip().lower() for value in record] != table.columns:
            yield line, record
    table.refuse()


def numbered(names: Sequence[str]) -> dict[str, int]:
    """A number for each name, in the order of appearance."""
    return {name: number for number, name in enumerate(dict.fromkeys(names))}
