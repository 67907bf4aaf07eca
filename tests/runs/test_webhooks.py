"""Webhooks against a real server."""

import json
import ssl
import threading
import time
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from hmac import new as hmac
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from django.core.management import call_command

from annotation.domain.errors import Refusal
from annotation.domain.jobs.engine import complete
from annotation.domain.jobs.kinds import A_DAY
from annotation.domain.participation.lifecycle import exclude
from annotation.models import AuditEntry, Project
from annotation.tasks import sweep
from scoring.domain.notifications.events import emit, emit_found, emit_release_made, finished_rounds
from scoring.domain.outgoing import requests as outgoing
from scoring.domain.runs.starting import start_run
from scoring.domain.webhooks.addresses import add_webhook
from scoring.models import Delivery, Event, Release, Webhook
from tests.factories import NOON, add_pairs, answer_all, make_project, planned_for
from tests.jobs import attempt, claimable_of
from tests.runs.projects import relatedness

pytestmark = pytest.mark.django_db
FAST = {"splits": 4, "replicates": 4, "subsets": 4}


class Listener(ThreadingHTTPServer):
    """Answers with the statuses it is given, and keeps what it was sent."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Receiver)
        self.statuses, self.got, self.wait = [], [], 0.0
        self.url = f"http://127.0.0.1:{self.server_port}/hook?of=mine"


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((self.path, dict(self.headers), body))
        time.sleep(self.server.wait)
        status = self.server.statuses.pop(0) if self.server.statuses else 200
        self.send_response(status)
        if status == 302:
            self.send_header("Location", self.server.url + "&again=1")
        self.end_headers()

    def log_message(self, *arguments):
        pass


@pytest.fixture
def listener():
    one = Listener()
    threading.Thread(target=one.serve_forever, daemon=True).start()
    yield one
    one.shutdown()
    one.server_close()


@pytest.fixture(autouse=True)
def private_addresses_allowed(settings):
    settings.WEBHOOKS_TO_PRIVATE_ADDRESSES = True


@pytest.fixture
def project():
    return make_project()


def hook(project, url, **values):
    return Webhook.objects.create(project=project, url=url, secret="a secret", **values)


def tell_once(project, key="1", event=Event.RUN_FINISHED):
    return emit(project=project, event=event, key=key, payload={"run": 1}, now=NOON)


def test_told_with_a_signature(project, listener):
    hook(project, listener.url)
    tell_once(project)
    assert attempt(Delivery.objects.get(), NOON) == "done"
    ((path, headers, body),) = listener.got
    assert path == "/hook?of=mine"
    assert json.loads(body) == {"event": "run.finished", "project": "project", "at": NOON.isoformat(), "run": 1}
    seconds = str(int(NOON.timestamp()))
    digest = hmac(b"a secret", seconds.encode() + b"." + body, sha256).hexdigest()
    assert headers["Semblance-Signature"] == f"t={seconds},v1={digest}"
    assert (headers["Content-Type"], headers["Semblance-Event"]) == ("application/json", "run.finished")
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.attempts, delivery.status, delivery.problem) == ("done", 1, 200, "")
    assert attempt(delivery, NOON) == "done"
    assert len(listener.got) == 1


def test_the_same_is_told_once_to_whoever_wants_it(project, listener):
    hook(project, listener.url)
    hook(project, listener.url + "&releases", events=["release.made"])
    hook(project, listener.url + "&off", active=False)
    hook(make_project(key="other"), listener.url)
    assert [tell_once(project), tell_once(project), tell_once(project, key="2")] == [1, 0, 1]
    assert set(Delivery.objects.values_list("webhook__url", flat=True)) == {listener.url}


def test_refused_and_then_taken(project, listener):
    hook(project, listener.url)
    tell_once(project)
    (pk,) = claimable_of("delivery", NOON)
    listener.statuses = [500]
    assert attempt(Delivery.objects.get(), NOON) == "waiting"
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.status, delivery.problem) == (
        "waiting",
        500,
        "The server responded with status 500.",
    )
    assert claimable_of("delivery", NOON) == []
    later = NOON + A_DAY[0]
    assert claimable_of("delivery", later) == [pk]
    assert attempt(Delivery.objects.get(), later) == "done"
    delivery.refresh_from_db()
    assert (delivery.state, delivery.attempts, delivery.status, delivery.problem) == ("done", 2, 200, "")


def test_given_up_after_about_a_day(project, listener):
    hook(project, listener.url)
    tell_once(project)
    now, listener.statuses = NOON, [503] * 20
    delivery = Delivery.objects.get()
    while delivery.state == "waiting":
        now = delivery.not_before or NOON
        attempt(delivery, now)
    assert (delivery.state, delivery.attempts, len(listener.got)) == ("failed", 8, 8)
    assert timedelta(hours=20) < now - NOON < timedelta(hours=30)
    assert claimable_of("delivery", now + timedelta(days=9)) == []


def test_slack_gets_a_sentence_and_a_link(project, listener, settings):
    settings.PUBLIC_URL = "https://semblance.example"
    hook(project, listener.url, message_format=Webhook.Format.SLACK)
    Project.objects.update(title="Words & <moods>")
    emit(project=project, event=Event.RELEASE_MADE, key="1", payload={"release": 2}, now=NOON)

    assert attempt(Delivery.objects.get(), NOON) == "done"
    assert json.loads(listener.got[0][2]) == {
        "text": "*Words &amp; &lt;moods&gt;*: Release 2 is ready to download.\n"
        "<https://semblance.example/projects/project/releases/>"
    }


def test_nothing_is_sent_without_a_readable_secret(project, listener, settings):
    hook(project, listener.url)
    settings.SECRET_KEY = "another one that is as long as it should be"

    tell_once(project)

    assert attempt(Delivery.objects.get(), NOON) == "failed"
    assert "can no longer be read" in Delivery.objects.get().problem
    assert listener.got == []


def test_no_redirect_is_followed(project, listener):
    hook(project, listener.url)
    tell_once(project)
    listener.statuses = [302]
    assert attempt(Delivery.objects.get(), NOON) == "waiting"
    assert (Delivery.objects.get().status, len(listener.got)) == (302, 1)


def test_address_that_keeps_silent(project, listener, monkeypatch):
    monkeypatch.setattr(outgoing, "SILENCE", 0.2)
    listener.wait = 1.0
    hook(project, listener.url)
    tell_once(project)
    assert attempt(Delivery.objects.get(), NOON) == "waiting"
    delivery = Delivery.objects.get()
    assert (delivery.status, delivery.problem) == (None, "TimeoutError: timed out")


def test_address_that_answers_drop_by_drop(project, listener, monkeypatch):
    monkeypatch.setattr(outgoing, "WHOLE", 0.3)
    listener.wait = 3.0
    hook(project, listener.url)
    tell_once(project)
    started = time.monotonic()
    assert attempt(Delivery.objects.get(), NOON) == "waiting"
    assert time.monotonic() - started < 2.5


def test_a_certificate_that_nobody_vouches_for(listener, tmp_path):
    key = ec.generate_private_key(ec.SECP256R1())
    name, begin = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")]), datetime.now(UTC)
    unsigned = x509.CertificateBuilder(name, name, key.public_key(), 1, begin, begin + timedelta(days=1))
    certificate = unsigned.sign(key, SHA256())
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (tmp_path / "both.pem").write_bytes(private + certificate.public_bytes(Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "both.pem")
    listener.socket = context.wrap_socket(listener.socket, server_side=True)

    with pytest.raises(outgoing.Unreachable, match="CERTIFICATE_VERIFY_FAILED"):
        outgoing.post(listener.url.replace("http:", "https:"), b"{}", {})
    assert listener.got == []


def test_nobody_there(project):
    hook(project, "http://127.0.0.1:9/")
    tell_once(project)
    assert attempt(Delivery.objects.get(), NOON) == "waiting"
    assert Delivery.objects.get().problem.startswith("ConnectionRefusedError")


PRIVATE = (
    "http://127.0.0.1/",
    "https://localhost/",
    "https://10.0.0.1/",
    "https://192.168.1.1:8443/x",
    "https://169.254.169.254/latest/",
    "https://[::1]/",
    "https://[fe80::1]/",
    "https://[fd00::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://0.0.0.0/",
    "https://100.64.0.1/",
    "https://[64:ff9b::a00:1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[64:ff9b:1::a00:1]/",
    "https://[fec0::1]/",
    "https://[::127.0.0.1]/",
    "https://[::a00:1]/",
    "https://[2002:a00:1::]/",
    "https://[2001:0:a00:1::f5ff:fffe]/",
    "https://[ff0e::1]/",
    "https://[5f00::1]/",
)


@pytest.mark.parametrize("url", PRIVATE)
def test_private_addresses_are_refused(project, settings, url):
    settings.WEBHOOKS_TO_PRIVATE_ADDRESSES = False
    with pytest.raises(Refusal, match="private network"):
        add_webhook(project=project, url=url, now=NOON)
    with pytest.raises(outgoing.Unreachable, match="private network"):
        outgoing.post(url, b"", {})


def test_name_that_leads_to_a_private_address(settings, listener, monkeypatch):
    settings.WEBHOOKS_TO_PRIVATE_ADDRESSES = False
    found = [(2, 1, 6, "", ("93.184.216.34", 443)), (2, 1, 6, "", ("127.0.0.1", listener.server_port))]
    monkeypatch.setattr(outgoing.socket, "getaddrinfo", lambda *arguments, **named: found)
    with pytest.raises(outgoing.Unreachable, match=r"127\.0\.0\.1 is in a private network"):
        outgoing.post("https://innocent.example/", b"", {})
    assert listener.got == []


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://example.org/", "begin with https"),
        ("ftp://example.org/", "begin with https"),
        ("https://", "begin with https"),
        ("https://ann:word@example.org/", "Remove the user name and password"),
        ("https://example.org:99999/", "not a valid URL"),
    ],
)
def test_addresses_that_are_none(project, settings, url, reason):
    settings.WEBHOOKS_TO_PRIVATE_ADDRESSES = False
    with pytest.raises(Refusal, match=reason):
        add_webhook(project=project, url=url, now=NOON)


def test_public_address_is_fine(project, settings):
    settings.WEBHOOKS_TO_PRIVATE_ADDRESSES = False
    hook = add_webhook(project=project, url="https://example.org:8443/hook", events=["release.made"], now=NOON)
    assert (hook.events, hook.active, len(hook.secret)) == (["release.made"], True, 43)
    assert AuditEntry.objects.get().action == "webhook added"
    with pytest.raises(Refusal, match="already registered"):
        add_webhook(project=project, url=hook.url, now=NOON)
    with pytest.raises(Refusal, match="There is no event “lunch”"):
        add_webhook(project=project, url="https://example.org/", events=["lunch"], now=NOON)


def test_command_adds_a_webhook(project, capsys):
    call_command("add_webhook", "project", "https://example.org/", "--events", "run.finished")
    hook = Webhook.objects.get()
    assert (hook.events, hook.secret in capsys.readouterr().out) == (["run.finished"], True)


# What is told


def test_run_finished(listener):
    project = relatedness("project")
    hook(project, listener.url)
    run = complete(start_run(project=project, actor=None, parameters=FAST))
    sweep()
    told = json.loads(listener.got[0][2])
    assert (told["event"], told["run"], told["state"], len(listener.got)) == ("run.finished", 1, "done", 1)
    assert Delivery.objects.get().key == str(run.pk)


def test_release_made(listener):
    project = make_project()
    hook(project, listener.url)
    run = complete(start_run(project=project, actor=None))
    release = Release.objects.create(
        project=project, number=1, run=run, state="done", manifest={}, sha256="ab", code_version="1", ended_at=NOON
    )
    assert [emit_release_made(release), emit_release_made(release)] == [1, 0]
    payload = Delivery.objects.get(event="release.made").payload
    assert (payload["release"], payload["run"], payload["sha256"]) == (1, 1, "ab")


def test_round_of_places_finished(user, listener):
    project = make_project("stss131", people="1")
    add_pairs(project, 3)
    hook(project, listener.url)
    assert emit_found(NOON) == 0
    place = planned_for(user, project)
    assert emit_found(NOON) == 0
    answer_all(place)
    assert [emit_found(NOON), emit_found(NOON)] == [1, 0]
    assert Delivery.objects.get().payload["round"] == "main"
    exclude(participation_id=place.pk, reason="They asked for it.", actor=None, now=NOON)
    assert list(finished_rounds(project, {"main"})) == []


def test_round_of_tuples_finished():
    project = relatedness("project")
    assert list(finished_rounds(project, {"main"})) == ["main"]
    project.tuples.update(planned=9)
    assert list(finished_rounds(project, {"main"})) == []
