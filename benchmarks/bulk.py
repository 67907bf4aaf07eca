"""Rows of a model written from columns: by COPY on PostgreSQL, by one prepared statement on SQLite."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import numpy as np
import pyarrow as pa
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Max, Model
from django.db.models.expressions import DatabaseDefault
from numpy.typing import NDArray
from pyarrow import csv

ROWS_AT_ONCE = 200_000
Ids = NDArray[np.int64]


@transaction.atomic
def insert(model: type[Model], number: int, **columns: Any) -> Ids:
    """Write rows and return their ids, which ascend in the order of the rows.

    Parameters: columns, by the name of the database column: an array or a list of `number` values, or one value for all
        rows. Columns that are not named get the default of their field.
    """
    first = (model._default_manager.aggregate(last=Max("pk"))["last"] or 0) + 1
    ids = np.arange(first, first + number)
    columns = {**_defaults(model), "id": ids, **columns}
    with connection.cursor() as cursor:
        for start in range(0, number, ROWS_AT_ONCE):
            _write(cursor, model, _part(columns, start, min(number, start + ROWS_AT_ONCE)))
        if connection.vendor == "postgresql":
            for statement in connection.ops.sequence_reset_sql(no_style(), [model]):
                cursor.execute(statement)
    return ids


def _defaults(model: type[Model]) -> dict[str, Any]:
    """Return the default of each column, without those whose default the database fills in."""
    found = {field.column: (field, field.get_default()) for field in model._meta.concrete_fields}
    prepared = {name: field.get_db_prep_save(value, connection) for name, (field, value) in found.items()}
    return {
        name: _plain(value)
        for name, value in prepared.items()
        if value is not None and not isinstance(value, DatabaseDefault)
    }


def _plain(value: Any) -> Any:
    """Return a value as text where the driver wraps it, such as JSON."""
    return value.dumps(value.adapted) if hasattr(value, "adapted") else value


def _part(columns: dict[str, Any], start: int, stop: int) -> pa.Table:
    return pa.table({name: _column(value, start, stop) for name, value in columns.items()})


def _column(value: Any, start: int, stop: int) -> pa.Array:
    if isinstance(value, np.ndarray | list):
        return pa.array(value[start:stop])
    return pa.repeat(pa.scalar(value), stop - start)


def _write(cursor: Any, model: type[Model], rows: pa.Table) -> None:
    table, names = model._meta.db_table, ", ".join(f'"{name}"' for name in rows.column_names)
    if connection.vendor == "postgresql":
        text = BytesIO()
        csv.write_csv(rows, text, csv.WriteOptions(include_header=False))
        text.seek(0)
        cursor.copy_expert(f"COPY {table} ({names}) FROM STDIN (FORMAT csv)", text)
        return
    places = ", ".join(["%s"] * rows.num_columns)
    cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", _rows(rows))


def _rows(rows: pa.Table) -> Iterator[tuple[Any, ...]]:
    times = {name for name in rows.column_names if pa.types.is_timestamp(rows[name].type)}
    columns = [_texts(rows[name]) if name in times else rows[name].to_pylist() for name in rows.column_names]
    return zip(*columns, strict=True)


def _texts(times: pa.ChunkedArray) -> list[str]:
    """Return times as SQLite stores them."""
    return [f"{time:%Y-%m-%d %H:%M:%S}" for time in times.to_pylist()]
