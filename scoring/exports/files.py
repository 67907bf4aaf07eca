"""How files are written: beside their place first, and moved there whole."""

import csv
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
Row = Sequence[object]


def write_csv(path: Path, header: Row, rows: Iterable[Row]) -> int:
    """A CSV file for programs and spreadsheets; texts that a spreadsheet would run get an apostrophe before them.

    Returns: the number of rows.
    """
    with _whole_file(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        return _write_each(([harmless(value) for value in row] for row in rows), writer.writerow)


def harmless(value: object) -> object:
    """A text as a spreadsheet may have it; numbers stay as they are."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_SIGNS) else value


def write_tsv(path: Path, rows: Iterable[Row]) -> int:
    """A file of TAB-separated values without header or quoting; white space inside a text becomes one blank.

    Returns: the number of rows.
    """
    with _whole_file(path) as file:
        lines = ("\t".join(" ".join(str(value).split()) for value in row) + "\n" for row in rows)
        return _write_each(lines, file.write)


@contextmanager
def _whole_file(path: Path) -> Iterator[TextIO]:
    """A file that stands in its place only when all of it is written."""
    draft = path.with_name(path.name + ".draft")
    with draft.open("w", encoding="utf-8", newline="") as file:
        yield file
    os.replace(draft, path)


def _write_each(lines: Iterable[Any], write: Callable[[Any], object]) -> int:
    written = 0
    for line in lines:
        write(line)
        written += 1
    return written
