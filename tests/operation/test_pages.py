"""The health pages, for strangers and for those who watch the installation."""

import shutil
from datetime import timedelta

import pytest
from django.core.files.storage import FileSystemStorage
from django.db import connection
from django.test import Client
from django.utils import timezone

from annotation.domain.jobs.worker import beat_heart
from config.operation import readiness
from tests.operation.servers import BEARER

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
STRANGER = {"REMOTE_ADDR": "192.0.2.7"}
PARTS = ["database", "broker", "worker", "storage"]


@pytest.fixture(autouse=True)
def looked_up_anew():
    readiness.forget()
    yield
    readiness.forget()


def ready(path="/health/ready", **request):
    response = Client(**request).get(path)
    return response.status_code, response.json()


def states(answer):
    return [check["state"] for check in answer["checks"]]


def test_live_touches_nothing(django_assert_num_queries):
    with django_assert_num_queries(0):
        response = Client(**STRANGER).get("/health/live", headers={"Host": "10.0.0.7"})
    assert (response.status_code, response.json(), response["Cache-Control"]) == (200, {"status": "ok"}, "no-store")


def test_ready_with_everything():
    beat_heart(timezone.now())
    status, found = ready()
    assert (status, found["status"], [check["name"] for check in found["checks"]]) == (200, "ok", PARTS)
    assert all(check["ms"] >= 0 and check["state"] == "ok" for check in found["checks"])


def test_a_stranger_sees_no_details():
    by_proxies = [{"headers": {name: "127.0.0.1"}} for name in ("X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP")]
    for request in (STRANGER, *by_proxies):
        assert ready(**request) == (200, {"status": "degraded"})
    assert ready(**STRANGER, headers={"Authorization": BEARER}) == (200, {"status": "degraded"})


def test_who_has_the_token_sees_details(settings):
    settings.MONITOR_TOKEN = BEARER.split()[1]
    assert "checks" in ready(**STRANGER, headers={"Authorization": BEARER})[1]
    assert "checks" not in ready(**STRANGER, headers={"Authorization": BEARER + "x"})[1]
    assert "checks" not in ready(headers={"Authorization": "Bearer guessed"})[1]


def test_without_a_worker_pages_are_served_and_only_strict_monitoring_fails():
    beat_heart(timezone.now() - timedelta(minutes=3))
    status, found = ready()
    assert (status, found["status"], states(found)) == (200, "degraded", ["ok", "ok", "failing", "ok"])
    assert found["checks"][2]["problem"].startswith("No worker has responded for 180")
    assert ready("/health/ready?strict")[0] == 503


def test_without_a_broker(monkeypatch):
    beat_heart(timezone.now())
    monkeypatch.setenv("CELERY_BROKER_WRITE_URL", "redis://:secret@127.0.0.1:1/0")
    status, found = ready()
    assert (status, states(found)) == (200, ["ok", "failing", "ok", "ok"])
    assert "secret" not in str(found)


def test_without_a_storage(settings, tmp_path, monkeypatch):
    beat_heart(timezone.now())
    place = tmp_path / "files"
    place.write_text("a file where the folder should be")
    monkeypatch.setattr(readiness, "default_storage", FileSystemStorage(place))
    status, found = ready()
    assert (status, states(found)) == (200, ["ok", "ok", "ok", "failing"])


def test_storage_is_left_as_it_was(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    beat_heart(timezone.now())
    assert ready()[1]["status"] == "ok"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    shutil.rmtree(tmp_path)


def test_without_a_database_no_page_can_be_served():
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE django_migrations RENAME TO elsewhere")
    status, found = ready()
    assert (status, found["status"], states(found)) == (503, "failing", ["failing", "ok", "failing", "ok"])
    assert ready(**STRANGER) == (503, {"status": "failing"})


def test_many_questions_are_one_look(django_assert_num_queries):
    ready()
    with django_assert_num_queries(0):
        assert [ready()[0] for _ in range(20)] == [200] * 20


@pytest.mark.parametrize("path", ["/health/live", "/health/ready", "/metrics"])
def test_monitoring_is_only_read(path):
    assert Client().post(path).status_code == 405
