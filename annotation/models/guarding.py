"""Triggers by which the database refuses to change or delete entries of the log.

A reference may become empty: of an erased account, or of a deleted project or place. The triggers are made after every
migration, not by one: SQLite drops a table's triggers whenever a migration rebuilds it.
"""

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

from annotation.models.triggers import create_triggers

TABLE = "annotation_auditentry"
REFERENCES = ("project_id", "participation_id", "actor_id")
TRIGGERS = ("audit_entries_stay", "audit_entries_do_not_change", "audit_references_only_end")
REFUSED = "The log is neither changed nor deleted."


def guard_log(using: str = "default", **kwargs: Any) -> None:
    """Create the missing triggers; a receiver of `post_migrate`."""
    create_triggers(using, TABLE, sqlite=_sqlite, postgresql=_postgresql)


def _sqlite(connection: BaseDatabaseWrapper, cursor: Any) -> list[str]:
    columns = [column.name for column in connection.introspection.get_table_description(cursor, TABLE)]
    fixed = ", ".join(f'"{name}"' for name in columns if name not in REFERENCES)
    moved = " OR ".join(f"(NEW.{name} IS NOT NULL AND NEW.{name} IS NOT OLD.{name})" for name in REFERENCES)
    refuse = f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END"
    stay, unchanged, ends = TRIGGERS
    return [
        *(f"DROP TRIGGER IF EXISTS {name}" for name in TRIGGERS),
        f"CREATE TRIGGER {stay} BEFORE DELETE ON {TABLE} {refuse}",
        f"CREATE TRIGGER {unchanged} BEFORE UPDATE OF {fixed} ON {TABLE} {refuse}",
        f"CREATE TRIGGER {ends} BEFORE UPDATE ON {TABLE} WHEN {moved} {refuse}",
    ]


def _postgresql(connection: BaseDatabaseWrapper, cursor: Any) -> list[str]:
    cursor.execute("SELECT 1 FROM pg_trigger WHERE tgname = %s AND tgrelid = %s::regclass", [TRIGGERS[0], TABLE])
    if cursor.fetchone():
        return []
    names = ", ".join(f"'{name}'" for name in REFERENCES)
    ended = " AND ".join(f"(NEW.{name} IS NULL OR NEW.{name} = OLD.{name})" for name in REFERENCES)
    return [
        f"""
        CREATE OR REPLACE FUNCTION {TRIGGERS[0]}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'UPDATE' THEN
                IF to_jsonb(NEW) - ARRAY[{names}] = to_jsonb(OLD) - ARRAY[{names}] AND {ended} THEN
                    RETURN NEW;
                END IF;
            END IF;
            RAISE EXCEPTION '{REFUSED}' USING ERRCODE = 'integrity_constraint_violation';
        END $$
        """,
        f"""
        CREATE TRIGGER {TRIGGERS[0]} BEFORE UPDATE OR DELETE ON {TABLE}
        FOR EACH ROW EXECUTE FUNCTION {TRIGGERS[0]}()
        """,
    ]
