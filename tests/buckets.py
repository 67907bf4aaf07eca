"""An S3-compatible store for tests."""

from collections.abc import Iterator
from typing import Any
from urllib.request import urlopen

import boto3
import pytest
from django.core.files.storage import storages
from moto.server import ThreadedMotoServer

from config.settings.parts import storage
from scoring.models import ReleaseFile, Run


def bucket_as_storage(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[Any]:
    """Yield the client of a server of its own, with a bucket that the default storage writes to; for a fixture."""
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
