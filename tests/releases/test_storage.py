"""The same release in an S3-compatible store, through its real interface."""

import zipfile
from io import BytesIO

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from config.settings.parts import SPOOLED, storage
from scoring.api.archives import archive_of
from scoring.domain.releases.release_storage import copy_to
from scoring.exports.manifest import files_in
from scoring.models import Release
from tests.buckets import bucket_as_storage
from tests.releases.making import contents, released, run_of
from tests.releases.worlds import dscs


@pytest.fixture
def bucket(monkeypatch, settings):
    yield from bucket_as_storage(monkeypatch, settings)


def keys(client):
    return {entry["Key"] for entry in client.list_objects_v2(Bucket="files").get("Contents", [])}


def test_a_release_in_a_bucket(db, bucket, tmp_path, monkeypatch):
    project = dscs()
    run = run_of(project)

    release = released(project, run)

    assert release.state == "done", release.error
    place = f"semblance/releases/{project.key}/1/1/"
    files = contents(release)
    assert {key for key in keys(bucket) if "/releases/" in key} == {place + name for name in files}
    copy_to(release, tmp_path)
    assert {name: path.read_bytes() for name, path in files_in(tmp_path)} == files
    assert any(name.startswith("figures/") for name in files)
    written = bytes(archive_of(release, "all"))
    with zipfile.ZipFile(BytesIO(written)) as archive:
        together = {name.removeprefix("all/"): archive.read(name) for name in archive.namelist()}
    assert together == files


def test_a_large_file_of_a_bucket_is_read_from_disk(bucket):
    name = default_storage.save("large.csv", ContentFile(b"a" * (SPOOLED + 1)))
    with default_storage.open(name) as file:
        assert file.read(3) == b"aaa"
        assert file.file._rolled  # out of memory, says tempfile.SpooledTemporaryFile


def test_what_came_to_nothing_is_cleared_away_in_a_bucket(db, bucket, django_capture_on_commit_callbacks):
    project = dscs()
    run = run_of(project)
    from_before = default_storage.save(f"releases/{project.key}/1/0/judgments.csv", ContentFile(b"half of it"))
    with django_capture_on_commit_callbacks(execute=True):
        assert released(project, run).state == "done"
    assert f"semblance/{from_before}" not in keys(bucket)
    assert Release.objects.count() == 1


@pytest.mark.parametrize("url", ["ftp://host/files", "s3://", "files"])
def test_addresses_that_are_no_storage(url):
    with pytest.raises(ImproperlyConfigured, match="STORAGE_URL must be a URL such"):
        storage(url)


def test_without_an_address_files_stand_beside_the_database():
    assert storage("") == {"BACKEND": "django.core.files.storage.FileSystemStorage"}
