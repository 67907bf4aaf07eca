"""Writing files: to a temporary name first, then moved to their path as a whole."""

import csv
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TextIO

from annotation.corpora.spreadsheets import harmless

Row = Sequence[object]


def write_csv(path: Path, header: Row, rows: Iterable[Row]) -> int:
    """Write a CSV file for programs and spreadsheets; texts that a spreadsheet would run get an apostrophe before them.

    Returns: the number of rows.
    """
    safe = ([harmless(value) for value in row] for row in chain([header], rows))
    return write_plain_csv(path, next(safe), safe)


def write_plain_csv(path: Path, header: Row, rows: Iterable[Row]) -> int:
    """Write a CSV file for programs alone: every text unchanged.

    Returns: the number of rows.
    """
    with plain_csv(path, header) as file:
        for row in rows:
            file.add(row)
    return file.rows


class PlainCsv:
    """A CSV file written row by row, and the number of its rows."""

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
    """A file that turns line ends into line feeds, as only a writer that ends rows in both quotes a carriage return."""

    file: TextIO

    def write(self, line: str) -> int:
        return self.file.write(line.removesuffix("\r\n") + "\n")


def one_line(text: str) -> str:
    """Return a text without line breaks, for formats in which a line break has a meaning."""
    return " ".join(text.splitlines())


@lru_cache(maxsize=4096)
def utc(moment: datetime | None) -> str:
    """Return a time in ISO 8601, or nothing; printed once for all the files of a row."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z") if moment else ""


def write_tsv(path: Path, rows: Iterable[Row]) -> int:
    """Write a file of TAB-separated values without header or quoting; white space inside a text becomes one blank.

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
    """Open a text file that appears at its path only when all of it is written."""
    with replacing(path) as draft, draft.open("w", encoding="utf-8", newline="") as file:
        yield file


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path, which replaces the path afterwards."""
    draft = path.with_name(path.name + ".draft")
    yield draft
    os.replace(draft, path)
