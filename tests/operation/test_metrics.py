"""The metrics of Prometheus: of what happened in any web process, and of what waits."""

from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from annotation.domain.jobs.worker import beat_heart, living_workers, sign_in, sign_out
from config.operation import readiness
from config.operation.requests import RequestMiddleware
from tests.factories import make_project, present_screen, rating_round
from tests.operation.servers import BEARER, Server
from tests.views.sending import client_of, rating, url_of

LABELS = ("part", "kind", "route", "method", "status", "le")
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def looked_up_anew():
    readiness.forget()
    yield
    readiness.forget()


def values(text):
    """Each value by its name and its labels, in one order."""
    samples = [one for family in text_string_to_metric_families(text) for one in family.samples]
    return {(one.name, *(one.labels[name] for name in LABELS if name in one.labels)): one.value for one in samples}


def metrics():
    return values(Client().get("/metrics").text)


def test_requests_are_counted_by_route_and_never_by_path():
    before = metrics()
    for path in ("/join/S3CRET/", "/join/S3CRET2/", "/S3CRET/", "/health/live"):
        Client().get(path)
    Client().generic("S3CRET", "/")
    after, said = metrics(), Client().get("/metrics").text
    joined = ("semblance_requests_total", "join", "GET", "404")
    assert after[joined] - before.get(joined, 0) == 2
    assert after["semblance_request_seconds_count", "join"] >= 2
    assert after["semblance_requests_total", "(no route)", "GET", "404"] >= 1
    assert any(key[:3] == ("semblance_requests_total", "home", "other") for key in after)
    assert "S3CRET" not in said and "health" not in said


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_an_answer_that_is_saved_is_counted_once(user):
    place, before = rating_round(user, 2), metrics()["semblance_answers_total",]
    sent = rating(present_screen(place))
    for _ in range(2):
        client_of(user).post(url_of(place), sent)
    client_of(user).post(url_of(place), rating(present_screen(place), "1000"))
    assert metrics()["semblance_answers_total",] - before == 1


@pytest.mark.postgres
def test_what_waits_and_who_works():
    now, project = timezone.now(), make_project()
    for state, minutes in (("waiting", 5), ("waiting", 10), ("running", 60), ("done", 90)):
        file, at = ContentFile(b"x", "pairs.csv"), now - timedelta(minutes=minutes)
        project.imports.create(file=file, name="pairs.csv", state=state, created_at=at, heartbeat_at=now)
    beat_heart(now)
    for worker, minutes in (("celery@one", 0), ("celery@two", 0), ("celery@lost", 5)):
        sign_in(worker, now - timedelta(minutes=minutes))
    sign_in("celery@ended", now)
    sign_out("celery@ended")

    found = metrics()
    assert found["semblance_workers",] == 2
    assert found["semblance_jobs_waiting", "import"] == 2
    assert found["semblance_jobs_running", "import"] == 1
    assert 600 <= found["semblance_jobs_oldest_seconds", "import"] < 700
    assert found["semblance_jobs_oldest_seconds", "plan"] == 0
    assert found["semblance_queued_messages",] >= 0
    assert [found["semblance_up", part] for part in ("database", "broker", "worker", "storage")] == [1] * 4
    assert found["semblance_data_free_bytes",] > 0


@pytest.mark.postgres
def test_workers_that_have_long_been_gone_are_forgotten():
    now = timezone.now()
    sign_in("celery@old", now - timedelta(days=2))
    sign_in("celery@new", now)
    assert living_workers(now - timedelta(days=2)) == 1 == living_workers(now)


def test_strangers_get_no_metrics(settings):
    stranger = Client(REMOTE_ADDR="192.0.2.7")
    for headers in ({}, {"X-Forwarded-For": "127.0.0.1"}, {"Authorization": BEARER}):
        assert stranger.get("/metrics", headers=headers).status_code == 403
    assert Client(headers={"X-Forwarded-For": "192.0.2.7"}).get("/metrics").status_code == 403
    settings.MONITOR_TOKEN = BEARER.split()[1]
    assert stranger.get("/metrics", headers={"Authorization": BEARER}).status_code == 200
    assert stranger.get("/metrics", headers={"Authorization": f"{BEARER}x"}).status_code == 403


def test_counting_asks_no_database(django_assert_num_queries):
    middleware, request = RequestMiddleware(lambda request: HttpResponse()), RequestFactory().get("/")
    with django_assert_num_queries(0):
        assert [len(middleware(request)["X-Request-ID"]) for _ in range(3)] == [32] * 3


@pytest.mark.slow
def test_all_web_processes_give_the_same_numbers(template, tmp_path):
    server = Server(tmp_path, template, MONITOR_TOKEN=BEARER.split()[1])
    try:
        server.start_web(workers=3)
        for _ in range(30):
            assert server.get("/join/x/")[0] == 404
        found = [values(server.get("/metrics")[2]) for _ in range(9)]
        assert [each["semblance_requests_total", "join", "GET", "404"] for each in found] == [30] * 9
    finally:
        server.stop()
