"""The columns of a query as arrays: copied in binary form by PostgreSQL, row by row by other databases.

A Python object for each value of a million rows would take most of the memory and of the time of a run.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from itertools import islice
from operator import methodcaller
from typing import Any, NamedTuple

import numpy as np
from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import (
    BigIntegerField,
    BooleanField,
    Case,
    F,
    Field,
    FloatField,
    Func,
    IntegerField,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.functions import Cast, Coalesce
from numpy.typing import NDArray

MISSING = np.iinfo(np.int64).min
"""The integer, or the time, that is not there; a float that is not there is NaN, a boolean False."""
ROWS_AT_ONCE = 20_000
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
HEADER, TRAILER = 19, 2  # bytes before the first and after the last row of PostgreSQL's binary format
Chunk = dict[str, NDArray[Any]]
"""Columns of some rows, by name."""


class Kind(NamedTuple):
    """What a column holds. field: its type in the database. size: how PostgreSQL sends it. missing: instead of null."""

    field: Field
    size: str
    missing: Any


WHOLE = Kind(BigIntegerField(), ">i8", MISSING)
REAL = Kind(FloatField(), ">f8", float("nan"))
FLAG = Kind(BooleanField(), "?", False)
TIME = Kind(BigIntegerField(), ">i8", MISSING)
"""Microseconds since 1970."""


class _Microseconds(Func):
    """The microseconds since 1970 of a time, on PostgreSQL."""

    template = "(EXTRACT(EPOCH FROM %(expressions)s) * 1000000)::bigint"
    output_field = BigIntegerField()


def coded(field: str, codes: Mapping[str, int]) -> Case:
    """Return the codes of a text that has few values; null for any other value."""
    whens = (When(Q(**{field: text}), then=Value(code)) for text, code in codes.items())
    return Case(*whens, default=None, output_field=IntegerField())


def each_chunk(rows: QuerySet[Any], columns: Mapping[str, tuple[Any, Kind]], take: Callable[[Chunk], None]) -> None:
    """Pass on the columns of the rows, some thousand rows at a time, in no particular order.

    Parameters: columns, by name: the field or the expression, and its kind.
    """
    kinds = {name: kind for name, (_, kind) in columns.items()}
    if connection.vendor == "postgresql":
        _copy(rows, columns, _Receiver(kinds, take))
        return
    found = rows.order_by().values_list(*(_named(name, of) for name, (of, _) in columns.items()))
    stream = found.iterator(chunk_size=ROWS_AT_ONCE)
    while chunk := list(islice(stream, ROWS_AT_ONCE)):
        take({name: _array(values, kinds[name]) for name, values in zip(kinds, zip(*chunk, strict=True), strict=True)})


def _named(name: str, of: Any) -> Any:
    return F(of) if isinstance(of, str) else of


def _array(values: tuple[Any, ...], kind: Kind) -> NDArray[Any]:
    known = (kind.missing if value is None else value for value in values)
    if kind is TIME:
        known = ((value - EPOCH) // MICROSECOND if isinstance(value, datetime) else value for value in known)
    return np.fromiter(known, np.dtype(kind.size).newbyteorder("="), len(values))


def _copy(rows: QuerySet[Any], columns: Mapping[str, tuple[Any, Kind]], receiver: "_Receiver") -> None:
    found = rows.order_by().values_list(*(_sent(of, kind) for of, kind in columns.values()))
    try:
        sql, parameters = found.query.sql_with_params()
    except EmptyResultSet:  # a condition that no row can meet, for which other databases are not asked either
        return
    with connection.cursor() as cursor:
        query = cursor.mogrify(sql, parameters).decode()
        cursor.copy_expert(f"COPY ({query}) TO STDOUT (FORMAT binary)", receiver)
    receiver.end()


def _sent(of: Any, kind: Kind) -> Any:
    """Return the expression of a column that is never null and always as wide as its kind."""
    expression = _named("", of)
    expression = _Microseconds(expression) if kind is TIME else Cast(expression, kind.field)
    return Coalesce(expression, Cast(Value(kind.missing), kind.field), output_field=kind.field)


class _Receiver:
    """Takes what PostgreSQL sends and passes whole rows on."""

    def __init__(self, kinds: Mapping[str, Kind], take: Callable[[Chunk], None]) -> None:
        # A row is the number of its columns, and each column its length and its value.
        parts = [part for name, kind in kinds.items() for part in ((f"{name} length", ">i4"), (name, kind.size))]
        self.row, self.kinds, self.take = np.dtype([("columns", ">i2"), *parts]), kinds, take
        self.held, self.begun = bytearray(), False

    def write(self, sent: bytes) -> int:
        self.held += sent
        if len(self.held) >= HEADER + ROWS_AT_ONCE * self.row.itemsize:
            self._pass_on()
        return len(sent)

    def end(self) -> None:
        self._pass_on()
        if len(self.held) != TRAILER:
            raise ValueError(f"{len(self.held)} bytes from the database were left unread.")

    def _pass_on(self) -> None:
        if not self.begun:
            del self.held[:HEADER]
            self.begun = True
        number = len(self.held) // self.row.itemsize
        if number:
            rows = np.frombuffer(bytes(self.held[: number * self.row.itemsize]), self.row)
            del self.held[: number * self.row.itemsize]
            native = methodcaller("newbyteorder", "=")
            self.take({name: rows[name].astype(native(rows[name].dtype)) for name in self.kinds})
