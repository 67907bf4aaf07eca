"""What a backup of an installation in use restores: every row and every byte, as they were at one moment."""

import json
import stat
import tarfile
from threading import Event, Thread

import pytest
from django.conf import settings
from django.core.files.storage import default_storage
from django.core.management.base import CommandError
from django.db import connection, connections

from annotation.domain.participation.flow import Screen, where_now
from annotation.models import Assignment, AuditEntry, Judgment, Project
from config.backup.archive import HEADER, MANIFEST, ArchiveWriter, read_parts
from config.backup.versions import migrate_to
from scoring.models import Release, RunFigure
from tests.backup.installations import another_installation, in_use, new_number, rows, run, stored
from tests.factories import NOON, add_pairs, join, make_project, make_user, plan_round, rate_next, reread
from tests.releases.making import contents

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.postgres
def test_every_row_every_file_and_every_number_come_back(tmp_path):
    release, file = in_use(), tmp_path / "backup.tar.gz"
    files = contents(release)
    before, expected = rows(), new_number()
    Project.objects.get(key="next").delete()

    said = run("backup", file)
    with another_installation(tmp_path / "new"):
        answered = run("restore", file)

        assert {table: found for table, found in rows().items() if before[table] != found} == {}
        assert contents(Release.objects.get()) == files
        assert bytes(RunFigure.objects.get(name="odd").png) == bytes(range(256))
        assert new_number() == expected + 1
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert f"annotation_judgment: {len(before['annotation_judgment'])} rows" in said
    assert f"annotation_judgment: {len(before['annotation_judgment'])} rows" in answered


@pytest.mark.postgres
def test_the_log_is_guarded_after_it_was_restored(tmp_path, template):
    in_use()
    run("backup", tmp_path / "backup")
    with another_installation(tmp_path / "new", template):
        run("restore", tmp_path / "backup")
        with pytest.raises(Exception, match="neither changed nor deleted"):
            AuditEntry.objects.all()._raw_delete("default")


def test_a_backup_is_of_one_moment_while_somebody_answers(tmp_path, template):
    project = make_project("stss131", "busy")
    add_pairs(project, 500)
    plan_round(project=project, round_key="main", people=2)
    place, stop, begun = join(project, "main", make_user()), Event(), Event()

    def answer():
        try:
            while not stop.is_set() and isinstance(where_now(reread(place), NOON), Screen):
                rate_next(place)
                begun.set()
        finally:
            connections.close_all()

    thread = Thread(target=answer)
    thread.start()
    begun.wait(20)
    at_start = Judgment.objects.count()
    run("backup", tmp_path / "backup")
    stop.set()
    thread.join()
    at_end = Judgment.objects.count()

    with another_installation(tmp_path / "new", template):
        run("restore", tmp_path / "backup")
        judged, answered = Judgment.objects.count(), Assignment.objects.exclude(answered_at=None).count()
        assert at_start <= judged == answered < at_end


def test_an_installation_that_nobody_has_used_yet_may_have_been_migrated(tmp_path, template):
    in_use()
    before = rows()
    run("backup", tmp_path / "backup")
    with another_installation(tmp_path / "new", template):
        run("restore", tmp_path / "backup")
        assert {table: found for table, found in rows().items() if before[table] != found} == {}


@pytest.mark.postgres
def test_a_database_with_rows_is_left_alone(tmp_path):
    in_use()
    run("backup", tmp_path / "backup")
    before = rows()
    with pytest.raises(CommandError, match=r"not empty: it has rows in .*annotation_"):
        run("restore", tmp_path / "backup")
    assert rows() == before


@pytest.mark.thorough
def test_a_backup_of_an_older_version_is_migrated_on(tmp_path, template):
    with another_installation(tmp_path / "old"):
        migrate_to("default", [("annotation", "0018_judgments_set_aside")])
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO annotation_project (key, title, protocol_json, seed, language, guidelines, consent,"
                " created_at, requires_second_factor, draft)"
                " VALUES ('old', 'Old', '{}', 0, '', '', '', '2026-03-01 12:00:00', %s, %s)",
                [False, False],
            )
        run("backup", tmp_path / "backup")
    for name, migrated in (("new", ""), ("migrated", template)):
        with another_installation(tmp_path / name, migrated):
            run("restore", tmp_path / "backup")
            assert Project.objects.values_list("key", "authors").get() == ("old", "")
            assert "No planned migration operations" in run("migrate", "--plan")


def test_a_backup_of_a_newer_version_is_refused(tmp_path):
    in_use()
    run("backup", tmp_path / "backup")
    with (tmp_path / "backup").open("rb") as old, (tmp_path / "newer").open("wb") as new:
        archive = ArchiveWriter(new)
        for part in read_parts(old):
            content = json.loads(part.read()) if part.name.endswith(".json") else part.read()
            if part.name == HEADER:
                content["migrations"].append(["annotation", "9999_later"])
            if part.name == MANIFEST:
                archive.close(content)
            else:
                archive.add(part.name, json.dumps(content).encode() if isinstance(content, dict) else content)
    with another_installation(tmp_path / "new"):
        with pytest.raises(CommandError, match=r"this version lacks \(annotation\.9999_later\)"):
            run("restore", tmp_path / "newer")
        assert rows() == {}


def test_a_file_that_the_storage_has_lost_is_named(tmp_path, template):
    release = in_use()
    lost = release.files.first().file.name
    default_storage.delete(lost)

    assert f"The file {lost} is in the database, but not in the storage" in run("backup", tmp_path / "backup")
    with another_installation(tmp_path / "new", template):
        assert f"The file {lost} is in the database, but not in the backup" in run("restore", tmp_path / "backup")


def test_files_that_are_there_already_are_kept_if_they_are_the_same(tmp_path, template):
    release = in_use()
    name = release.files.first().file.name
    run("backup", tmp_path / "backup")
    kept = stored(settings.MEDIA_ROOT)
    with another_installation(tmp_path / "new", template):
        for path, content in kept.items():
            target = tmp_path / "new" / "files" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        (tmp_path / "new" / "files" / name).write_bytes(b"another")
        with pytest.raises(CommandError, match=f"already has a different file {name}"):
            run("restore", tmp_path / "backup")
        assert not Project.objects.exists()

        (tmp_path / "new" / "files" / name).write_bytes(kept[name])
        run("restore", tmp_path / "backup")
        assert stored(tmp_path / "new" / "files") == kept


def test_a_backup_can_be_read_with_tar(tmp_path):
    in_use()
    run("backup", tmp_path / "backup")
    with tarfile.open(tmp_path / "backup") as tar:
        names = tar.getnames()
        lines = tar.extractfile("tables/annotation_project/000001.jsonl").read().splitlines()
        columns = json.load(tar.extractfile("backup.json"))["columns"]["annotation_project"]
    assert (names[0], names[-1]) == ("backup.json", "manifest.json")
    assert {json.loads(line)[columns.index("key")] for line in lines} == {"pairs", "odd"}
