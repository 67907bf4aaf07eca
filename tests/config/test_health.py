from contextlib import closing

from annotation.management.commands.serve import listen
from config.health import serves


def test_health_of_a_server(live_server):
    healthy, said = serves("https://localhost", live_server.thread.port)
    assert healthy
    assert '"database", "state": "ok"' in said


def test_health_of_a_server_that_refuses_the_host(live_server):
    healthy, said = serves("https://elsewhere.example.org", live_server.thread.port)
    assert not healthy
    assert said.endswith("The sign-in page responds with status 400.")


def test_health_of_nobody():
    with closing(listen("127.0.0.1", 23000)) as listener:
        port = listener.getsockname()[1]
    healthy, said = serves("http://localhost", port)
    assert (healthy, "refused" in said) == (False, True)
