"""The embedded mode, by its commands: the secret key, standard input and output, a server that runs, and the move."""

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from django.core.management.base import CommandError
from django.db import connection

from annotation.management.commands.serve import alone_in
from annotation.models import Project
from scoring.models import Release
from tests.backup.installations import NUMBERS, another_installation, in_use, objects, rows, run
from tests.buckets import bucket_as_storage
from tests.config.surroundings import ROOT, clean_environment
from tests.releases.making import contents


def manage(folder, *arguments, stdin=None):
    command = [sys.executable, "manage.py", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, env=clean_environment(DATA_DIR=folder), input=stdin, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def begin(folder, template):
    """Make an embedded installation with an empty database, migrated here where the tests' own is of another kind."""
    if connection.vendor == "sqlite":
        folder.mkdir()
        shutil.copy(template, folder / "semblance.sqlite3")
    else:
        manage(folder, "migrate", "--noinput")


def secret_of(folder):
    return (folder / "secret_key").read_text()


@pytest.mark.thorough
def test_a_backup_goes_through_a_pipe_and_brings_the_secret_key(tmp_path, template):
    old, new = tmp_path / "old", tmp_path / "new"
    begin(old, template)

    backup = manage(old, "backup", "-")
    said = manage(new, "restore", "-", stdin=backup).decode()

    assert secret_of(new) == secret_of(old)
    assert (new / "secret_key").stat().st_mode & 0o077 == 0
    assert "Restored" in said
    tables = "SELECT name FROM sqlite_master WHERE type IN ('table', 'trigger') ORDER BY name"
    with closing(sqlite3.connect(old / "semblance.sqlite3")) as one:
        expected = one.execute(tables).fetchall()
    with closing(sqlite3.connect(new / "semblance.sqlite3")) as other:
        assert other.execute(tables).fetchall() == expected


@pytest.mark.django_db(transaction=True)
def test_nothing_is_restored_where_a_server_runs(tmp_path):
    with another_installation(tmp_path / "new"):
        with alone_in(tmp_path / "new"), pytest.raises(CommandError, match="already running with the data"):
            run("restore", tmp_path / "backup")
        assert rows() == {}


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_an_embedded_installation_moves_with_all_rows_and_files(tmp_path, template):
    """The embedded installation comes from a backup, so on PostgreSQL this goes there and back."""
    release, folder = in_use(), tmp_path / "embedded"
    files, before = contents(release), objects()
    run("backup", tmp_path / "backup")
    manage(folder, "restore", tmp_path / "backup")
    unchanged = (folder / "semblance.sqlite3").read_bytes()

    with another_installation(tmp_path / "new", template):
        said = run("move", "--from", folder)

        assert {table: found for table, found in objects().items() if before[table] != found} == {}
        assert contents(Release.objects.get()) == files
    assert f"annotation_judgment: {len(before['annotation_judgment'])} rows, SHA-256" in said
    assert "SECRET_KEY is set" in said
    assert (folder / "semblance.sqlite3").read_bytes() == unchanged
    assert not [path for path in (tmp_path / "new").iterdir() if path.name not in ("files", "serve.lock")]


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_files_in_a_bucket_are_backed_up_and_restored_or_left_in_it(tmp_path, template, monkeypatch, settings):
    for client in bucket_as_storage(monkeypatch, settings):
        release = in_use()
        files, names = contents(release), names_in(client)
        run("backup", tmp_path / "backup")
        for kept in (names[1:], []):
            for name in set(names) - set(kept):
                client.delete_object(Bucket="files", Key=name)
            with another_installation(tmp_path / str(len(kept)), template):
                run("restore", tmp_path / "backup")
                assert contents(Release.objects.get()) == files
            assert names_in(client) == names


def names_in(client):
    return [entry["Key"] for entry in client.list_objects_v2(Bucket="files").get("Contents", [])]


@pytest.mark.thorough
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_numbers_that_postgresql_writes_differently_move(tmp_path, template):
    folder = tmp_path / "embedded"
    begin(folder, template)
    with closing(sqlite3.connect(folder / "semblance.sqlite3")) as database, database:
        columns = "key, title, seed, language, authors, contact, url, guidelines, consent, created_at"
        columns += ", pay, contact_person, contact_address, ethics_approval"
        database.execute(
            f"INSERT INTO annotation_project ({columns}, requires_second_factor, draft, layout, protocol_json)"
            " VALUES ('one', '', 0, '', '', '', '', '', '', '2026-03-01 12:00:00', '', '', '', '', 0, 0, 0, ?)",
            [json.dumps(NUMBERS)],
        )

    with another_installation(tmp_path / "new", template):
        run("move", "--from", f"sqlite:///{folder}/semblance.sqlite3")
        moved = Project.objects.get().protocol_json

    assert {name: float(moved[name]) for name in NUMBERS if name != "b"} == {
        name: float(number) for name, number in NUMBERS.items() if name != "b"
    }


@pytest.mark.django_db(transaction=True)
def test_a_move_needs_a_database_that_no_server_uses(tmp_path):
    with pytest.raises(CommandError, match="no SQLite database"):
        run("move", "--from", tmp_path)
    (tmp_path / "semblance.sqlite3").touch()
    with alone_in(tmp_path), pytest.raises(CommandError, match="already running with the data"):
        run("move", "--from", tmp_path)
    with pytest.raises(CommandError, match=r"Nothing was moved\. The database is empty"):
        run("move", "--from", tmp_path)
