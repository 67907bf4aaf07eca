"""Puts the rows of a backup into the tables of an empty database."""

import json
from base64 import b64decode
from io import BytesIO
from typing import Any

from django.apps.registry import Apps
from django.db import Error, connections, models

from config.backup.errors import BackupError
from config.backup.tables import fields_of, models_of, tally_of

# What an installation that nobody has used yet writes by itself, or after every migration.
MADE_BY_ITSELF = {
    "annotation_browsersession",
    "annotation_heartbeat",
    "auth_permission",
    "django_celery_results_chordcounter",
    "django_celery_results_groupresult",
    "django_celery_results_taskresult",
    "django_content_type",
    "django_session",
}
LONGEST_WAIT = "20s"  # for other processes that use the tables
ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def guard_empty(apps: Apps, alias: str) -> None:
    """Raise BackupError if the database has rows that somebody made."""
    tables = [model._meta.db_table for model in models_of(apps)]
    looks = [f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM \"{table}\")" for table in tables]
    with connections[alias].cursor() as cursor:
        cursor.execute(" UNION ALL ".join(looks))
        used = sorted({table for (table,) in cursor.fetchall()} - MADE_BY_ITSELF)
    if used:
        raise BackupError(
            f"The database is not empty: it has rows in {', '.join(used[:5])}{', ...' if used[5:] else ''}. "
            "A backup can only be restored into an empty database."
        )


def clear(apps: Apps, alias: str) -> None:
    """Keep other processes of PostgreSQL out until the end of the transaction, and delete what was made by itself."""
    connection = connections[alias]
    tables = [f'"{model._meta.db_table}"' for model in models_of(apps)]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"SET LOCAL lock_timeout = '{LONGEST_WAIT}'")
            cursor.execute(f"LOCK TABLE {', '.join(tables)} IN ACCESS EXCLUSIVE MODE")
        guard_empty(apps, alias)
        for table in tables:
            if table.strip('"') in MADE_BY_ITSELF:
                cursor.execute(f"DELETE FROM {table}")


class Loader:
    """Loads the lines of one table at a time; its columns are named by the backup."""

    def __init__(self, apps: Apps, alias: str, columns: dict[str, list[str]]) -> None:
        self._models = {model._meta.db_table: model for model in models_of(apps)}
        self._connection, self._columns = connections[alias], columns
        for table, model in self._models.items():
            if sorted(columns.get(table, ())) != sorted(own.column for own in fields_of(model)):
                raise BackupError(f"The columns of {table} in the backup do not match its migrations.")

    def load(self, table: str, lines: bytes) -> None:
        """Insert the rows.

        Raises:
            BackupError: the database refuses one.
        """
        by_column = {own.column: own for own in fields_of(self._models[table])}
        fields = [by_column[column] for column in self._columns[table]]
        rows = [json.loads(line) for line in lines.splitlines()]
        try:
            (self._copy if self._connection.vendor == "postgresql" else self._insert)(table, fields, rows)
        except Error as error:
            raise BackupError(f"The database rejected rows of {table}: {error}") from error

    def _copy(self, table: str, fields: list[models.Field], rows: list[list[Any]]) -> None:
        text = "".join("\t".join(map(_cell, fields, row)) + "\n" for row in rows)
        with self._connection.cursor() as cursor:
            cursor.copy_expert(f'COPY "{table}" ({_listed(fields)}) FROM STDIN', BytesIO(text.encode()))

    def _insert(self, table: str, fields: list[models.Field], rows: list[list[Any]]) -> None:
        marks = ", ".join(["%s"] * len(fields))
        connection = self._connection
        prepared = (
            [own.get_db_prep_save(own.to_python(value), connection) for own, value in zip(fields, row, strict=True)]
            for row in rows
        )
        with connection.cursor() as cursor:
            cursor.executemany(f'INSERT INTO "{table}" ({_listed(fields)}) VALUES ({marks})', prepared)


def _listed(fields: list[models.Field]) -> str:
    return ", ".join(f'"{own.column}"' for own in fields)


def _cell(field: models.Field, value: Any) -> str:
    """Return a value in the text format of PostgreSQL's COPY."""
    if value is None:
        return "\\N"
    if isinstance(field, models.JSONField):
        value = json.dumps(value, ensure_ascii=False)
    elif isinstance(field, models.BinaryField):
        value = "\\x" + b64decode(value).hex()
    return str(value).translate(ESCAPES)


def guard_equal(apps: Apps, alias: str, expected: dict[str, dict[str, Any]]) -> None:
    """Raise BackupError if a table does not have the rows that the backup names, by number and SHA-256."""
    for model in models_of(apps):
        table = model._meta.db_table
        found = tally_of(model, alias)
        if found != expected[table]:
            raise BackupError(f"{table} differs from the backup: {found} instead of {expected[table]}.")
