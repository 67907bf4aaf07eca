"""How files are written: beside their place first, and moved there whole."""

import csv
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> int:
    """A CSV file for programs and spreadsheets; texts that a spreadsheet would run get an apostrophe before them.

    Returns: the number of rows.
    """
    written = 0
    draft = path.with_name(path.name + ".draft")
    with draft.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        for row in rows:
            writer.writerow([harmless(value) for value in row])
            written += 1
    os.replace(draft, path)
    return written


def harmless(value: object) -> object:
    """A text as a spreadsheet may have it; numbers stay as they are."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_SIGNS) else value


def write_tsv(path: Path, rows: Iterable[Sequence[object]]) -> int:
    """A file of TAB-separated values without header or quoting; white space inside a text becomes one blank.

    Returns: the number of rows.
    """
    written = 0
    draft = path.with_name(path.name + ".draft")
    with draft.open("w", encoding="utf-8", newline="") as file:
        for row in rows:
            file.write("\t".join(" ".join(str(value).split()) for value in row) + "\n")
            written += 1
    os.replace(draft, path)
    return written
