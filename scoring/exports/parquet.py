"""Rows as Parquet."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow.json import ParseOptions, ReadOptions, read_json

from scoring.exports.files import replacing

ROW_GROUP = 20_000  # rows of a row group: a multiple of the rows of a chunk


class Lines(Protocol):
    """A chunk of rows."""

    @property
    def lines(self) -> bytes:
        """The rows as JSON Lines."""


@contextmanager
def parquet_file(path: Path, columns: dict[str, str]) -> Iterator[Callable[[Lines], None]]:
    """Write row groups; the bytes depend on nothing but the rows and the version of the library.

    Parameters: columns, the type of each by name.
    """
    types = {"timestamp": pa.timestamp("ms", "UTC")}
    schema = pa.schema([(name, types.get(kind) or pa.type_for_alias(kind)) for name, kind in columns.items()])
    waiting: list[pa.Table] = []
    with replacing(path) as draft, pq.ParquetWriter(draft, schema, compression="zstd", version="2.6") as writer:

        def flush() -> None:
            writer.write_table(pa.concat_tables(waiting).combine_chunks(), row_group_size=ROW_GROUP)
            waiting.clear()

        def sink(chunk: Lines) -> None:
            waiting.append(_as_table(chunk.lines, schema))
            if sum(map(len, waiting)) >= ROW_GROUP:
                flush()

        yield sink
        if waiting:
            flush()


def _as_table(lines: bytes, schema: pa.Schema) -> pa.Table:
    """Return one table in one block, as a row longer than a block would be refused."""
    table = read_json(
        pa.BufferReader(lines),
        read_options=ReadOptions(use_threads=False, block_size=len(lines)),
        parse_options=ParseOptions(explicit_schema=schema, unexpected_field_behavior="error"),
    )
    return table.select(schema.names)
