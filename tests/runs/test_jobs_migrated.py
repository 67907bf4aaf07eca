"""What was stored before all background work became jobs is still there afterwards, in its new states."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from config.backup.versions import executor_for
from scoring.models import FigureRendering, Run

BEFORE = [("annotation", "0013_field_terms"), ("scoring", "0007_field_terms")]
pytestmark = [pytest.mark.slow, pytest.mark.thorough, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def earlier():
    """The models as they were; at the end the database is as it is now."""
    yield executor_for("default", BEFORE).migrate(BEFORE).apps
    migrate()


def migrate():
    executor = MigrationExecutor(connection)
    return executor.migrate(executor.loader.graph.leaf_nodes()).apps


def test_stored_work_is_converted(earlier):
    now, get = timezone.now(), earlier.get_model
    project = get("annotation", "Project").objects.create(key="project", title="P", protocol_json={}, seed=1)
    problems = [{"line": 0, "column": "", "reason": "The file is empty."}]
    imports = get("annotation", "ItemImport").objects
    for state, found in (("refused", problems), ("refused", problems * 2), ("running", []), ("asking", [])):
        imports.create(project=project, name="x", file="x", state=state, problems=found, started_at=now)
    for state in ("done", "refused", "waiting"):
        project.plans.create(round="main", seed=1, state=state, problem="No.")
    study = get("annotation", "CrowdStudy").objects.create(project=project, round="main", platform="prolific")
    for state in ("waiting", "preparing", "paying", "sent", "uncertain", "failed"):
        study.payments.create(state=state, begun_at=now)
    for key, sent in (("1" * 32, now), ("2" * 32, None)):
        project.broadcasts.create(key=key, text="Hello.", recipients=[], asked_at=now, sent_at=sent)
    runs = get("scoring", "Run").objects
    done = {"state": "done", "results": {}, "ended_at": now}
    common = {"project": project, "seed": 1, "code_version": "1"}
    runs.create(number=1, **common, **done, drawn_at=now)
    runs.create(number=2, **common, **done, drawing_attempts=3, drawing_error="OSError: gone")
    runs.create(number=3, **common, state="failed", error="It broke.")
    run = runs.create(number=4, **common, state="running", snapshot_sha256="ab", heartbeat_at=now, attempts=1)
    for key, state in (("one", "done"), ("other", "waiting")):
        run.parts.create(key=key, state=state)
    hook = get("scoring", "Webhook").objects.create(project=project, url="https://example.org/", secret="s")
    hook.deliveries.create(event="test", key="1", payload={}, next_at=now, attempts=2, error="No answer.")
    get("scoring", "ProjectStatistics").objects.create(project=project, asked_at=now, at=now)

    get = migrate().get_model

    def stored(app, name, *fields):
        return list(get(app, name).objects.order_by("pk").values_list(*fields))

    assert stored("annotation", "ItemImport", "state", "problem", "attempts", "heartbeat_at") == [
        ("failed", "The file is empty.", 1, None),
        ("failed", "The file has 2 problems; nothing was imported.", 1, None),
        ("running", "", 1, now),
        ("asking", "", 1, None),
    ]
    assert [state for (state,) in stored("annotation", "RoundPlan", "state")] == ["done", "failed", "waiting"]
    states = ["waiting", "running", "running", "done", "uncertain", "failed"]
    assert [state for (state,) in stored("annotation", "BonusPayment", "state")] == states
    assert stored("annotation", "Broadcast", "state", "created_at") == [("done", now), ("waiting", now)]
    assert stored("scoring", "Run", "state", "problem", "done", "total", "heartbeat_at")[2:] == [
        ("failed", "It broke.", 0, 0, None),
        ("running", "", 1, 2, None),
    ]
    assert sorted(stored("scoring", "FigureRendering", "run__number", "state", "problem")) == [
        (1, "done", ""),
        (2, "failed", "OSError: gone"),
    ]
    assert stored("scoring", "Delivery", "state", "attempts", "not_before", "problem") == [
        ("waiting", 2, now, "No answer.")
    ]
    assert stored("scoring", "ProjectStatistics", "state") == [("done",)]
    assert Run.objects.count() == 4 and FigureRendering.objects.count() == 2
