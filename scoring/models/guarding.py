"""Triggers by which the database refuses to change a registered plan.

They are made after every migration, not by one: SQLite drops a table's triggers whenever a migration rebuilds it. A
plan can still be deleted, together with its project; the audit log keeps its hash.
"""

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

from annotation.models.triggers import create_triggers

TABLE = "scoring_registration"
FIXED = ("number", "plan", "sha256", "registered_at")
TRIGGER = "registered_plans_do_not_change"
REFUSED = "A registered plan cannot be changed."


def guard_plans(using: str = "default", **kwargs: Any) -> None:
    """Create the trigger; a receiver of `post_migrate`."""
    create_triggers(using, TABLE, sqlite=_sqlite, postgresql=_postgresql)


def _sqlite(connection: BaseDatabaseWrapper, cursor: Any) -> list[str]:
    columns = ", ".join(f'"{name}"' for name in FIXED)
    return [
        f"DROP TRIGGER IF EXISTS {TRIGGER}",
        f"CREATE TRIGGER {TRIGGER} BEFORE UPDATE OF {columns} ON {TABLE} BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END",
    ]


def _postgresql(connection: BaseDatabaseWrapper, cursor: Any) -> list[str]:
    return [
        f"""
        CREATE OR REPLACE FUNCTION {TRIGGER}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION '{REFUSED}' USING ERRCODE = 'integrity_constraint_violation';
        END $$
        """,
        f"""
        CREATE OR REPLACE TRIGGER {TRIGGER} BEFORE UPDATE OF {", ".join(FIXED)} ON {TABLE}
        FOR EACH ROW EXECUTE FUNCTION {TRIGGER}()
        """,
    ]
