"""Triggers by which the database refuses to change entries of the security log, or to delete them before their time.

The account and the IP address may become empty, with an erased account. The number of a burst of refused requests grows
while it lasts. The triggers are made after every migration, as those of the audit log.
"""

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

from annotation.models.security import KEPT, SecurityKind
from annotation.models.triggers import create_triggers

TABLE = "annotation_securityevent"
DAYS = KEPT.days - 1  # the clocks of the database and of the task that deletes may differ
TRIGGERS = ("security_events_stay", "security_events_do_not_change")
REFUSED = "The security log is neither changed nor deleted."
CHANGED = f"""
    NEW.id <> OLD.id OR NEW.kind <> OLD.kind OR NEW.project_key <> OLD.project_key OR NEW.at <> OLD.at
    OR NEW.address NOT IN ('', OLD.address)
    OR (OLD.kind <> '{SecurityKind.REQUESTS_REFUSED.value}' AND (
        NEW.details <> OLD.details
        OR (NEW.user_id IS NOT NULL AND (OLD.user_id IS NULL OR NEW.user_id <> OLD.user_id))
    ))
"""
"""What is never allowed to an UPDATE, in the SQL of both databases."""


def guard_security_log(using: str = "default", **kwargs: Any) -> None:
    """Create the triggers; a receiver of `post_migrate`."""
    create_triggers(using, TABLE, sqlite=_sqlite, postgresql=_postgresql)


def _sqlite(connection: BaseDatabaseWrapper, cursor: Any) -> list[str]:
    refuse = f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END"
    stay, unchanged = TRIGGERS
    young = f"OLD.at >= datetime('now', '-{DAYS} days')"
    return [
        *(f"DROP TRIGGER IF EXISTS {name}" for name in TRIGGERS),
        f"CREATE TRIGGER {stay} BEFORE DELETE ON {TABLE} WHEN {young} {refuse}",
        f"CREATE TRIGGER {unchanged} BEFORE UPDATE ON {TABLE} WHEN {CHANGED} {refuse}",
    ]


def _postgresql(connection: BaseDatabaseWrapper, cursor: Any) -> list[str]:
    function = f"""
        CREATE OR REPLACE FUNCTION {TRIGGERS[0]}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'DELETE' THEN
                IF OLD.at < now() - interval '{DAYS} days' THEN
                    RETURN OLD;
                END IF;
            ELSIF NOT ({CHANGED}) THEN
                RETURN NEW;
            END IF;
            RAISE EXCEPTION '{REFUSED}' USING ERRCODE = 'integrity_constraint_violation';
        END $$
    """
    trigger = f"""
        CREATE TRIGGER {TRIGGERS[0]} BEFORE UPDATE OR DELETE ON {TABLE}
        FOR EACH ROW EXECUTE FUNCTION {TRIGGERS[0]}()
    """
    cursor.execute("SELECT 1 FROM pg_trigger WHERE tgname = %s AND tgrelid = %s::regclass", [TRIGGERS[0], TABLE])
    return [function] if cursor.fetchone() else [function, trigger]
