"""Projects that many tests begin with: made once in a process, then put back row by row."""

from collections.abc import Callable
from functools import wraps
from io import StringIO
from typing import Any

from django.db import connection, transaction

from annotation.models import Project
from tests.databases import tables

Rows = list[tuple[Any, ...]] | str


def remembered(make: Callable[..., Project]) -> Callable[..., Project]:
    """Make a project once for these arguments; afterwards fill in the rows that it consists of.

    It is made anew where rows are in the way, as after another project of the same test.
    """
    kept: dict[tuple[Any, ...], tuple[int, dict[str, Rows]]] = {}

    @wraps(make)
    def project(*arguments: Any, **changes: Any) -> Project:
        before, asked = counts(), (arguments, *sorted(changes.items()))
        if asked in kept:
            key, rows = kept[asked]
            if not before.keys() & rows.keys():
                put_back(rows)
                return Project.objects.get(pk=key)
        own = make(*arguments, **changes)
        after = counts()
        if before.items() <= after.items():
            kept[asked] = own.pk, {table: read(table) for table in after.keys() - before.keys()}
        return own

    return project


def counts() -> dict[str, int]:
    """The number of rows of every table that holds any."""
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(f"SELECT '{table}', COUNT(*) FROM {table}" for table in tables()))
        return {table: number for table, number in cursor.fetchall() if number}


def read(table: str) -> Rows:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            text = StringIO()
            cursor.copy_expert(f"COPY {table} TO STDOUT", text)
            return text.getvalue()
        cursor.execute(f"SELECT * FROM {table}")
        return cursor.fetchall()


def put_back(rows: dict[str, Rows]) -> None:
    with transaction.atomic(), connection.cursor() as cursor:  # keys of others are checked at its end
        for table, own in rows.items():
            if connection.vendor == "postgresql":
                cursor.copy_expert(f"COPY {table} FROM STDIN", StringIO(own))
                number_on(cursor, table)
            else:
                cursor.executemany(f"INSERT INTO {table} VALUES ({', '.join(['%s'] * len(own[0]))})", own)


def number_on(cursor: Any, table: str) -> None:
    """Let new rows have numbers after those that were put back."""
    cursor.execute("SELECT pg_get_serial_sequence(%s, 'id')", [table])
    (sequence,) = cursor.fetchone()
    cursor.execute(f"SELECT setval('{sequence}', GREATEST(nextval('{sequence}'), (SELECT MAX(id) FROM {table})))")
