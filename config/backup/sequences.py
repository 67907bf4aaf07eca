"""The last number that each table gave to a row, so that a number of a deleted row is never given again."""

from django.apps.registry import Apps
from django.db import connections, models

from config.backup.tables import models_of


def last_numbers(apps: Apps, alias: str) -> dict[str, int]:
    """Return the last number by table, 0 if there was none."""
    postgresql = connections[alias].vendor == "postgresql"
    return {
        model._meta.db_table: (_last_of_postgresql if postgresql else _last_of_sqlite)(model, alias)
        for model in _numbered(apps)
    }


def continue_after(apps: Apps, alias: str, last: dict[str, int]) -> None:
    """Let each table continue after its last number, or after the largest one that it has."""
    for model in _numbered(apps):
        table, key = model._meta.db_table, model._meta.pk.column
        with connections[alias].cursor() as cursor:
            cursor.execute(f'SELECT COALESCE(MAX("{key}"), 0) FROM "{table}"')
            number = max(last.get(table, 0), cursor.fetchone()[0])
            if not number:
                continue
            if connections[alias].vendor == "postgresql":
                cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [f'"{table}"', key, number])
                continue
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, number])


def _numbered(apps: Apps) -> list[type[models.Model]]:
    return [model for model in models_of(apps) if isinstance(model._meta.pk, models.AutoField)]


def _last_of_postgresql(model: type[models.Model], alias: str) -> int:
    with connections[alias].cursor() as cursor:
        names = [f'"{model._meta.db_table}"', model._meta.pk.column]
        cursor.execute("SELECT pg_sequence_last_value(pg_get_serial_sequence(%s, %s)::regclass)", names)
        return cursor.fetchone()[0] or 0


def _last_of_sqlite(model: type[models.Model], alias: str) -> int:
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [model._meta.db_table])
        found = cursor.fetchone()
        return found[0] if found else 0
