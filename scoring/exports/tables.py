"""The same rows as CSV, JSON Lines and Parquet, written in one pass and in constant memory."""

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow.json import ParseOptions, ReadOptions, read_json

from scoring.exports.files import LineFeeds, harmless, replacing, utc, whole_file

CHUNK = 1_000  # rows that are turned into columns at once
ROW_GROUP = 20_000  # rows of a row group of Parquet: a multiple of CHUNK
SPREADSHEETS = {"judgments.csv"}
Values = Sequence[Any]


class Kind(Enum):
    """What a column holds, and its type in Parquet. None is a missing value of any kind."""

    TEXT = pa.string()
    INTEGER = pa.int64()
    NUMBER = pa.float64()
    TRUTH = pa.bool_()
    TIME = pa.timestamp("ms", "UTC")


@dataclass(frozen=True)
class Column:
    """printed: how a CSV file prints a value, where it is not the usual way."""

    name: str
    kind: Kind
    printed: Callable[[Any], object] | None = None

    def in_csv(self, values: Values) -> Values:
        """Truth as 1 and 0, times in ISO 8601; None is printed as nothing."""
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
    """Some rows: values by column, and as lines of JSON, which are also what the Parquet file is read from.

    (Arrow would load pandas, where it is installed, to take Python's values from us.)
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
    """Writes STEM.csv, STEM.jsonl and STEM.parquet, or those of the forms given.

    Of a CSV file for spreadsheets (`SPREADSHEETS`) texts that a spreadsheet would run are made harmless; the others
    are for programs and hold every text as it is.

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
    """Each different text is looked at once: most columns have few."""
    known = {value: harmless(value) for value in set(values)}
    return [known[value] for value in values]


@contextmanager
def _jsonl(path: Path, columns: Sequence[Column]) -> Iterator[Sink]:
    with whole_file(path) as file:
        yield lambda chunk: file.write(chunk.lines.decode())


@contextmanager
def _parquet(path: Path, columns: Sequence[Column]) -> Iterator[Sink]:
    """In row groups; nothing but the rows and the version of the library decides the bytes."""
    schema = pa.schema([(column.name, column.kind.value) for column in columns])
    waiting: list[pa.Table] = []
    with replacing(path) as draft, pq.ParquetWriter(draft, schema, compression="zstd", version="2.6") as writer:

        def flush() -> None:
            writer.write_table(pa.concat_tables(waiting).combine_chunks(), row_group_size=ROW_GROUP)
            waiting.clear()

        def sink(chunk: Chunk) -> None:
            waiting.append(_as_table(chunk.lines, schema))
            if sum(map(len, waiting)) >= ROW_GROUP:
                flush()

        yield sink
        if waiting:
            flush()


def _as_table(lines: bytes, schema: pa.Schema) -> pa.Table:
    """In one block, as a row longer than a block would be refused."""
    table = read_json(
        pa.BufferReader(lines),
        read_options=ReadOptions(use_threads=False, block_size=len(lines)),
        parse_options=ParseOptions(explicit_schema=schema, unexpected_field_behavior="error"),
    )
    return table.select(schema.names)


FORMS = {"csv": _csv, "jsonl": _jsonl, "parquet": _parquet}
