"""What the server decides from the headers of a request."""

import pytest

from config.serving.incoming import Incoming, NotTaken


@pytest.mark.parametrize("lines", ["", "X-Host: a\r\n", "Host: a\r\nhost: b\r\n"])
def test_a_request_of_http_1_1_names_one_host(lines):
    with pytest.raises(NotTaken) as refusal:
        Incoming(0).take(f"GET / HTTP/1.1\r\n{lines}\r\n".encode(), 0)
    assert refusal.value.args == (400,)


@pytest.mark.parametrize(("version", "lines"), [("1.1", "Accept: */*\r\nHOST: a\r\n"), ("1.0", "")])
def test_other_requests_are_taken(version, lines):
    incoming = Incoming(0)
    incoming.take(f"GET / HTTP/{version}\r\n{lines}\r\n".encode(), 0)

    assert incoming.is_whole
