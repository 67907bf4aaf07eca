"""The test database: migrated once in a run, copied for each worker, emptied after a test that commits."""

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from annotation.models.guarding import TABLE as LOG
from annotation.models.guarding import TRIGGERS, guard_log
from annotation.models.guarding_security import TABLE as SECURITY_LOG
from annotation.models.guarding_security import TRIGGERS as SECURITY_TRIGGERS
from annotation.models.guarding_security import guard_security_log

USERS = "users-of-the-template"
LOGS = {LOG: (TRIGGERS, guard_log), SECURITY_LOG: (SECURITY_TRIGGERS, guard_security_log)}
FILLED_BY_MIGRATIONS = {"django_migrations", "django_content_type", "auth_permission"}


@contextmanager
def template(folder: Path) -> Iterator[str]:
    """Give the name of a migrated database; of the processes that share the folder, the last drops it."""
    name = template_name(folder)
    users = folder / USERS
    users.mkdir(exist_ok=True)
    mark = users / str(os.getpid())
    with alone(folder):
        if not any(users.iterdir()):
            create(name)
        mark.touch()
    yield name
    with alone(folder):
        mark.unlink()
        if not any(users.iterdir()):
            drop(name)


def template_name(folder: Path) -> str:
    if connection.vendor == "sqlite":
        return str(folder / "migrated.sqlite3")
    return f"{connection.settings_dict['NAME']}_{folder.name}"


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold a lock that one process has at a time."""
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def create(name: str) -> None:
    before, test = connection.settings_dict["NAME"], connection.settings_dict["TEST"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(test, "NAME", name)
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    connect_to(before)


def copy_for_tests(source: str) -> None:
    """Copy the migrated database to the one of this process, and connect to it."""
    name = connection.creation._get_test_db_name()
    copy(source, name)
    connect_to(name)


def copy(source: str, name: str) -> None:
    if connection.vendor == "sqlite":
        shutil.copy(source, name)
        return
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}"')
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{source}"')


def connect_to(name: str) -> None:
    connection.close()
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name


def drop(name: str) -> None:
    if connection.vendor == "sqlite":
        Path(name).unlink()
        return
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'DROP DATABASE "{name}"')


@contextmanager
def kept(blocker: DjangoDbBlocker) -> Iterator[None]:
    """Keep what a fixture makes until the fixture ends: all of it is one transaction, each test a savepoint in it."""
    with blocker.unblock(), transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)


def empty_tables() -> None:
    """Delete every row except what the migrations left.

    Most tables are empty, and a look into each costs far less than Django's flush, which truncates all of them
    and then makes content types and permissions again.
    """
    assert not connection.in_atomic_block, "A test that commits cannot be in a module that keeps its data."
    with connection.constraint_checks_disabled(), transaction.atomic():
        for table in filled_tables():
            delete_log(table, *LOGS[table]) if table in LOGS else execute(f"DELETE FROM {table}")


def filled_tables() -> list[str]:
    """The names of the tables that hold rows; the logs come first, because TRUNCATE wants no deletions before it."""
    with connection.cursor() as cursor:
        looks = [f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {table})" for table in tables()]
        cursor.execute(" UNION ALL ".join(looks))
        return sorted((table for (table,) in cursor.fetchall()), key=lambda table: table not in LOGS)


@cache
def tables() -> list[str]:
    return sorted(set(connection.introspection.django_table_names(only_existing=True)) - FILLED_BY_MIGRATIONS)


def delete_log(table: str, triggers: Sequence[str], guard: Callable[[], None]) -> None:
    """The triggers of a log refuse that its entries are deleted. TRUNCATE passes by them; SQLite does not have it."""
    if connection.vendor == "postgresql":
        execute(f"TRUNCATE {table}")
        return
    for name in triggers:
        execute(f"DROP TRIGGER {name}")
    execute(f"DELETE FROM {table}")
    guard()


def execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
