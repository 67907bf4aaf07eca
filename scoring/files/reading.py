"""CSV read row by row, from a file or standard input, with faults reported by line."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BufferedReader

from annotation.corpora.tables import LONGEST_FIELD, NotCsv, NotUtf16, TooLarge, read_table, text_lines, undecoded_byte
from scoring.files.progress import counted

MOST_FAULTS = 20
REASONS = {
    "unexpected end of data": "a quotation mark is not closed",
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
        """Return the place of a column, which may have one of several names; raise FileFault if it is missing."""
        found = self.find(*names)
        if found is None:
            raise FileFault(f"{self.name}, line 1: the column “{names[0]}” is missing.")
        return found

    def find(self, *names: str) -> int | None:
        """Return the place of a column, or None; raise FileFault if two columns have that name."""
        found = next((name for name in names if name in self.columns), None)
        if found is None:
            return None
        if self.columns.count(found) > 1:
            raise FileFault(f"{self.name}, line 1: the column “{found}” occurs twice.")
        return self.columns.index(found)

    def fault(self, line: int, reason: str) -> None:
        """Record what is wrong with a row; reading continues, so that several faults are reported at once."""
        self.faults.append(f"{self.name}, line {line}: {reason}")
        if len(self.faults) >= MOST_FAULTS:
            self.refuse()

    def refuse(self) -> None:
        """Raise FileFault with all recorded faults, if there are any."""
        if self.faults:
            raise FileFault("\n".join(self.faults))


def named(path: str) -> str:
    """Return the name of a path in messages."""
    return "standard input" if path == "-" else path


@contextmanager
def open_table(path: str) -> Iterator[Table]:
    """Open a CSV file (`-` is standard input), separated by commas, tabs or semicolons.

    It is in UTF-8, or in UTF-16 with a byte-order mark. Column names are read in any case; empty lines are left out.

    Raises: FileFault if it is missing, empty, in another encoding, or not CSV.
    """
    name = named(path)
    if path == "-" and sys.stdin is None:
        raise FileFault("standard input is closed.")
    try:
        with BufferedReader(sys.stdin.buffer) if path == "-" else open(path, "rb") as file:
            columns, rows = read_table(_lines(file, name))
            if not columns:
                raise FileFault(f"{name}: the file is empty.")
            table = Table(name, columns, iter(()))
            table.rows = iter(counted(_checked(rows, table), "reading", " rows"))
            yield table
    except NotCsv as error:
        raise FileFault(f"{name}, line {error.line}: not valid CSV ({_reason(str(error))}).") from error
    except NotUtf16 as error:
        raise FileFault(f"{name}, line {error.line}: not valid UTF-16; save the file as UTF-8.") from error
    except TooLarge as error:
        raise FileFault(f"{name}, line {error.line}: {error}") from error
    except OSError as error:
        raise FileFault(f"{name}: {error.strerror}.") from error


def _reason(words: str) -> str:
    return next((reason for known, reason in REASONS.items() if known in words), words)


def _lines(file: BufferedReader, name: str) -> Iterator[str]:
    for number, line in enumerate(text_lines(file), start=1):
        if byte := undecoded_byte(line):
            raise FileFault(f"{name}, line {number}: byte {byte} is not valid UTF-8; save the file as UTF-8.")
        if "\0" in line:
            raise FileFault(f"{name}, line {number}: not a UTF-8 text file, because it contains a zero byte.")
        yield line


def _checked(rows: Iterator[tuple[int, list[str]]], table: Table) -> Iterator[tuple[int, list[str]]]:
    width = len(table.columns)
    for line, record in rows:
        if len(record) == width:
            yield line, record
        else:
            table.fault(line, f"{len(record)} values for {width} columns.")
    table.refuse()
