"""Attacks on the web server by people who send slowly, or too much: everybody else is served all the while."""

import socket
import time
from contextlib import ExitStack, closing

import pytest

from tests.operation.servers import Server
from tests.views.sending import client_of

pytestmark = pytest.mark.slow
THREADS = 4
PAGE = "/account/login/"


@pytest.fixture(scope="module")
def server(template, tmp_path_factory):
    one = Server(tmp_path_factory.mktemp("server"), template)
    one.start_web(workers=1)
    yield one
    one.stop()


def begun(server, *lines, body=b"", path=PAGE, method="POST"):
    """A connection on which a request has begun."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    head = [f"{method} {path} HTTP/1.1", "Host: localhost", *lines]
    connection.sendall("\r\n".join(head).encode() + body)
    return connection


def answer_of(connection):
    """All that comes on a connection until the server closes it, or has said what was asked for."""
    said = b""
    while b"\r\n\r\n" not in said and (more := connection.recv(65536)):
        said += more
    return said.decode()


def serves(server):
    began = time.monotonic()
    status = server.get(PAGE)[0]
    return status == 200 and time.monotonic() - began < 5


@pytest.mark.parametrize(
    ("lines", "body"),
    [
        (["Content-Length: 1000"], b"\r\n\r\nx"),
        (["X-Header: "], b"x"),
        ([], b""),
        (["Content-Length: 900000"], b"\r\n\r\n" + b"x" * 500_000),
    ],
    ids=["one byte of a body", "half of the headers", "half of the first line", "half of a long body"],
)
def test_slow_requests_keep_nobody_waiting(server, lines, body):
    with ExitStack() as stack:
        for _ in range(10 * THREADS):
            stack.enter_context(closing(begun(server, *lines, body=body)))

        assert [serves(server) for _ in range(3)] == [True] * 3


def test_answers_that_nobody_takes_keep_nobody_waiting_for_their_end(server):
    with ExitStack() as stack:
        for _ in range(10 * THREADS):
            stack.enter_context(closing(begun(server, "Connection: close", body=b"\r\n\r\n", method="GET")))

        assert [serves(server) for _ in range(3)] == [True] * 3


@pytest.mark.parametrize(
    ("path", "lines", "status"),
    [
        (PAGE, ["Content-Length: 300000000"], 413),
        ("/projects/new/file/", ["Content-Length: 2000000"], 413),
        ("/projects/new/file/", ["Content-Length: 300000000", "Cookie: a=b; sessionid=forged"], 413),
        (PAGE, ["Content-Length: 12000000", "Cookie: sessionid=forged"], 413),
        (PAGE, ["Transfer-Encoding: chunked"], 411),
        (PAGE, ["X-Long: " + "x" * 70_000], 431),
    ],
)
def test_a_request_that_is_too_large_is_refused_before_its_body(server, path, lines, status):
    with closing(begun(server, *lines, body=b"\r\n\r\n", path=path)) as connection:
        assert answer_of(connection).startswith(f"HTTP/1.1 {status} ")


def test_trace_is_not_answered(server):
    with closing(begun(server, body=b"\r\n\r\n", method="TRACE")) as connection:
        assert answer_of(connection).startswith("HTTP/1.1 405 ")


def test_a_header_does_not_choose_which_part_of_the_path_is_looked_up(server):
    lines = ["SCRIPT_NAME: /elsewhere", "Script-Name: /elsewhere", "PATH_INFO: /health/live"]
    with closing(begun(server, *lines, body=b"\r\n\r\n", path="/elsewhere/health/live", method="GET")) as connection:
        assert answer_of(connection).startswith("HTTP/1.1 404 ")


def test_a_request_that_does_not_end_is_ended(server):
    with closing(begun(server, "Content-Length: 1000", body=b"\r\n\r\nx")) as connection:
        assert answer_of(connection).startswith("HTTP/1.1 408 ")


def test_requests_in_pieces_one_after_the_other_and_at_once_are_answered(server):
    get = f"GET {PAGE} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    with closing(begun(server, body=b"\r\n\r\n" + get, method="GET")) as connection:
        said = b""
        while said.count(b"HTTP/1.1 200 OK") < 2:
            said += connection.recv(65536)
        time.sleep(0.2)
        for byte in get:
            connection.sendall(bytes([byte]))
        while said.count(b"HTTP/1.1 200 OK") < 3:
            said += connection.recv(65536)


def test_a_body_that_waits_to_be_asked_for_is_asked_for(server):
    lines = ["Content-Length: 3", "Expect: 100-continue"]
    with closing(begun(server, *lines, body=b"\r\n\r\n")) as connection:
        assert answer_of(connection).startswith("HTTP/1.1 100 Continue")
        connection.sendall(b"a=b")
        said = answer_of(connection)
        while "HTTP/1.1 403" not in said:  # without the token of the form
            more = answer_of(connection)
            assert more, said
            said += more


def test_a_long_body_arrives_whole(server):
    filler = "x" * 900_000
    status, _headers, page = server.get(PAGE, data=f"a={filler}".encode())

    assert (status, "CSRF" in page or "form" in page) == (403, True)


def test_what_a_cookie_got_through_is_refused_when_nobody_is_signed_in(client, user):
    small, large = {"a": "x"}, {"a": "x" * 2_000_000}

    assert [client.post("/projects/new/file/", sent).status_code for sent in (small, large)] == [302, 413]
    assert client_of(user).post("/projects/new/file/", large).status_code == 404  # may open no projects
