"""The same rows as CSV, JSON Lines and Parquet, written in one pass and in constant memory."""

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from annotation.corpora.spreadsheets import harmless
from scoring.exports.files import LineFeeds, utc, whole_file

CHUNK = 1_000  # rows that are turned into columns at once
SPREADSHEETS = {"judgments.csv", "machine_judgments.csv"}
Values = Sequence[Any]


class Kind(Enum):
    """What a column holds, and its type in Parquet. None is a missing value of any kind."""

    TEXT = "string"
    INTEGER = "int64"
    NUMBER = "float64"
    TRUTH = "bool"
    TIME = "timestamp"


@dataclass(frozen=True)
class Column:
    """printed: how a CSV file prints a value, if it is not the usual way."""

    name: str
    kind: Kind
    printed: Callable[[Any], object] | None = None

    def in_csv(self, values: Values) -> Values:
        """Return truth as 1 and 0, times in ISO 8601; None as nothing."""
        if self.printed:
            return [value if value is None else self.printed(value) for value in values]
        if self.kind is Kind.TRUTH:
            return [value if value is None else int(value) for value in values]
        return values if self.kind is Kind.NUMBER else self.in_json(values)

    def in_json(self, values: Values) -> Values:
        if self.kind is Kind.TIME:
            return [utc(value) if value else None for value in values]
        if self.kind is Kind.NUMBER:
            return [value if value is None else float(value) for value in values]
        return values


@dataclass(frozen=True, eq=False)
class Chunk:
    """Some rows: values by column, and as lines of JSON, from which the Parquet file is read too.

    (Arrow would load pandas, if it is installed, to convert Python's values.)
    """

    columns: Sequence[Column]
    values: Sequence[Values]

    @cached_property
    def lines(self) -> bytes:
        names = [column.name for column in self.columns]
        shown = [column.in_json(values) for column, values in zip(self.columns, self.values, strict=True)]
        rows = (dict(zip(names, row, strict=True)) for row in zip(*shown, strict=True))
        return b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows)


Sink = Callable[[Chunk], None]


def write_tables(
    folder: Path, stem: str, columns: Sequence[Column], rows: Iterator[Values], *forms: str
) -> dict[str, int]:
    """Write STEM.csv, STEM.jsonl and STEM.parquet, or those of `forms`.

    In a CSV file for spreadsheets (`SPREADSHEETS`) texts that a spreadsheet would run are made harmless; the others
    are for programs and hold every text unchanged.

    Returns: the number of rows of each file.
    """
    written = 0
    with ExitStack() as stack:
        sinks = [stack.enter_context(FORMS[form](folder / f"{stem}.{form}", columns)) for form in forms or FORMS]
        while chunk := list(islice(rows, CHUNK)):
            written += len(chunk)
            across = Chunk(columns, list(zip(*chunk, strict=True)))
            for sink in sinks:
                sink(across)
    return {f"{stem}.{form}": written for form in forms or FORMS}


@contextmanager
def _csv(path: Path, columns: Sequence[Column]) -> Iterator[Sink]:
    with whole_file(path) as file:
        writer, guarded = csv.writer(LineFeeds(file)), path.name in SPREADSHEETS
        writer.writerow([column.name for column in columns])

        def sink(chunk: Chunk) -> None:
            printed = [column.in_csv(values) for column, values in zip(columns, chunk.values, strict=True)]
            safe = [
                _all_harmless(values) if guarded and column.kind is Kind.TEXT else values
                for column, values in zip(columns, printed, strict=True)
            ]
            writer.writerows(zip(*safe, strict=True))

        yield sink


def _all_harmless(values: Values) -> Values:
    """Return harmless values; each different text is checked once, as most columns have few."""
    known = {value: harmless(value) for value in set(values)}
    return [known[value] for value in values]


@contextmanager
def _jsonl(path: Path, columns: Sequence[Column]) -> Iterator[Sink]:
    with whole_file(path) as file:
        yield lambda chunk: file.write(chunk.lines.decode())


def _parquet(path: Path, columns: Sequence[Column]) -> AbstractContextManager[Sink]:
    from scoring.exports.parquet import parquet_file  # noqa: PLC0415 35 MB that serving pages does not need

    return parquet_file(path, {column.name: column.kind.value for column in columns})


FORMS = {"csv": _csv, "jsonl": _jsonl, "parquet": _parquet}
