"""What the server decides from the headers of a request."""

import re

import pytest
from django.conf import settings

from config.serving.incoming import Incoming, NotTaken
from config.serving.limits import UPLOADS


@pytest.mark.parametrize("lines", ["", "X-Host: a\r\n", "Host: a\r\nhost: b\r\n"])
def test_a_request_of_http_1_1_names_one_host(lines):
    with pytest.raises(NotTaken) as refusal:
        Incoming(0).take(f"GET / HTTP/1.1\r\n{lines}\r\n".encode(), 0)
    assert refusal.value.args == (400,)


@pytest.mark.parametrize(
    "lines",
    [
        "Content-Length: 5\r\ncontent-length: 5\r\n",
        "Content-Length: 0000000000000005\r\n",
        "Content-Length: 5, 5\r\n",
        "Content-Length: +5\r\n",
        "Content-Length: 5\nX: y\r\n",
        "Content-Length :\r\n",
    ],
)
def test_a_request_has_one_length_that_nobody_reads_differently(lines):
    with pytest.raises(NotTaken) as refusal:
        Incoming(0).take(f"POST / HTTP/1.1\r\nHost: a\r\n{lines}\r\nabcde".encode(), 0)
    assert refusal.value.args == (400,)


@pytest.mark.parametrize(("version", "lines"), [("1.1", "Accept: */*\r\nHOST: a\r\n"), ("1.0", "")])
def test_other_requests_are_taken(version, lines):
    incoming = Incoming(0)
    incoming.take(f"GET / HTTP/{version}\r\n{lines}\r\n".encode(), 0)

    assert incoming.is_whole


def test_the_documented_proxy_lets_the_same_uploads_pass():
    proxy = (settings.BASE_DIR / "Caddyfile").read_text(encoding="utf-8")

    assert set(re.findall(r"path_regexp (\S+)", proxy)) == {f"^{UPLOADS.pattern}$"}
