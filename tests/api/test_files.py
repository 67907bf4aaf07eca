"""Downloads of a release's files: whole, in part, gone on with, checked."""

from base64 import b64decode
from hashlib import sha256

import pytest

from scoring.api.ranges import Unsatisfiable, wanted_range
from scoring.models import Release, State
from tests.api.worlds import Caller, caller_of, done_release, member
from tests.factories import make_project

CONTENT = bytes(range(256)) * 3000  # more than one chunk
SIZE = len(CONTENT)
ETAG = f'"{sha256(CONTENT).hexdigest()}"'
OTHER = f'"{"0" * 64}"'
URL = "/api/v1/projects/project/releases/1/files/scores.csv"


@pytest.fixture
def caller(db) -> Caller:
    project = make_project()
    done_release(project, content=CONTENT)
    return caller_of(member(project, "researcher"), scope="read")


def body(answer) -> bytes:
    return b"".join(answer)


def test_whole_file_comes_with_its_checksum(caller):
    (told,) = caller.get("/api/v1/projects/project/releases/1/").json()["files"]
    answer = caller.get(told["url"])
    assert body(answer) == CONTENT
    assert (answer.status_code, answer["ETag"], answer["Content-Type"]) == (200, ETAG, "text/csv")
    assert (answer["Content-Length"], answer["Accept-Ranges"]) == (str(SIZE), "bytes")
    assert answer["Content-Disposition"] == 'attachment; filename="scores.csv"'
    digest = answer["Repr-Digest"].removeprefix("sha-256=:").removesuffix(":")
    assert b64decode(digest).hex() == told["sha256"] == sha256(CONTENT).hexdigest()


def test_head_tells_the_same_and_sends_nothing(caller):
    whole, head = caller.get(URL), caller.head(URL)
    assert {**head.headers, "X-Request-ID": ""} == {**whole.headers, "X-Request-ID": ""}
    assert head.content == b""


@pytest.mark.parametrize("accept", ["text/csv", "application/json", "application/octet-stream", "*/*"])
def test_file_comes_whatever_is_accepted(caller, accept):
    assert body(caller.get(URL, headers={"Accept": accept})) == CONTENT


def test_broken_download_is_gone_on_with(caller):
    start = body(caller.get(URL, headers={"Range": "bytes=0-99999"}))
    rest = caller.get(URL, headers={"Range": f"bytes={len(start)}-", "If-Range": ETAG})
    assert (rest.status_code, rest["Content-Range"]) == (206, f"bytes 100000-{SIZE - 1}/{SIZE}")
    assert start + body(rest) == CONTENT


@pytest.mark.parametrize(
    ("header", "start", "end"),
    [("bytes=0-0", 0, 1), ("bytes=5-", 5, SIZE), ("bytes=-3", SIZE - 3, SIZE), (f"bytes=7-{SIZE * 9}", 7, SIZE)],
)
def test_part_is_sent(caller, header, start, end):
    answer = caller.get(URL, headers={"Range": header})
    assert (answer.status_code, body(answer)) == (206, CONTENT[start:end])
    assert (answer["Content-Length"], answer["ETag"]) == (str(end - start), ETAG)


@pytest.mark.parametrize("header", ["bytes=0-1,5-6", "bytes=9-2", "lines=1-2", "bytes=x", "bytes=-"])
def test_what_is_no_single_range_brings_the_whole(caller, header):
    answer = caller.get(URL, headers={"Range": header})
    assert (answer.status_code, body(answer)) == (200, CONTENT)


@pytest.mark.parametrize("header", [f"bytes={SIZE}-", "bytes=-0"])
def test_range_beyond_the_end_is_refused(caller, header):
    answer = caller.get(URL, headers={"Range": header})
    assert (answer.status_code, answer["Content-Range"]) == (416, f"bytes */{SIZE}")
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"If-Range": OTHER, "Range": "bytes=1-2"}, 200),
        ({"If-Range": f"W/{ETAG}", "Range": "bytes=1-2"}, 200),
        ({"If-None-Match": ETAG}, 304),
        ({"If-None-Match": f"{OTHER}, W/{ETAG}"}, 304),
        ({"If-None-Match": "*"}, 304),
        ({"If-None-Match": OTHER}, 200),
        ({"If-None-Match": OTHER, "If-Range": ETAG, "Range": "bytes=1-2"}, 206),
        ({"If-None-Match": ETAG, "Range": "bytes=1-2"}, 304),
        ({"If-Match": ETAG}, 200),
        ({"If-Match": f"{OTHER}, {ETAG}"}, 200),
        ({"If-Match": "*"}, 200),
        ({"If-Match": f"W/{ETAG}"}, 412),  # a weak one says nothing of the bytes: RFC 9110, section 13.1.1
        ({"If-Match": OTHER}, 412),
    ],
)
def test_conditions_are_kept(caller, headers, status):
    answer = caller.get(URL, headers=headers)
    assert answer.status_code == status
    assert status != 200 or body(answer) == CONTENT
    assert status != 412 or answer["Content-Type"] == "application/problem+json"
    assert status == 412 or (answer["ETag"], "Repr-Digest" in answer) == (ETAG, True)


def test_file_that_is_not_there(caller):
    for name in ("none.csv", "../scores.csv", "scores.csv/", "%00", "a%0Ab"):
        assert caller.get(URL.replace("scores.csv", name)).status_code == 404


def test_file_of_a_release_that_is_not_done_is_not_there(caller):
    Release.objects.update(state=State.RUNNING)
    assert caller.get(URL).status_code == 404


def test_range_of_an_empty_file():
    assert wanted_range(None, 0) is None
    with pytest.raises(Unsatisfiable):
        wanted_range("bytes=0-", 0)
