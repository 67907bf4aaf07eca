from contextlib import closing

from annotation.management.commands.serve import listen
from config.health import answers


def test_health_of_a_server(live_server):
    assert answers("https://localhost", live_server.thread.port)


def test_health_of_a_server_that_refuses_the_host(live_server):
    assert not answers("https://elsewhere.example.org", live_server.thread.port)


def test_health_of_nobody():
    with closing(listen("127.0.0.1", 23000)) as listener:
        port = listener.getsockname()[1]
    assert not answers("http://localhost", port)
