"""Which migrations a database has, and the models as they were then.

A backup may name a squashed migration that later versions replaced by another one. Its name ends in the number of the
last migration that it stands for.
"""

import re
from collections.abc import Iterable
from typing import Any

from django.apps.registry import Apps
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from config.backup.errors import BackupError
from config.backup.tables import fields_of, models_of

Migration = tuple[str, str]
OWN = ("annotation_", "scoring_")
SQUASHED = re.compile(r"0001_squashed_(\d{4})")


def applied_to(alias: str) -> tuple[list[Migration], Apps | None]:
    """Return the migrations that a database has and the models as they are after them; none of an empty database."""
    loader = MigrationLoader(connections[alias])
    migrations = sorted(set(loader.graph.nodes) & set(loader.applied_migrations))
    return migrations, loader.project_state(migrations).apps if migrations else None


def guard_complete(apps: Apps, alias: str) -> None:
    """Raise BackupError if the database has tables or columns that these models do not have: they would be lost."""
    connection = connections[alias]
    models = {model._meta.db_table: model for model in models_of(apps)}
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        unknown = [table for table in tables if table.startswith(OWN) and table not in models]
        for table, model in models.items():
            known = {own.column for own in fields_of(model)}
            # Django's description of a table parses its SQL on SQLite, which takes a second for all tables.
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} LIMIT 0")
            found = {column[0] for column in cursor.description}
            unknown += [f"{table}.{column}" for column in sorted(found - known)]
    if unknown:
        raise BackupError(
            f"The database has tables or columns that this version of Semblance does not know ({', '.join(unknown)}). "
            "Create the backup with the version that last used the database."
        )


def guard_known(migrations: list[Migration], version: str) -> None:
    """Raise BackupError if a migration of a backup is not among those of this version."""
    known = MigrationLoader(None).disk_migrations
    unknown = single(migrations, known).difference(known)
    if unknown:
        names = ", ".join(".".join(one) for one in sorted(unknown))
        raise BackupError(
            f"The backup was made with Semblance {version}, which has migrations that this version lacks ({names}). "
            "Restore it with that version."
        )


def single(migrations: Iterable[Migration], known: Iterable[Migration]) -> set[Migration]:
    """Return the migrations with those that a squashed one stands for in its place."""
    found = set()
    for app, name in migrations:
        squashed = SQUASHED.fullmatch(name)
        last = squashed[1] if squashed else ""
        parts = {one for one in known if one[0] == app and one[1][:4] <= last and not SQUASHED.fullmatch(one[1])}
        found |= parts if any(one[1].startswith(last) for one in parts) else {(app, name)}
    return found


def migrate_to(alias: str, migrations: list[Migration]) -> Apps:
    """Migrate an empty database to just these migrations, and return the models as they are then.

    A database that has others as well loses its tables first, since not every migration can be undone.
    """
    executor = executor_for(alias, migrations)
    known = executor.loader.disk_migrations
    wanted = single(migrations, known)
    there, apps = applied_to(alias)
    if apps and not single(there, known) <= wanted:
        _drop_tables(alias, apps)
        executor = executor_for(alias, migrations)
    nodes = {key: node for key, node in executor.loader.graph.node_map.items() if single([key], known) <= wanted}
    executor.migrate([key for key, node in nodes.items() if not any(child.key in nodes for child in node.children)])
    return executor.loader.project_state(list(nodes)).apps


def executor_for(alias: str, migrations: Iterable[Migration]) -> MigrationExecutor:
    """Return Django's executor, which uses a squashed migration only where all that it replaces are wanted."""
    executor = MigrationExecutor(connections[alias])
    loader = executor.loader = MigrationLoader(connections[alias], replace_migrations=False)
    wanted = single(migrations, loader.disk_migrations)
    for key, squashed in loader.replacements.items():
        if wanted.issuperset(squashed.replaces):
            loader.graph.remove_replaced_nodes(key, squashed.replaces)
        else:
            loader.graph.remove_replacement_node(key, squashed.replaces)
    return executor


def _drop_tables(alias: str, apps: Apps) -> None:
    connection = connections[alias]
    tables = [model._meta.db_table for model in models_of(apps)]
    with connection.schema_editor() as editor:
        for table in (*tables, "django_migrations"):
            editor.execute(editor.sql_delete_table % {"table": connection.ops.quote_name(table)})


def as_json(migrations: list[Migration]) -> list[list[str]]:
    return [list(one) for one in migrations]


def from_json(listed: Any) -> list[Migration]:
    return [(app, name) for app, name in listed]
