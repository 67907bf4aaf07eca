"""A backup that is damaged, locked or too large for its disk: a clear error, and nothing half written or restored."""

import gzip
import os
import resource
import shutil
import stat
import sys
import zlib
from contextlib import contextmanager
from io import BytesIO

import pyrage
import pytest
from django.core.files.storage import default_storage
from django.core.management.base import CommandError
from django.db import connection

from annotation.models import Project
from config.backup.archive import Part
from config.backup.errors import BackupError
from config.backup.restoring import _save
from scoring.models import Release
from tests.backup.installations import another_installation, in_use, rows, run, stored
from tests.factories import add_pairs, make_project
from tests.releases.making import contents

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def key() -> pyrage.x25519.Identity:
    return pyrage.x25519.Identity.generate()


@pytest.fixture
def identity(key, tmp_path):
    path = tmp_path / "identity.txt"
    path.write_text(f"# created: 2026-03-01\n# public key: {key.to_public()}\n{key}\n")
    return path


@pytest.fixture
def small():
    """A project whose rows do not compress well."""
    project = make_project("stss131", "small")
    items = add_pairs(project, 200)
    for item in items:
        item.sentence1 = os.urandom(300).hex()
    type(items[0]).objects.bulk_update(items, ["sentence1"])
    return project


@pytest.mark.parametrize("name", ["../../outside", "/tmp/outside", "a/../../../outside"])
def test_a_file_is_not_restored_outside_of_the_storage(name):
    with pytest.raises(BackupError, match="outside"):
        _save(default_storage, Part(f"files/{name}", BytesIO(b"x")), {}, [])


def refused(tmp_path, template, file, *arguments, match):
    """A restore that fails for this reason and leaves no row and no file."""
    folder = tmp_path / os.urandom(4).hex()
    with another_installation(folder, template):
        before = rows()
        with pytest.raises(CommandError, match=match) as caught:
            run("restore", file, *arguments)
        assert rows() == before
        assert stored(folder / "files") == {}
    assert str(caught.value).startswith("Nothing was restored. ")


@pytest.mark.parametrize("encrypted", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_a_changed_bit_and_a_missing_end_are_found_before_anything_is_restored(
    tmp_path, template, key, identity, encrypted
):
    in_use()
    file, damaged = tmp_path / "backup", tmp_path / "damaged"
    run("backup", file, *(["--recipient", key.to_public()] if encrypted else []))
    whole = file.read_bytes()
    for place in (len(whole) // 3, len(whole) // 2, len(whole) - 5):
        write_with_a_changed_bit(damaged, file, place)
        refused(tmp_path, template, damaged, "--identity", identity, match="damaged or incomplete")
    for length in (len(whole) // 2, len(whole) - 1):
        damaged.write_bytes(whole[:length])
        refused(tmp_path, template, damaged, "--identity", identity, match="damaged or incomplete")


def write_with_a_changed_bit(damaged, file, start):
    """The first one from this place on that is not without a meaning."""
    whole = file.read_bytes()
    for place in range(start, len(whole)):
        damaged.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        if not is_unpacked_to_the_same(damaged, file):
            return


def is_unpacked_to_the_same(damaged, file):
    """Some bits of gzip mean nothing, such as its time, or the code of a character that does not occur."""
    try:
        return gzip.decompress(damaged.read_bytes()) == gzip.decompress(file.read_bytes())
    except (EOFError, OSError, zlib.error):
        return False


@pytest.mark.parametrize("encrypted", [False, True])
def test_no_changed_byte_gets_past_the_first_reading(tmp_path, small, key, identity, encrypted):
    """Where the backup is whole, the restore gets as far as to find rows in the database."""
    file, damaged = tmp_path / "backup", tmp_path / "damaged"
    run("backup", file, *(["--recipient", key.to_public()] if encrypted else []))
    whole = file.read_bytes()
    with pytest.raises(CommandError, match="not empty"):
        run("restore", file, "--identity", identity)
    for place in sorted({*range(0, 400, 13), *range(400, len(whole), len(whole) // 50), len(whole) - 1}):
        damaged.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        if not encrypted and is_unpacked_to_the_same(damaged, file):
            continue
        with pytest.raises(CommandError, match=r"damaged|not a Semblance backup"):
            run("restore", damaged, "--identity", identity)


def test_a_column_that_this_version_does_not_know_is_not_lost_in_silence(tmp_path, template):
    with another_installation(tmp_path / "newer", template):
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE annotation_item ADD COLUMN later integer")
            cursor.execute("CREATE TABLE scoring_later (id integer)")
        with pytest.raises(CommandError, match=r"\(scoring_later, annotation_item\.later\)"):
            run("backup", tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


def test_an_encrypted_backup_opens_with_its_key_only(tmp_path, template, key, identity):
    release, file = in_use(), tmp_path / "backup.age"
    files = contents(release)
    other = tmp_path / "other.txt"
    other.write_text(str(pyrage.x25519.Identity.generate()))

    run("backup", file, "--recipient", pyrage.x25519.Identity.generate().to_public(), "--recipient", key.to_public())

    assert file.read_bytes().startswith(b"age-encryption.org/v1\n")
    assert pyrage.decrypt(file.read_bytes(), [key]).startswith(b"\x1f\x8b")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    refused(tmp_path, template, file, match="is encrypted")
    refused(tmp_path, template, file, "--identity", other, match="does not match this backup")
    refused(tmp_path, template, file, "--identity", tmp_path / "none", match="none cannot be read")
    refused(tmp_path, template, file, "--identity", file, match="cannot be read|not an age key")
    with another_installation(tmp_path / "new", template):
        run("restore", file, "--identity", identity)
        assert contents(Release.objects.get()) == files


def test_a_key_that_is_none_is_refused_before_a_file_is_made(tmp_path, small):
    with pytest.raises(CommandError, match="“age1xyz” is not a public age key"):
        run("backup", tmp_path / "backup", "--recipient", "age1xyz")
    assert list(tmp_path.iterdir()) == []


def test_another_file_is_not_taken_for_a_backup(tmp_path, template):
    (tmp_path / "text").write_text("id,text\n1,one\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_text("one")
    archive = shutil.make_archive(str(tmp_path / "other"), "gztar", tmp_path / "folder")
    for path in (tmp_path / "text", archive):
        refused(tmp_path, template, path, match="not a Semblance backup")
    refused(tmp_path, template, tmp_path / "absent", match="No such file")


@contextmanager
def files_of_at_most(size, monkeypatch):
    """A limit on the size of files, which is met like the end of a disk; bytecode must not be cut off by it."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("encrypted", [False, True])
def test_a_full_disk_leaves_the_earlier_backup(tmp_path, small, key, encrypted, monkeypatch):
    file = tmp_path / "backup"
    file.write_text("an earlier backup")
    wanted = ["--recipient", key.to_public()] if encrypted else []
    with files_of_at_most(20_000, monkeypatch), pytest.raises(CommandError, match=r"written: .*File too large"):
        run("backup", file, *wanted)
    assert file.read_text() == "an earlier backup"
    assert not list(tmp_path.glob("*.draft"))


def test_a_database_that_refuses_a_row_keeps_none(tmp_path, template, small):
    """A check of the target, of which the source knows nothing."""
    run("backup", tmp_path / "backup")
    with another_installation(tmp_path / "new", template):
        with connection.cursor() as cursor:
            cursor.execute("CREATE UNIQUE INDEX one_project_a_seed ON annotation_item (project_id)")
        before = rows()
        with pytest.raises(CommandError, match="rejected rows of annotation_item"):
            run("restore", tmp_path / "backup")
        assert rows() == before
        assert not Project.objects.exists()
