"""An installation with rows and files of many kinds, an empty one to restore into, and what a database holds."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

from django.apps import apps
from django.contrib.auth.models import Permission
from django.core.management import call_command
from django.db import connection
from django.test import override_settings

from annotation.models import Project
from scoring.models import Release, RunFigure
from tests import databases
from tests.factories import make_project, make_user
from tests.releases.making import released
from tests.releases.worlds import exclude_somebody, semrel

NUMBERS = {"-0.0": -0.0, "large": 1e16, "huge": 1.5e300, "small": 1e-9, "whole": 1.0, "long": 2**70, "b": [1, True]}
TEXT = "Tab\t, line\nbreak\r, \\N, \\., “quotes”, NULL, \x7f and \U0001f642"


def in_use() -> Release:
    """A project with answers, a log, a run and a release; values that are easily spoilt; a number not to be reused."""
    project = semrel()
    exclude_somebody(project, "main")
    release = released(project)
    texts = dict.fromkeys(("title", "description", "svg", "csv"), TEXT)
    RunFigure.objects.create(run=release.run, name="odd", png=bytes(range(256)), **texts)
    odd = make_project("stss131", "odd")
    Project.objects.filter(pk=odd.pk).update(title=TEXT)
    odd.items.create(key="i", position=1, sentence1=TEXT, sentence2="", extra={"numbers": NUMBERS, TEXT: None})
    make_user("member").user_permissions.add(Permission.objects.first())
    make_project("stss131", "deleted").delete()
    return release


def run(command: str, *arguments: object) -> str:
    """Run a management command, and return what it prints."""
    out = StringIO()
    call_command(command, *map(str, arguments), stdout=out, stderr=out)
    return out.getvalue()


@contextmanager
def another_installation(folder: Path, template: str = "") -> Iterator[None]:
    """Let this process work with an empty storage and an empty database, which is a copy of a migrated one if named."""
    before, name = connection.settings_dict["NAME"], f"{connection.settings_dict['NAME']}_{os.urandom(4).hex()}"
    if template:
        databases.copy(template, name)
    elif connection.vendor == "sqlite":
        Path(name).touch()
    else:
        with connection._nodb_cursor() as cursor:
            cursor.execute(f'CREATE DATABASE "{name}"')
    databases.connect_to(name)
    (folder / "files").mkdir(parents=True)
    try:
        with override_settings(MEDIA_ROOT=folder / "files", DATA_DIR=folder):
            yield
    finally:
        databases.connect_to(before)
        databases.drop(name)


def rows() -> dict[str, list[Any]]:
    """All rows of all tables as the database gives them."""
    with connection.cursor() as cursor:
        return {table: _rows(cursor, table) for table in sorted(connection.introspection.table_names(cursor))}


def _rows(cursor: Any, table: str) -> list[Any]:
    columns = "app, name" if table == "django_migrations" else "*"
    cursor.execute(f'SELECT {columns} FROM "{table}"')
    plain = ([bytes(cell) if isinstance(cell, memoryview) else cell for cell in row] for row in cursor.fetchall())
    return sorted(plain, key=str)


def objects() -> dict[str, list[Any]]:
    """All rows of all tables as Python values, the same on both databases."""
    models = apps.get_models(include_auto_created=True)
    return {model._meta.db_table: _objects(model) for model in models}


def _objects(model: Any) -> list[Any]:
    key = model._meta.pk.attname
    found = model._base_manager.values()
    return sorted(
        ({name: _plain(value) for name, value in row.items()} for row in found), key=lambda row: str(row[key])
    )


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value


def stored(folder: Path) -> dict[str, bytes]:
    """The files below a folder by their paths."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def new_number() -> int:
    """The number that the next project gets."""
    return Project.objects.create(key="next", title="Next", protocol_json={}).pk
