"""All files of a release as one archive."""

import zipfile
from datetime import UTC, datetime
from hashlib import sha256
from io import BytesIO

import pytest
from django.core.files.base import ContentFile
from zipstream import ng

from scoring.api.archives import DatedZip
from scoring.api.files import CHUNK
from scoring.models import Release, Run, State
from tests.api.worlds import Caller, caller_of, done_release, member
from tests.factories import make_project

URL = "/api/v1/projects/project/releases/1/files.zip"
CONTENT = bytes(range(256)) * 3000  # more than one chunk
FIGURE = b"<svg/>"
AS_OF = datetime(2026, 3, 1, 23, 30, 15, tzinfo=UTC)


@pytest.fixture
def caller(db) -> Caller:
    """A researcher; the release has a file in a folder, too."""
    project = make_project()
    release = done_release(project, content=CONTENT)
    Release.objects.filter(pk=release.pk).update(state=State.RUNNING)
    stored = {"file": ContentFile(FIGURE, name="a.svg"), "sha256": sha256(FIGURE).hexdigest(), "size": len(FIGURE)}
    release.files.create(name="figures/a.svg", media_type="image/svg+xml", **stored)
    Release.objects.filter(pk=release.pk).update(state=State.DONE)
    Run.objects.update(as_of=AS_OF)
    return caller_of(member(project, "researcher"), scope="read")


def test_the_archive_holds_every_file(caller):
    answer = caller.get(URL)
    pieces = list(answer)

    with zipfile.ZipFile(BytesIO(b"".join(pieces))) as archive:
        assert archive.testzip() is None
        found = {one.filename: (archive.read(one), one.date_time) for one in archive.infolist()}
    time = (2026, 3, 1, 23, 30, 14)  # to two seconds, as the format has it
    folder = "project-release-1"
    assert found == {f"{folder}/figures/a.svg": (FIGURE, time), f"{folder}/scores.csv": (CONTENT, time)}
    assert max(map(len, pieces)) < CHUNK + 1000  # no file as a whole
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    assert answer["Content-Length"] == str(sum(map(len, pieces)))
    assert answer["Content-Disposition"] == 'attachment; filename="project-release-1.zip"'
    assert (answer["Cache-Control"], answer["X-Content-Type-Options"]) == ("private, no-cache", "nosniff")


def test_the_archive_is_the_same_every_time(caller):
    first, second = caller.get(URL), caller.get(URL)
    assert b"".join(first) == b"".join(second)


def test_head_tells_the_same_and_sends_nothing(caller):
    whole, head = caller.get(URL), caller.head(URL)
    assert {**head.headers, "X-Request-ID": ""} == {**whole.headers, "X-Request-ID": ""}
    assert head.content == b""


def test_what_is_at_hand_is_not_sent_again(caller):
    etag = caller.get(URL)["ETag"]
    assert caller.get(URL, headers={"If-None-Match": etag}).status_code == 304
    assert caller.get(URL, headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize("state", ["waiting", "running", "failed"])
def test_a_release_that_is_not_done_has_no_archive(caller, state):
    Release.objects.update(state=state)
    assert caller.get(URL).status_code == 404


def archive_with(contents: dict[str, bytes]) -> DatedZip:
    archive = DatedZip(AS_OF)
    for name, content in contents.items():
        archive.add(iter([content]), name, size=len(content))
    return archive


@pytest.mark.parametrize("limit", [1, 100, 399, 400, 700, 2**31])
def test_the_length_is_known_before_for_large_archives_too(monkeypatch, limit):
    """The format changes where 32 bits do not reach; here that is much earlier."""
    monkeypatch.setattr(ng, "ZIP64_LIMIT", limit)
    contents = {"a.csv": b"a" * 400, "šířka.csv": b"", "figures/b.svg": b"b" * 300}

    archive = archive_with(contents)
    length, written = len(archive), bytes(archive)

    assert len(written) == length
    with zipfile.ZipFile(BytesIO(written)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == contents


@pytest.mark.parametrize("number", [0, 1, 3])
def test_the_length_is_known_before_of_few_files_and_of_none(number):
    archive = archive_with({f"{name}.csv": b"a,b" for name in range(number)})
    length = len(archive)
    assert len(bytes(archive)) == length
