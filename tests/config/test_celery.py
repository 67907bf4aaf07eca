import os
import threading
import time

import pytest
from celery import Celery
from celery.contrib.testing.worker import start_worker
from django.conf import settings
from kombu import Connection

from config.celery import RETRY_AFTER, PatientTask, app
from config.settings.parts import BRIEFLY, REDIS_OPTIONS, broker

DEAD = "redis://127.0.0.1:1/0"


@pytest.fixture(autouse=True)
def broker_not_asked_yet():
    PatientTask.retry_at = 0.0
    yield
    PatientTask.retry_at = 0.0
    # A worker of another application that was started here has made itself the one that shared tasks belong to.
    app.set_current()
    app.set_default()


def app_on(url, options, **values):
    """A Celery application like the project's own, on another broker, with a task that notes what it was given."""
    done = []
    one = Celery("test", broker=url, backend="cache+memory://", task_cls=PatientTask, set_as_current=False)
    one.conf.update(broker_transport_options=options, task_publish_retry_policy=BRIEFLY, **values)

    @one.task(name="note", shared=False)
    def note(what):
        done.append((what, threading.current_thread() is threading.main_thread()))

    @one.task(name="send", shared=False)
    def send(what):
        note.delay(what)

    return one, note, send, done


@pytest.fixture
def deaf():
    return app_on(DEAD, REDIS_OPTIONS)


def test_sender_goes_on_when_the_broker_is_dead(deaf, caplog):
    _, note, _, done = deaf
    result = note.apply_async(("row 1",), task_id="mine")
    assert result.id == "mine"
    assert [record.message.split(":")[0] for record in caplog.records] == [
        "The broker does not respond",
        "note waits in the database",
    ]
    assert done == []


def test_dead_broker_is_left_alone_for_a_while(deaf, caplog):
    _, note, _, _ = deaf
    before = time.monotonic()
    note.delay("row 1")
    note.delay("row 2")
    assert PatientTask.retry_at >= before + RETRY_AFTER
    assert [record.message for record in caplog.records][1:] == ["note waits in the database"] * 2


def test_broker_is_asked_again_later(deaf, caplog):
    _, note, _, _ = deaf
    note.delay("row 1")
    PatientTask.retry_at = 0.0  # the while is over
    note.delay("row 2")
    assert sum("does not respond" in record.message for record in caplog.records) == 2


def test_job_that_sends_is_told_of_a_dead_broker(deaf):
    _, _, send, _ = deaf
    assert isinstance(send.apply(("row 1",)).result, Exception)
    assert PatientTask.retry_at == 0.0


def test_task_runs_where_it_is_sent_in_eager_mode():
    _, note, _, done = app_on(DEAD, REDIS_OPTIONS, task_always_eager=True)
    note.delay("now")
    assert done == [("now", True)]


def test_embedded_broker_carries_tasks_in_order(tmp_path):
    one, note, send, done = app_on(*broker("", tmp_path))
    for number in range(3):
        note.delay(number)
    messages = sorted((tmp_path / "messages").iterdir())
    assert [path.suffix for path in messages] == [".msg"] * 3

    with start_worker(one, pool="solo", perform_ping_check=False):
        send.delay("from a task")
        wait_until(lambda: len(done) == 4)

    assert done == [(what, False) for what in (0, 1, 2, "from a task")]
    assert list((tmp_path / "messages").iterdir()) == []


def wait_until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)


def test_broker_of_redis():
    assert broker("redis://host:6379/0", None) == ("redis://host:6379/0", REDIS_OPTIONS)


@pytest.mark.postgres
def test_what_a_lost_connection_delivered_ends_in_an_error_that_the_worker_expects():
    """Kombu's own transport raises an AttributeError there, at which the worker ends."""
    url = os.environ.get("REDIS_URL") or pytest.skip("needs Redis")
    connection = Connection(url, transport_options=REDIS_OPTIONS)
    channel = connection.channel()
    connection.collect()
    channel.close()  # with its pool of connections
    with pytest.raises(connection.connection_errors, match="This connection to the broker was lost"):
        channel.basic_ack("some work")


def test_scheduled_tasks_exist():
    app.loader.import_default_modules()
    assert {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()} <= set(app.tasks)


def test_project_tasks_are_patient_and_can_wait_for_the_commit():
    task = app.tasks["annotation.tasks.beat_heart"]
    assert isinstance(task, PatientTask)
    assert callable(task.delay_on_commit)
