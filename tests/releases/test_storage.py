"""The same release in an S3-compatible store, through its real interface."""

import zipfile
from io import BytesIO
from urllib.request import urlopen

import boto3
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage, storages
from moto.server import ThreadedMotoServer

from config.settings.parts import SPOOLED, storage
from scoring.api.archives import entries_of
from scoring.api.zipping import zipped
from scoring.domain.releasing.shelf import copy_to
from scoring.exports.manifest import files_in
from scoring.models import Release, ReleaseFile, Run
from tests.releases.making import contents, released, run_of
from tests.releases.worlds import dscs


@pytest.fixture
def bucket(monkeypatch, settings):
    """A server of its own, with a bucket that the default storage writes to."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    urlopen(f"{address}/moto-api/reset", data=b"")  # its state outlives it in the process
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "for-tests")
    client = boto3.client("s3", endpoint_url=address, region_name="eu-central-1")
    client.create_bucket(Bucket="files", CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
    url = f"s3://files/semblance?endpoint_url={address}&region_name=eu-central-1"
    settings.STORAGES = {**settings.STORAGES, "default": storage(url)}
    fields = [Run._meta.get_field("snapshot"), ReleaseFile._meta.get_field("file")]
    for field in fields:
        monkeypatch.setattr(field, "storage", storages["default"])
    yield client
    server.stop()


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
    written = b"".join(zipped(entries_of(release, "all"), release.created_at))
    with zipfile.ZipFile(BytesIO(written)) as archive:
        together = {name.removeprefix("all/"): archive.read(name) for name in archive.namelist()}
    assert together == files


def test_a_large_file_of_a_bucket_is_read_from_disk(bucket):
    name = default_storage.save("large.csv", ContentFile(b"a" * (SPOOLED + 1)))
    with default_storage.open(name) as file:
        assert file.read(3) == b"aaa"
        assert file.file._rolled  # out of memory, says tempfile.SpooledTemporaryFile


def test_what_came_to_nothing_is_cleared_away_in_a_bucket(db, bucket):
    project = dscs()
    run = run_of(project)
    from_before = default_storage.save(f"releases/{project.key}/1/0/judgments.csv", ContentFile(b"half of it"))
    assert released(project, run).state == "done"
    assert f"semblance/{from_before}" not in keys(bucket)
    assert Release.objects.count() == 1


@pytest.mark.parametrize("url", ["ftp://host/files", "s3://", "files"])
def test_addresses_that_are_no_storage(url):
    with pytest.raises(ImproperlyConfigured, match="STORAGE_URL is an address such as s3"):
        storage(url)


def test_without_an_address_files_stand_beside_the_database():
    assert storage("") == {"BACKEND": "django.core.files.storage.FileSystemStorage"}
