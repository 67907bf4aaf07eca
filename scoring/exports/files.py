"""How files are written: beside their place first, and moved there whole."""

import csv
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TextIO

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
Row = Sequence[object]


def write_csv(path: Path, header: Row, rows: Iterable[Row]) -> int:
    """A CSV file for programs and spreadsheets; texts that a spreadsheet would run get an apostrophe before them.

    Returns: the number of rows.
    """
    return write_plain_csv(path, header, ([harmless(value) for value in row] for row in rows))


def write_plain_csv(path: Path, header: Row, rows: Iterable[Row]) -> int:
    """A CSV file for programs alone: every text as it is.

    Returns: the number of rows.
    """
    with plain_csv(path, header) as file:
        for row in rows:
            file.add(row)
    return file.rows


class PlainCsv:
    """A CSV file row by row, and how many it has."""

    def __init__(self, file: TextIO, header: Row) -> None:
        self.rows, self._write = 0, csv.writer(LineFeeds(file)).writerow
        self._write(header)

    def add(self, row: Row) -> None:
        self._write(row)
        self.rows += 1


@contextmanager
def plain_csv(path: Path, header: Row) -> Iterator[PlainCsv]:
    with whole_file(path) as file:
        yield PlainCsv(file, header)


@dataclass(frozen=True)
class LineFeeds:
    """Rows end in a line feed; a carriage return inside a text is quoted only by a writer that ends rows in both."""

    file: TextIO

    def write(self, line: str) -> int:
        return self.file.write(line.removesuffix("\r\n") + "\n")


def harmless(value: object) -> object:
    """A text as a spreadsheet may have it; numbers stay as they are."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_SIGNS) else value


def one_line(text: str) -> str:
    """A text without line breaks, where a line break has a meaning of its own."""
    return " ".join(text.splitlines())


@lru_cache(maxsize=4096)
def utc(moment: datetime | None) -> str:
    """A time in ISO 8601, or nothing; printed once for all the files of a row."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z") if moment else ""


def write_tsv(path: Path, rows: Iterable[Row]) -> int:
    """A file of TAB-separated values without header or quoting; white space inside a text becomes one blank.

    Returns: the number of rows.
    """
    with whole_file(path) as file:
        written = 0
        for row in rows:
            file.write("\t".join(" ".join(str(value).split()) for value in row) + "\n")
            written += 1
    return written


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """A file of text that stands in its place only when all of it is written."""
    with replacing(path) as draft, draft.open("w", encoding="utf-8", newline="") as file:
        yield file


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Where to write; afterwards it takes the place of the path."""
    draft = path.with_name(path.name + ".draft")
    yield draft
    os.replace(draft, path)
