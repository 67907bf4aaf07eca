"""An installation in use is upgraded across two versions: nothing is lost, and work continues."""

from typing import Any

import pytest
from django.apps import apps
from django.core.management.sql import emit_post_migrate_signal
from django.db import connection

from annotation.domain.participation.flow import Screen, where_now
from annotation.models import AuditEntry, Judgment, Participation, Project
from config.backup.versions import executor_for
from scoring.models import Release
from tests.backup.installations import another_installation, in_use, run
from tests.factories import NOON, add_pairs, join, make_project, make_user, plan_round, rate_next, reread
from tests.releases.making import contents, run_of
from tests.releases.worlds import dscs

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
VERSIONS = (
    [("scoring", "0008_jobs"), ("annotation", "0016_staff_are_superusers")],
    [("scoring", "0009_false_alarms"), ("annotation", "0020_refills_of_all_sessions")],
)
# What `migrate` itself writes, and adds to.
OWN_TABLES = {"django_migrations", "django_content_type", "auth_permission"}
Rows = list[dict[str, Any]]


def migrate_to(version: list[tuple[str, str]]) -> None:
    """Migrate to a version as `migrate` did then, whose squashed migrations ended earlier than those of today."""
    executor_for("default", version).migrate(version)
    emit_post_migrate_signal(0, False, "default")


def stored() -> dict[str, Rows]:
    """All rows by table, each with the columns that the table has now."""
    with connection.cursor() as cursor:
        return {table: _rows(cursor, table) for table in connection.introspection.table_names(cursor)}


def _rows(cursor: Any, table: str) -> Rows:
    cursor.execute(f'SELECT * FROM "{table}"')
    names = [column[0] for column in cursor.description]
    plain = ([bytes(cell) if isinstance(cell, memoryview) else cell for cell in row] for row in cursor.fetchall())
    return sorted((dict(zip(names, row, strict=True)) for row in plain), key=lambda row: str(next(iter(row.values()))))


def earlier(rows: Rows, columns: list[str]) -> Rows:
    return [{name: row[name] for name in columns} for row in rows]


def without_the_minimum(project: Project) -> None:
    """Store the protocol as the earliest of these versions did: its pools had no minimum of answers for leavers."""
    protocol = project.protocol_json
    pools = [pool for part in protocol["rounds"] for pool in part["design"].get("pools", [])]
    assert pools and all(pool.pop("screening_minimum") for pool in pools if pool["contradictions_above"] is not None)
    Project.objects.filter(pk=project.pk).update(protocol_json=protocol)


def begun() -> Participation:
    """Somebody in the middle of their round."""
    project = make_project("stss131", "begun")
    add_pairs(project, 6)
    plan_round(project=project, round_key="main", people=2)
    place = join(project, "main", make_user("half"))
    for _ in range(3):
        rate_next(place)
    return place


@pytest.mark.thorough
def test_two_versions_later_everything_is_there_and_goes_on(tmp_path, template):
    in_use()
    place, protocol = begun(), dscs().protocol_json
    run("backup", tmp_path / "backup")

    with another_installation(tmp_path / "new", template):
        run("restore", tmp_path / "backup")
        files = contents(Release.objects.get())
        without_the_minimum(Project.objects.get(key="pools"))
        migrate_to(VERSIONS[0])
        before = stored()
        assert "set_aside" not in before["annotation_judgment"][0]
        assert not {"annotation_pooleditem"} & set(before)

        migrate_to(VERSIONS[1])
        assert "set_aside" in stored()["annotation_judgment"][0]
        run("migrate", "--noinput")

        after = stored()
        assert Project.objects.get(key="pools").protocol_json == protocol
        for table, rows in before.items():
            columns = list(rows[0]) if rows else []
            if table in OWN_TABLES:
                assert len(after[table]) >= len(rows), table
            elif table == "annotation_project":
                columns.remove("protocol_json")
                assert earlier(after[table], columns) == earlier(rows, columns)
            else:
                assert earlier(after[table], columns) == rows, table
        assert [after[table] for table in set(after) - set(before)] == [[]] * len(set(after) - set(before))
        assert "No planned migration operations" in run("migrate", "--plan")
        for model in apps.get_models():
            list(model._base_manager.all()[:1])  # every table has the columns that the code reads

        assert contents(Release.objects.get()) == files
        judged = Judgment.objects.count()
        while isinstance(where_now(reread(place), NOON), Screen):
            rate_next(place)
        assert Judgment.objects.count() == judged + 3
        assert run_of(Project.objects.get(key="pairs")).results["overview"]
        with pytest.raises(Exception, match="neither changed nor deleted"):
            AuditEntry.objects.all()._raw_delete("default")
