"""Webhooks on their pages, against a real server."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.domain.jobs.worker import beat_heart
from annotation.models import AuditEntry, Project
from scoring.models import Delivery, Event, Webhook
from tests.factories import NOON, make_project
from tests.jobs import attempt, claimable_of
from tests.views.releasing import client_as
from tests.views.sending import HTMX

pytestmark = pytest.mark.django_db
WEBHOOKS = "/projects/project/webhooks/"
URL = "https://example.org/hook"


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def client(project):
    return client_as(project, "manager")


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *arguments):
        pass


@pytest.fixture
def listener(settings):
    settings.WEBHOOKS_TO_PRIVATE_ADDRESSES = True
    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    server.got, server.status = [], 200
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def hook(project: Project, url: str = URL, **values: object) -> Webhook:
    return Webhook.objects.create(project=project, url=url, secret="a secret", **values)


def path_of(one: Webhook, page: str = "") -> str:
    return f"{WEBHOOKS}{one.pk}/{page}"


def sent(one: Webhook, key: str = "1", **values: object) -> Delivery:
    given = {"event": Event.RUN_FINISHED, "payload": {}, "created_at": NOON} | values
    return one.deliveries.create(key=key, **given)


def test_the_secret_of_a_new_webhook_is_shown_once(client):
    page = client.post(WEBHOOKS, {"url": URL, "events": ["run.finished", "release.made"]})

    made = Webhook.objects.get()
    assert (made.url, made.events, made.active) == (URL, ["run.finished", "release.made"], True)
    assert made.secret in page.text
    assert page["Cache-Control"].count("no-store") == 1
    entry = AuditEntry.objects.get(action="webhook added")
    assert (entry.actor.username, entry.details["url"]) == ("manager", URL)
    assert made.secret not in json.dumps(entry.details)
    later = client.get(WEBHOOKS)
    assert (URL in later.text, made.secret in later.text) == (True, False)
    assert "Scoring run finished, Release made" in later.text
    assert made.secret not in client.get(path_of(made)).text


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({}, "This field is required."),
        ({"url": "http://example.org/"}, "begin with https"),
        ({"url": "https://10.0.0.1/"}, "private network"),
        ({"url": "https://me:word@example.org/"}, "Remove the user name and password"),
        ({"url": URL, "events": ["test"]}, "test is not one of the available choices."),
        ({"url": "https://told.example.org/"}, "already registered"),
    ],
)
def test_a_form_with_faults_comes_back(client, project, fields, fault):
    hook(project, "https://told.example.org/")

    page = client.post(WEBHOOKS, {"csrf": "1"} | fields)

    assert (page.status_code, fault in str(page.context["form"].errors)) == (422, True)
    assert Webhook.objects.count() == 1


@pytest.mark.parametrize(("status", "state"), [(200, "done"), (500, "failed")])
def test_a_test_is_sent_once_and_its_answer_shown(
    client, project, listener, status, state, django_capture_on_commit_callbacks
):
    one, listener.status = hook(project, f"http://127.0.0.1:{listener.server_port}/"), status

    with django_capture_on_commit_callbacks(execute=True):
        response = client.post(path_of(one, "test/"))

    delivery, page = Delivery.objects.get(), client.get(response["Location"])
    assert [(told["event"], told["project"]) for told in listener.got] == [("test", "project")]
    assert (delivery.state, delivery.status, delivery.attempts) == (state, status, 1)
    assert claimable_of("delivery", NOON.replace(year=2099)) == []
    assert f'<td class="number" data-label="Response">{status}</td>' in page.text
    assert "hx-get" not in page.text


def test_a_test_is_watched_until_a_worker_has_sent_it(client, project):
    one = hook(project)

    page = client.post(path_of(one, "test/"), follow=True)  # nothing is sent before the transaction ends

    assert "No worker is running. The test will be sent when a worker is available." in page.text
    beat_heart(timezone.now())
    part = client.get(path_of(one), headers=HTMX)
    assert "Sending the test…" in part.text
    assert ("hx-get" in part.text, "<html" in part.text) == (True, False)


def test_a_project_tests_its_webhooks_ten_times_an_hour(client, project):
    cache.clear()
    one = hook(project)
    pages = [client.post(path_of(one, "test/"), follow=True) for _ in range(11)]

    assert ["You can send up to 10 tests per hour" in page.text for page in pages] == [False] * 10 + [True]
    assert one.deliveries.count() == 10


def test_a_webhook_is_switched_off_and_on(client, project):
    one = hook(project)

    off = client.post(path_of(one, "switch/"), {"on": "0"}, follow=True)
    client.post(path_of(one, "switch/"), {"on": "0"})
    tested = client.post(path_of(one, "test/"), follow=True)

    assert "Webhook disabled." in off.text
    assert "Send test" not in off.text
    assert "is disabled. Enable it to send a test" in tested.text
    assert not Delivery.objects.exists()
    assert "Webhook enabled." in client.post(path_of(one, "switch/"), {"on": "1"}, follow=True).text
    actions = list(AuditEntry.objects.order_by("pk").values_list("action", flat=True))
    assert actions == ["webhook switched off", "webhook switched on"]


def test_a_webhook_is_removed_with_what_it_was_sent(client, project):
    one = hook(project)
    sent(one)

    page = client.post(path_of(one, "remove/"), follow=True)

    assert "Webhook removed" in page.text
    assert not Webhook.objects.exists()
    assert AuditEntry.objects.get().action == "webhook removed"
    assert client.post(path_of(one, "remove/")).status_code == 404


def test_the_list_says_how_it_went(client, project):
    one = hook(project)
    sent(one, "1", state="done", attempts=1, status=204)
    sent(one, "2", attempts=2, status=500, problem="The server responded with status 500.")
    sent(one, "3", state="failed", attempts=8, problem="TimeoutError: timed out", event=Event.ROUND_FINISHED)

    told = " ".join(client.get(path_of(one)).text.split())

    assert told.index("Round finished") < told.index("Scoring run finished")  # the newest first
    assert "TimeoutError: timed out" in told
    assert "The server responded with status 500. Next attempt:" in told
    assert told.count("Next attempt:") == 1
    assert [told.count(f">{state}</span>") for state in ("Done", "Waiting", "Failed")] == [1, 1, 1]


@pytest.mark.parametrize("who", ["nobody", "outsider", "researcher"])
def test_webhooks_are_for_managers(project, who):
    one = hook(project)
    client = client_as(project, who)

    responses = [client.get(WEBHOOKS), client.post(WEBHOOKS, {"url": URL + "2"}), client.get(path_of(one))]
    responses += [client.post(path_of(one, f"{page}/"), {"on": "0"}) for page in ("test", "switch", "remove")]

    assert {response.status_code for response in responses} == {302 if who == "nobody" else 404}
    assert list(Webhook.objects.values_list("active", flat=True)) == [True]
    assert not Delivery.objects.exists()


def test_the_webhook_of_another_project_is_not_found(client):
    other = hook(make_project(key="other"))

    assert client.get(path_of(other)).status_code == 404
    assert client.post(path_of(other, "remove/")).status_code == 404


def queries_of(client, path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        client.get(path)
    return len(queries)


def test_pages_take_the_same_queries_for_few_and_many(client, project):
    one = hook(project)
    sent(one)
    few = [queries_of(client, path) for path in (WEBHOOKS, path_of(one))]
    for number in range(2, 40):
        hook(project, f"{URL}/{number}")
        sent(one, str(number))

    many = [queries_of(client, path) for path in (WEBHOOKS, path_of(one))]

    assert few == many
    assert max(many) <= 7
    assert len(client.get(WEBHOOKS, {"page": "2"}).context["page"]) == 14
    assert len(client.get(path_of(one), {"page": "2"}).context["page"]) == 14


def test_what_waited_while_it_was_off_is_sent_when_it_is_on(client, project, listener):
    one = hook(project, f"http://127.0.0.1:{listener.server_port}/", active=False)
    delivery = sent(one)
    assert claimable_of("delivery", NOON) == []

    client.post(path_of(one, "switch/"), {"on": "1"})

    assert claimable_of("delivery", NOON) == [delivery.pk]
    assert attempt(delivery, NOON) == "done"
