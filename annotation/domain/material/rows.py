"""Files read row by row: CSV, TSV or JSON Lines, in UTF-8, or in UTF-16 with a byte-order mark."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from io import BufferedReader
from itertools import chain
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.corpora.tables import (
    UTF_16,
    NotCsv,
    NotUtf16,
    TooLarge,
    Unreadable,
    check_width,
    column_names,
    read_table,
    text_lines,
    undecoded_byte,
)
from annotation.domain.errors import Refusal, translated

MOST_PROBLEMS = 1000
FIRST = 10
"""How many names the problem of many rows lists."""
Row = dict[str, Any]


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
        message = ngettext(
            "Nothing was imported: the file has %(number)s problem.",
            "Nothing was imported: the file has %(number)s problems.",
            number,
        )
        if number >= MOST_PROBLEMS:
            message = _("Nothing was imported: the file has at least %(number)s problems.")
        super().__init__(message % {"number": number})

    def as_json(self) -> list[dict[str, Any]]:
        return [asdict(problem) for problem in self.problems]


@dataclass
class Alike:
    """Rows with the same kind of problem, which are reported as one.

    first: the problem of the first row; names: what is wrong, in order; times: how often; rows: in how many lines.
    """

    first: Problem
    names: dict[str, None] = field(default_factory=dict)
    times: int = 0
    rows: int = 0
    last_line: int = -1

    def problem(self, several: str) -> Problem:
        """Return one problem for all rows. Parameters: several, a pattern with `number`, `names` and `rows`."""
        if self.rows == 1 and len(self.names) == 1:
            return self.first
        shown = ", ".join(list(self.names)[:FIRST]) + (", …" if len(self.names) > FIRST else "")
        reason = several % {"number": len(self.names), "names": shown, "rows": self.rows}
        return Problem(self.first.line, self.first.column, reason)


@dataclass
class Problems:
    """The problems found so far, up to MOST_PROBLEMS; those that whole files have are put together (`add_alike`)."""

    found: list[Problem] = field(default_factory=list)
    alike: dict[str, Alike] = field(default_factory=dict)
    """By the pattern of their common reason."""

    @property
    def number(self) -> int:
        """Return how many problems were found, each row's counted; a row is correct if this has not grown."""
        return len(self.found) + sum(alike.times for alike in self.alike.values())

    def add_alike(self, problem: Problem, name: str, several: str) -> None:
        """Add a problem that every row of a file may have.

        Parameters: name, of what is wrong; several, the pattern of the reason for more rows than one, as of `Alike`.
        """
        alike = self.alike.setdefault(several, Alike(problem))
        alike.names[name] = None
        alike.times += 1
        alike.rows += problem.line != alike.last_line
        alike.last_line = problem.line

    def add(self, line: int, column: str, reason: str) -> None:
        if len(self.found) < MOST_PROBLEMS:
            self.found.append(Problem(line, column, str(reason)))

    @property
    def full(self) -> bool:
        return len(self.found) >= MOST_PROBLEMS

    def refuse(self) -> None:
        """Raise FileRefused where anything was found."""
        found = [*self.found, *(alike.problem(several) for several, alike in self.alike.items())]
        if found:
            raise FileRefused(sorted(found, key=lambda problem: problem.line))


def read_rows(path: Path, *, required: Sequence[str], problems: Problems) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a file with the number of the line on which each begins.

    Columns are named by the first line, in any case; `pair` stands for `id`. What cannot be read becomes a problem.
    """
    is_json = looks_like_json(path)
    with _lines(path, problems) as lines:
        yield from _json_rows(lines, problems) if is_json else _csv_rows(lines, required, problems)


def read_lines(path: Path, problems: Problems) -> Iterator[tuple[int, str]]:
    """Yield the lines of a plain text, counted from 1; what cannot be read becomes a problem."""
    with _lines(path, problems) as lines:
        yield from enumerate(lines, start=1)


def looks_like_json(path: Path) -> bool:
    """Return whether a file is meant as JSON Lines."""
    with path.open("rb") as file:
        start = file.read(4096)
    encoding = "utf-16" if start.startswith(UTF_16) else "utf-8-sig"
    return start.decode(encoding, errors="ignore").lstrip()[:1] in ("{", "[")


@contextmanager
def _lines(path: Path, problems: Problems) -> Iterator[Iterator[str]]:
    """Give the lines of a file, up to one that cannot be read, which becomes a problem."""
    try:
        with path.open("rb") as file:
            yield _decoded(file, problems)
    except NotUtf16 as error:
        problems.add(error.line, "", _("The file is not valid UTF-16. Save it as UTF-8."))
    except NotCsv as error:
        problems.add(error.line, "", _("This is not valid CSV: %(error)s.") % {"error": error})
    except TooLarge as error:
        problems.add(error.line, "", translated(error.sentence))
    except Unreadable as error:
        problems.add(error.line, "", str(error))


def _decoded(file: BufferedReader, problems: Problems) -> Iterator[str]:
    for number, line in enumerate(text_lines(file), start=1):
        if byte := undecoded_byte(line):
            reason = _("Byte %(number)s of this line is not valid UTF-8. Save the file as UTF-8.") % {"number": byte}
            if "\0" in line:  # UTF-16, or no text at all: the other lines would only say the same
                raise Unreadable(number, reason)
            problems.add(number, "", reason)
        yield line.encode(errors="surrogateescape").decode(errors="replace") if byte else line


def _json_rows(lines: Iterable[str], problems: Problems) -> Iterator[tuple[int, Row]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            problems.add(number, "", _("This is not valid JSON: %(error)s.") % {"error": error})
            continue
        if isinstance(row, dict):
            check_width(number, len(row))
            yield number, dict(zip(_columns(column_names(row)), row.values(), strict=True))
        else:
            problems.add(number, "", _("Each line must be a JSON object in braces."))


def _csv_rows(lines: Iterator[str], required: Sequence[str], problems: Problems) -> Iterator[tuple[int, Row]]:
    first = next(lines, "")
    if "\0" in first:
        raise Unreadable(1, _("The file is not CSV, TSV or JSON Lines."))
    names, rows = read_table(chain([first], lines))
    columns = _columns(names)
    missing = [name for name in required if name not in columns]
    for name in missing:
        problems.add(1, name, _("This column is missing."))
    if repeated := {name for name, times in Counter(columns).items() if name and times > 1}:
        problems.add(1, ", ".join(sorted(repeated)), _("The file has this column twice. Rename or remove one of them."))
    if missing or repeated:
        return
    for line, record in rows:
        if len(record) == len(columns):
            yield line, {name: value for name, value in zip(columns, record, strict=True) if name}
        else:
            numbers = {"values": len(record), "columns": len(columns)}
            problems.add(
                line,
                "",
                _(
                    "The row does not match the columns: %(values)s values, but %(columns)s columns. Check for "
                    "missing quotation marks."
                )
                % numbers,
            )


def _columns(names: list[str]) -> list[str]:
    """Return the names of columns, with `id` for `pair` where there is no `id`."""
    return names if "id" in names else ["id" if name == "pair" else name for name in names]
