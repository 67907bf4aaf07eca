"""Files read row by row: CSV, TSV or JSON Lines, in UTF-8, or in UTF-16 with a byte-order mark."""

import csv
import json
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from io import TextIOWrapper
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.errors import Refusal

MOST_PROBLEMS = 1000
DELIMITERS = ",\t;"
UTF_16 = (BOM_UTF16_LE, BOM_UTF16_BE)
QUOTED = re.compile(r'"((?:[^"]|"")*)"')
Row = dict[str, Any]
# A value that is too long is told with its column, by us, and not by the reader as "not CSV".
csv.field_size_limit(2**31 - 1)


@dataclass(frozen=True)
class Problem:
    """What is wrong with a file, and where; line 0 is the file as a whole."""

    line: int
    column: str
    reason: str

    def __str__(self) -> str:
        place = f"line {self.line}" if self.line else "file"
        return f"{place}, {self.column}: {self.reason}" if self.column else f"{place}: {self.reason}"


class FileRefused(Refusal):
    """A file with problems; nothing of it was kept."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = problems
        number = len(problems)
        told = ngettext(
            "The file has %(number)s problem; nothing was imported.",
            "The file has %(number)s problems; nothing was imported.",
            number,
        )
        if number >= MOST_PROBLEMS:
            told = _("The file has %(number)s problems, and perhaps more; nothing was imported.")
        super().__init__(told % {"number": number})

    def as_json(self) -> list[dict[str, Any]]:
        return [asdict(problem) for problem in self.problems]


class Unreadable(Exception):
    """A file that cannot be read any further."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem


@dataclass
class Problems:
    """The problems found so far, up to the most that anybody would read."""

    found: list[Problem] = field(default_factory=list)

    def add(self, line: int, column: str, reason: str) -> None:
        if len(self.found) < MOST_PROBLEMS:
            self.found.append(Problem(line, column, str(reason)))

    @property
    def full(self) -> bool:
        return len(self.found) >= MOST_PROBLEMS

    def refuse(self) -> None:
        """Raises FileRefused where anything was found."""
        if self.found:
            raise FileRefused(self.found)


def read_rows(path: Path, *, required: Sequence[str], problems: Problems) -> Iterator[tuple[int, Row]]:
    """The rows of a file with the number of the line on which each begins.

    Columns are named by the first line, in any case; `pair` stands for `id`. What cannot be read becomes a problem.
    """
    try:
        with path.open("rb") as file:
            if looks_like_json(file):
                yield from _json_rows(file, problems)
            else:
                yield from _csv_rows(file, required, problems)
    except Unreadable as error:
        problems.add(error.problem.line, error.problem.column, error.problem.reason)


def read_lines(path: Path, problems: Problems) -> Iterator[tuple[int, str]]:
    """The lines of a plain text, counted from 1; what cannot be read becomes a problem."""
    try:
        with path.open("rb") as file:
            yield from enumerate(_lines(file, problems), start=1)
    except Unreadable as error:
        problems.add(error.problem.line, error.problem.column, error.problem.reason)


def looks_like_json(file: BinaryIO) -> bool:
    """Whether a file is meant as JSON Lines; it stands at its beginning again afterwards."""
    start = file.read(4096)
    file.seek(0)
    encoding = "utf-16" if start.startswith(UTF_16) else "utf-8-sig"
    return start.decode(encoding, errors="ignore").lstrip()[:1] in ("{", "[")


def _lines(file: BinaryIO, problems: Problems) -> Iterator[str]:
    start = file.read(2)
    file.seek(0)
    return _lines_of_utf_16(file) if start in UTF_16 else _lines_of_utf_8(file, problems)


def _lines_of_utf_16(file: BinaryIO) -> Iterator[str]:
    """As spreadsheets save “Unicode text”."""
    text = TextIOWrapper(file, encoding="utf-16", newline="\n")
    for number in count(1):
        try:
            line = text.readline()
        except UnicodeDecodeError as error:
            raise Unreadable(Problem(number, "", _("this is not UTF-16; save the file as UTF-8."))) from error
        if not line:
            return
        yield line


def _lines_of_utf_8(file: BinaryIO, problems: Problems) -> Iterator[str]:
    for number, line in enumerate(file, start=1):
        encoding = "utf-8-sig" if number == 1 else "utf-8"
        try:
            yield line.decode(encoding)
        except UnicodeDecodeError as error:
            reason = _("byte %(number)s is not UTF-8; save the file as UTF-8 and try again.") % {
                "number": error.start + 1
            }
            if b"\0" in line:  # UTF-16, or no text at all: the other lines would only say the same
                raise Unreadable(Problem(number, "", reason)) from error
            problems.add(number, "", reason)
            yield line.decode(encoding, errors="replace")


def _json_rows(file: BinaryIO, problems: Problems) -> Iterator[tuple[int, Row]]:
    for number, line in enumerate(_lines(file, problems), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            problems.add(number, "", _("not JSON: %(error)s.") % {"error": error})
            continue
        if isinstance(row, dict):
            yield number, dict(zip(_columns(row), row.values(), strict=True))
        else:
            problems.add(number, "", _("a line of JSON Lines must be an object in braces."))


def _csv_rows(file: BinaryIO, required: Sequence[str], problems: Problems) -> Iterator[tuple[int, Row]]:
    records = _csv_records(_lines(file, problems))
    header = next(records, (1, []))[1]
    columns = _columns(header)
    missing = [name for name in required if name not in columns]
    for name in missing:
        problems.add(1, name, _("this column is missing."))
    if repeated := {name for name in columns if name and columns.count(name) > 1}:
        problems.add(1, ", ".join(sorted(repeated)), _("this column stands there twice."))
    if missing or repeated:
        return
    for line, record in records:
        if not any(value.strip() for value in record) or record == header:
            continue
        if len(record) != len(columns):
            problems.add(
                line,
                "",
                _("%(values)s values for %(columns)s columns.") % {"values": len(record), "columns": len(columns)},
            )
            continue
        yield line, {name: value for name, value in zip(columns, record, strict=True) if name}


def _csv_records(lines: Iterator[str]) -> Iterator[tuple[int, list[str]]]:
    first = next(lines, "")
    if "\0" in first:
        raise Unreadable(Problem(1, "", _("this is neither CSV, TSV nor JSON Lines.")))
    delimiter = max(DELIMITERS, key=first.count)
    if delimiter == "\t":
        yield from _tsv_records(_chained(first, lines))
        return
    reader = csv.reader(_chained(first, lines), delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            yield line, next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise Unreadable(Problem(line, "", _("not CSV: %(error)s.") % {"error": error})) from error


def _tsv_records(lines: Iterator[str]) -> Iterator[tuple[int, list[str]]]:
    """TAB-separated values need no quotes, so a quote is a quote unless it stands around a whole value."""
    for number, line in enumerate(lines, start=1):
        yield number, [_unquoted(value) for value in line.rstrip("\r\n").split("\t")]


def _unquoted(value: str) -> str:
    quoted = QUOTED.fullmatch(value)
    return quoted[1].replace('""', '"') if quoted else value


def _chained(first: str, rest: Iterable[str]) -> Iterator[str]:
    yield first
    yield from rest


def _columns(header: Iterable[str]) -> list[str]:
    """Column names in small letters; `pair` stands for `id` where there is no `id`."""
    names = [name.strip().lower() for name in header]
    return names if "id" in names else ["id" if name == "pair" else name for name in names]
