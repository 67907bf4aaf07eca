"""Triggers of the database, which are created after every migration: see `guarding`."""

from collections.abc import Callable
from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

Statements = Callable[[BaseDatabaseWrapper, Any], list[str]]
"""Returns the SQL that creates what is missing, from the connection and a cursor."""


def create_triggers(using: str, table: str, *, sqlite: Statements, postgresql: Statements) -> None:
    """Create the triggers of a table, if the table is there."""
    connection = connections[using]
    with connection.cursor() as cursor:
        if table not in connection.introspection.table_names(cursor):
            return
        for statement in (postgresql if connection.vendor == "postgresql" else sqlite)(connection, cursor):
            cursor.execute(statement)
