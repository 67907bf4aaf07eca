"""What real processes write into the log, and what never."""

import json

import pytest

from tests.operation.servers import Server, wait_until

pytestmark = pytest.mark.slow
NUMBER = "0123456789abcdef0123"
MAKING = """
from tests.factories import make_project, make_user
from annotation.domain.account.tokens import make_token
user = make_user("ann", is_superuser=True)
project = make_project("stss131", "project")
print(make_token(user=user, scope="write", days=1, name="")[1])
"""
SECRETS = ("S3CRETjoin", "S3CRETresume", "S3CRETmember", "S3CRETnowhere", "5f00aa11", "ann@example.org", "S3CRETquery")


@pytest.fixture(scope="module")
def server(template, tmp_path_factory):
    one = Server(tmp_path_factory.mktemp("server"), template)
    one.start_web()
    yield one
    one.stop()


def of_request(server, number=NUMBER):
    return [line for line in server.lines() if line.get("request_id") == number]


def test_nothing_that_strangers_or_platforms_send_is_in_the_log(server):
    for path in (
        "/join/S3CRETjoin/",
        "/join/S3CRETjoin",
        "/resume/S3CRETresume/",
        "/members/S3CRETmember/",
        "/S3CRETnowhere/ann@example.org/",
        "/crowd/prolific/one/main/?PROLIFIC_PID=5f00aa11&STUDY_ID=1",
        "/crowd/prolific/one/main/?PROLIFIC_PID=5f00aa11%00",
        "/account/login/?next=/join/S3CRETquery/",
    ):
        assert server.get(path)[0] in (200, 302, 400, 404, 410)
    form, referer = b"login=ann@example.org&password=S3CRETquery", f"http://127.0.0.1:{server.port}/join/S3CRETjoin/"
    assert server.get("/account/login/", form, Referer=referer, Cookie="csrftoken=S3CRETquery")[0] == 403
    assert server.get("/", Host="ann@example.org")[0] == 400

    text = server.log.read_text()
    assert [secret for secret in SECRETS if secret in text] == []
    warnings = {line["message"] for line in server.lines() if line["level"] == "WARNING"}
    assert {"Not Found: join", "Not Found: (no route)", "Bad Request: crowd-prolific"} <= warnings
    assert all(line["time"] and line["logger"] and line["message"] for line in server.lines())


def test_a_request_has_the_id_of_the_proxy_or_a_new_one_in_its_answer_and_its_lines(server):
    status, headers, _ = server.get("/join/x/", X_Request_ID=NUMBER)
    assert (status, headers["X-Request-ID"]) == (404, NUMBER)
    lines = of_request(server)
    assert {line["message"] for line in lines} == {"request", "Not Found: join"}
    (line,) = [line for line in lines if line["message"] == "request"]
    assert (line["route"], line["method"], line["status"], line["ms"] > 0) == ("join", "GET", 404, True)

    made = [server.get("/account/login/", X_Request_ID=other)[1]["X-Request-ID"] for other in ("ann@example.org", "")]
    assert [len(number) for number in made] == [32, 32] and made[0] != made[1]


@pytest.mark.thorough
def test_a_task_carries_the_id_of_the_request_that_sent_it(server):
    key = server.manage("shell", "--verbosity", "0", "-c", MAKING).split()[-1]
    server.start_worker()
    number = "fedcba9876543210fedc"
    status, _, text = server.get(
        "/api/v1/projects/project/runs/",
        json.dumps({"seed": 1}).encode(),
        Authorization=f"Token {key}",
        Content_Type="application/json",
        X_Request_ID=number,
    )
    assert status == 201, text
    wait_until(lambda: any(line.get("task") for line in of_request(server, number)))
    tasks = {line["task"] for line in of_request(server, number) if "task" in line}
    assert tasks == {"annotation.tasks.run_job"}
