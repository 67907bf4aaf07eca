"""What a file is, whatever its name says, and in which encoding: Excel, text, or something that is no table."""

import codecs
import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import BadZipFile, ZipFile

from annotation.corpora.tables import UTF_16, column_names, read_table

BEGINNING = 4096  # bytes
SAMPLES = 3  # rows or lines that are shown
LONGEST_SAMPLE = 120  # characters


class Format(StrEnum):
    TEXT = "text"
    EXCEL = "excel"
    OLD_EXCEL = "old excel"
    OPEN_DOCUMENT = "open document"
    WORD = "word"
    ZIP = "zip"
    GZIP = "gzip"
    PDF = "pdf"
    HTML = "html"


STARTS = {
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": Format.OLD_EXCEL,
    b"\x1f\x8b": Format.GZIP,
    b"%PDF-": Format.PDF,
}
INSIDE = {
    "xl/workbook.xml": Format.EXCEL,
    "word/document.xml": Format.WORD,
    "content.xml": Format.OPEN_DOCUMENT,
}
"""What a ZIP archive is that holds a file of this name."""
MARKUP = (b"<!doctype html", b"<html", b"<head", b"<body")
ENCODINGS = (
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "iso8859-15", "iso8859-2"),
    *("koi8-r", "mac-roman", "utf-16-le", "utf-16-be", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"),
)
"""The encodings that are offered for text that is not UTF-8."""
OF_LANGUAGES = {
    "cp1250": "cs sk pl hu sl hr ro",
    "cp1251": "ru uk be bg mk sr",
    "cp1253": "el",
    "cp1254": "tr az",
    "cp1255": "he",
    "cp1256": "ar fa ur",
    "cp1257": "et lv lt",
    "shift_jis": "ja",
    "gb18030": "zh",
    "euc-kr": "ko",
}


def format_of(path: Path) -> Format:
    """Return what the bytes of a file say that it is."""
    with path.open("rb") as file:
        start = file.read(BEGINNING)
    for beginning, found in STARTS.items():
        if start.startswith(beginning):
            return found
    if start.startswith(b"PK\x03\x04"):
        return _archive(path)
    text = start.removeprefix(codecs.BOM_UTF8).lstrip().lower()
    return Format.HTML if text.startswith(MARKUP) else Format.TEXT


def _archive(path: Path) -> Format:
    try:
        with ZipFile(path) as archive:
            names = set(archive.namelist())
    except BadZipFile:
        return Format.ZIP
    return next((found for name, found in INSIDE.items() if name in names), Format.ZIP)


def is_utf(path: Path) -> bool:
    """Return whether a text is UTF-8, or says by its first bytes that it is UTF-16."""
    with path.open("rb") as file:
        if file.read(2) in UTF_16:
            return True
        file.seek(0)
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            while chunk := file.read(1 << 20):
                decoder.decode(chunk)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True


@dataclass(frozen=True)
class Candidate:
    """An encoding in which a file can be read, with some of its lines that are not plain ASCII."""

    encoding: str
    lines: Sequence[str]


def encodings_of(path: Path, language: str = "") -> list[Candidate]:
    """Return the encodings in which the whole file can be read, the likeliest for its language first.

    Those that read its first lines alike are named once.
    """
    likely = [name for name, tags in OF_LANGUAGES.items() if language.split("-")[0].lower() in tags.split()]
    found: dict[tuple[str, ...], Candidate] = {}
    for encoding in [*likely, *(name for name in ENCODINGS if name not in likely)]:
        lines = _samples(path, encoding)
        if lines:
            found.setdefault(lines, Candidate(encoding, lines))
    return list(found.values())


def _samples(path: Path, encoding: str) -> tuple[str, ...]:
    """Return the first lines with letters beyond ASCII; none if the file cannot be read so, or holds control signs."""
    lines: list[str] = []
    try:
        with path.open(encoding=encoding, newline="") as file:
            for line in file:
                if any(not sign.isprintable() and not sign.isspace() for sign in line):
                    return ()
                if len(lines) < SAMPLES and not line.isascii():
                    lines.append(_around_foreign(line.strip()))
    except UnicodeError:
        return ()
    return tuple(lines)


def _around_foreign(line: str) -> str:
    """Return the part of a line around its first letter beyond ASCII."""
    place = next(place for place, sign in enumerate(line) if not sign.isascii())
    start = max(place - LONGEST_SAMPLE // 2, 0)
    return line[start : start + LONGEST_SAMPLE]


@dataclass(frozen=True)
class Beginning:
    """The names of the columns of a table, and its first rows."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


def beginning_of(path: Path, encoding: str = "") -> Beginning:
    """Return the columns and first rows of a table that is Excel or text.

    Raises:
        Unreadable: it is not a table.
    """
    with path.open("rb") as file:
        columns, rows = _table(path, file, encoding)
        shown = [record for (_line, record), _number in zip(rows, range(SAMPLES), strict=False)]
    return Beginning(columns, shown)


def write_table(source: Path, target: Path, *, encoding: str = "", columns: Mapping[str, str] | None = None) -> None:
    """Write a table that is Excel or text as CSV in UTF-8; rows stay on their lines.

    Parameters: encoding, of a text, if it is neither UTF-8 nor UTF-16; columns, other names by those in the file. The
    name of a column that is not in the file is given to the numbers of the rows: {"": "id"}.
    """
    renamed = dict(columns or {})
    numbered = renamed.pop("", "")
    with source.open("rb") as file, target.open("w", encoding="utf-8", newline="") as out:
        names, rows = _table(source, file, encoding)
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([*([numbered] if numbered else []), *(renamed.get(name, name) for name in names)])
        written = 1
        for number, (line, record) in enumerate(rows, start=1):
            out.write("\n" * (line - written - 1))
            writer.writerow([*([str(number)] if numbered else []), *record])
            written = line + sum(value.count("\n") for value in record)


def _table(path: Path, file: Any, encoding: str) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    if format_of(path) == Format.EXCEL:
        return _excel(file)
    if not encoding:
        encoding = "utf-16" if file.peek(2)[:2] in UTF_16 else "utf-8-sig"
    return read_table(iter(TextIOWrapper(file, encoding, newline="")))


def _excel(file: BinaryIO) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    """Return the first sheet of a workbook; trailing empty columns are left out."""
    from openpyxl import load_workbook  # noqa: PLC0415 only workers read files; web processes stay light

    workbook = load_workbook(file, read_only=True, data_only=True)
    rows = enumerate(workbook.worksheets[0].iter_rows(values_only=True), start=1)
    filled = ((line, [_written(value) for value in row]) for line, row in rows)
    records = ((line, row) for line, row in filled if any(row))
    header = next(records, (1, []))[1]
    while header and not header[-1]:
        header.pop()
    width = len(header)
    return column_names(header), ((line, row[:width] + [""] * (width - len(row))) for line, row in records)


def _written(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value.isoformat() if isinstance(value, date | datetime) else str(value).strip()
