import time
from datetime import timedelta
from functools import partial

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from annotation.domain.errors import Refusal
from annotation.domain.jobs import engine
from annotation.domain.jobs.engine import complete
from annotation.domain.jobs.kinds import kind_named
from annotation.models import Participation
from annotation.tasks import run_job, sweep
from scoring.domain.runs import jobs
from scoring.domain.runs.starting import start_run
from scoring.models import FigureRendering, Run, RunPart
from tests.factories import NOON, at_once, make_project
from tests.jobs import swept
from tests.runs.projects import labelled, relatedness

FAST = {"splits": 4, "replicates": 4, "subsets": 4}
LATER = timedelta(minutes=1)
GIVEN_UP = "The worker stopped responding in every attempt."
pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


@pytest.fixture
def project():
    return relatedness("project")


@pytest.fixture
def run(project):
    return start_run(project=project, actor=None, parameters=FAST)


def begin(run_id, now):
    """The ids of the parts that were laid out; none if another worker did it."""
    return [pk for kind, pk in engine.run("run", run_id, now) or () if kind == "part"]


def compute_part(part_id, now):
    """Whether this attempt at a part was made."""
    return engine.run("part", part_id, now) is not None


def carry_out(run_id):
    return complete(Run.objects.get(pk=run_id))


def states(run):
    return sorted(set(run.parts.values_list("state", flat=True)))


def test_run_waits_with_what_it_is_computed_with(project, user):
    run = start_run(project=project, actor=user, seed=7, parameters={"splits": 9})
    assert (run.number, run.state, run.seed, run.created_by, run.results) == (1, "waiting", 7, user, None)
    assert run.parameters == {"splits": 9, "replicates": 1000, "subsets": 200, "slices": 4}
    assert start_run(project=project, actor=None).number == 2


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ({"seed": -1}, "The random seed must be a whole number from 0 to"),
        ({"seed": 2**63}, "The random seed must be a whole number from 0 to"),
        ({"parameters": {"halves": 3}}, "There is no parameter “halves”"),
        ({"parameters": {"splits": 0}}, "“splits” must be a whole number"),
        ({"parameters": {"slices": "4"}}, "“slices” must be a whole number"),
        ({"parameters": {"replicates": 1}}, "“replicates” must be a whole number"),
        ({"parameters": {"splits": True}}, "“splits” must be a whole number"),
    ],
)
def test_what_no_run_can_have_is_refused(project, wanted, reason):
    with pytest.raises(Refusal, match=reason):
        start_run(project=project, actor=None, **wanted)
    assert not Run.objects.exists()


def test_whole_run_in_this_process(run):
    run = carry_out(run.pk)
    assert (run.state, run.problem, run.results["overview"]["choices"]) == ("done", "", 96)
    assert run.ended_at >= run.as_of >= run.started_at
    assert states(run) == ["done"]


def test_run_of_an_empty_project(db):
    run = carry_out(start_run(project=make_project(), actor=None).pk)
    assert (run.state, run.results["overview"]["items"]) == ("done", 0)


def test_begin_twice(run):
    first = begin(run.pk, NOON)
    assert len(first) == run.parts.count() > 0
    assert begin(run.pk, NOON) == begin(run.pk, NOON + LATER) == []


def test_part_is_computed_once(run):
    part = begin(run.pk, NOON)[0]
    assert [compute_part(part, NOON), compute_part(part, NOON)] == [True, False]
    assert RunPart.objects.get(pk=part).attempts == 1


def test_part_of_somebody_at_work_is_left_alone(run):
    part = begin(run.pk, NOON)[0]
    RunPart.objects.filter(pk=part).update(state="running", heartbeat_at=NOON, attempts=1)
    assert compute_part(part, NOON + timedelta(seconds=5)) is False
    assert compute_part(part, NOON + LATER) is True
    assert RunPart.objects.get(pk=part).attempts == 2


def test_run_ends_once_after_its_last_part(run):
    *parts, last = begin(run.pk, NOON)
    for part in parts:
        assert engine.run("part", part, NOON) == []
    assert engine.run("run", run.pk, timezone.now()) is None
    assert engine.run("part", last, NOON) == [("run", run.pk)]
    assert engine.run("run", run.pk, timezone.now()) == [("figures", FigureRendering.objects.get().pk)]
    assert engine.run("run", run.pk, timezone.now()) is None
    run.refresh_from_db()
    assert (run.state, run.done, run.total) == ("done", len(parts) + 1, len(parts) + 1)


def test_part_that_fails_thrice_fails_the_run(run, caplog):
    parts = begin(run.pk, NOON)
    broken = RunPart.objects.get(pk=parts[0])
    RunPart.objects.filter(pk=broken.pk).update(key="nonsense")
    assert [compute_part(broken.pk, NOON) for _ in range(4)] == [True, True, True, False]
    broken.refresh_from_db()
    assert (broken.state, broken.attempts) == ("failed", 3)
    run.refresh_from_db()
    assert (run.state, run.problem) == ("failed", f"nonsense: {broken.problem}")
    assert "(ValueError: There is no part “nonsense” in a scoring run.)" in broken.problem
    # What is still under way changes nothing any more.
    assert compute_part(parts[1], NOON) is False


def test_part_that_fails_once_is_computed_later(run, caplog):
    parts = begin(run.pk, NOON)
    key = RunPart.objects.get(pk=parts[0]).key
    RunPart.objects.filter(pk=parts[0]).update(key="nonsense")
    compute_part(parts[0], NOON)
    RunPart.objects.filter(pk=parts[0]).update(key=key)
    assert carry_out(run.pk).state == "done"
    assert RunPart.objects.get(pk=parts[0]).problem == ""


def test_snapshot_tampered_with(run, caplog):
    begin(run.pk, NOON)
    name = Run.objects.get().snapshot.name
    default_storage.delete(name)
    default_storage.save(name, ContentFile(b"something else"))
    run = carry_out(run.pk)
    assert run.state == "failed"
    assert "The stored snapshot is not the one used by this scoring run." in run.problem


def test_snapshot_that_is_gone(run, caplog):
    begin(run.pk, NOON)
    default_storage.delete(Run.objects.get().snapshot.name)
    run = carry_out(run.pk)
    assert (run.state, "FileNotFoundError" in run.problem) == ("failed", True)


def test_run_that_cannot_begin_fails_with_the_reason(run, caplog, settings):
    settings.MEDIA_ROOT = "/dev/null/nowhere"
    run = carry_out(run.pk)
    assert (run.state, run.attempts) == ("failed", 3)
    assert "NotADirectoryError" in run.problem


# Workers that are lost


def test_lost_parts_are_taken_up_and_counted(run):
    parts = begin(run.pk, NOON)
    RunPart.objects.filter(pk=parts[0]).update(state="running", heartbeat_at=NOON, attempts=1)
    RunPart.objects.exclude(pk=parts[0]).update(heartbeat_at=NOON + LATER)
    assert swept("part", NOON + LATER) == [parts[0]]
    assert compute_part(parts[0], NOON + LATER)


def test_run_whose_worker_was_lost_before_the_parts_begins_anew(run):
    Run.objects.update(state="running", started_at=NOON, heartbeat_at=NOON, attempts=1)
    assert [swept("run", now) for now in (NOON, NOON + LATER)] == [[], [run.pk]]
    assert len(begin(run.pk, NOON + LATER)) > 0


def test_worker_taken_for_lost_does_not_lay_out_a_second_time(run, monkeypatch):
    """Two workers read the judgments; only what the later claim read is kept."""
    slow = jobs.take_snapshot

    def overtaken(project, seed):
        monkeypatch.setattr(jobs, "take_snapshot", slow)
        Run.objects.update(heartbeat_at=NOON)
        second.extend(begin(run.pk, timezone.now()))
        return slow(project, seed)

    second = []
    monkeypatch.setattr(jobs, "take_snapshot", overtaken)
    assert begin(run.pk, timezone.now()) == []
    assert run.parts.count() == len(second) > 0
    assert carry_out(run.pk).state == "done"


class Killed(BaseException):
    """As SIGKILL: nothing after it is done."""


def snapshots_stored():
    return sorted(default_storage.listdir("runs/project-1")[1])


def die(*_):
    raise Killed


@pytest.mark.parametrize("ends", ["done", "failed"])
def test_what_lost_workers_have_written_is_deleted(run, monkeypatch, ends, django_capture_on_commit_callbacks):
    """Killed between the file of the snapshot and its row."""
    for _ in range(2):
        with monkeypatch.context() as deadly, pytest.raises(Killed):
            deadly.setattr(jobs, "_keep", die)
            begin(run.pk, NOON)
        Run.objects.update(heartbeat_at=NOON - LATER)
    assert len(snapshots_stored()) >= 2

    with django_capture_on_commit_callbacks(execute=True):
        if ends == "failed":
            Run.objects.update(attempts=kind_named("run").most_tries)
            swept("run", timezone.now())
        assert carry_out(run.pk).state == ends

    kept = [Run.objects.get().snapshot.name] if ends == "done" else []
    assert [f"runs/project-1/{name}" for name in snapshots_stored()] == kept


def test_slow_part_keeps_the_first_result(run, monkeypatch):
    part = begin(run.pk, NOON)[0]
    compute = jobs.compute

    def overtaken(*arguments):
        monkeypatch.setattr(jobs, "compute", compute)
        RunPart.objects.filter(pk=part).update(heartbeat_at=NOON)
        assert compute_part(part, timezone.now())
        return {"late": True}

    monkeypatch.setattr(jobs, "compute", overtaken)
    compute_part(part, timezone.now())
    row = RunPart.objects.get(pk=part)
    assert (row.state, row.attempts, "late" in row.result) == ("done", 2, False)


def test_part_that_always_kills_its_worker_is_given_up(run):
    parts = begin(run.pk, NOON)
    RunPart.objects.filter(pk=parts[0]).update(
        state="running", heartbeat_at=NOON, attempts=kind_named("part").most_tries
    )
    swept("part", NOON + LATER)
    run.refresh_from_db()
    key = RunPart.objects.get(pk=parts[0]).key
    assert (run.state, run.problem) == ("failed", f"{key}: {GIVEN_UP}")


def test_run_that_always_kills_its_worker_is_given_up(run):
    Run.objects.update(state="running", heartbeat_at=NOON, attempts=kind_named("run").most_tries)
    assert swept("run", NOON + LATER) == []
    run.refresh_from_db()
    assert (run.state, run.problem) == ("failed", GIVEN_UP)


def test_sweep_ends_a_run_whose_last_message_was_lost(run):
    for part in begin(run.pk, NOON):
        compute_part(part, NOON)
    sweep()
    run.refresh_from_db()
    assert run.state == "done"


def test_sweep_begins_what_the_broker_lost(run):
    sweep()
    run.refresh_from_db()
    assert run.state == "done"
    assert swept("run", NOON) == []


@pytest.mark.django_db(transaction=True)
def test_signs_of_life_are_written_while_the_work_goes_on(run, settings):
    settings.WORKER_LOST_AFTER = 0.2
    Run.objects.update(state="running", attempts=1, heartbeat_at=NOON)
    with engine._heartbeat(Run.objects.get(), None):
        for _ in range(200):
            if Run.objects.get().heartbeat_at > NOON:
                break
            time.sleep(0.05)
    assert timezone.now() - Run.objects.get().heartbeat_at < timedelta(seconds=10)


@pytest.mark.django_db(transaction=True)
def test_no_sign_of_life_makes_a_run_look_lost_that_has_begun_to_wait_for_its_parts(run, settings):
    settings.WORKER_LOST_AFTER = 0.2
    Run.objects.update(state="running", attempts=1, heartbeat_at=NOON)
    with engine._heartbeat(Run.objects.get(), None):
        Run.objects.update(heartbeat_at=None)
        time.sleep(settings.WORKER_LOST_AFTER)
    assert Run.objects.get().heartbeat_at is None


# Several at once


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once(run):
    now = timezone.now()
    laid_out = at_once(*[partial(begin, run.pk, now)] * 3)
    assert sorted(map(len, laid_out)) == [0, 0, run.parts.count()]
    part = run.parts.first().pk
    assert sorted(at_once(*[partial(compute_part, part, now)] * 3)) == [False, False, True]
    for other in run.parts.values_list("pk", flat=True):
        compute_part(other, now)
    ended = at_once(*[partial(engine.run, "run", run.pk, timezone.now())] * 3)
    assert sum(outcome is not None for outcome in ended) == 1


@pytest.mark.django_db(transaction=True)
def test_numbers_of_runs_started_at_once(project):
    runs = at_once(*[partial(start_run, project=project, actor=None)] * 3)
    assert sorted(run.number for run in runs) == [1, 2, 3]


@pytest.mark.django_db(transaction=True)
def test_command_and_worker_at_the_same_run(run):
    one, other = at_once(partial(carry_out, run.pk), partial(carry_out, run.pk))
    assert one.state == other.state == "done"
    assert set(run.parts.values_list("attempts", flat=True)) == {1}


# What else a run does


def test_raters_are_screened_first_and_replaced(db):
    project = labelled("project")
    worst = Participation.objects.filter(project=project, pool="crowd").first()
    for judgment in worst.assignments.all():
        judgment.judgments.update(value=0 if judgment.item.gold else 5)
    Participation.objects.update(screened_at=None)
    run = carry_out(start_run(project=project, actor=None, parameters=FAST).pk)
    worst.refresh_from_db()
    assert (worst.state, worst.refill.state) == ("excluded", "invited")
    overview = run.results["overview"]
    assert (overview["ratings"], overview["ratings_counted"]) == (30, 24)


def test_progress_in_one_query(run, django_assert_num_queries):
    start_run(project=run.project, actor=None)
    parts = begin(run.pk, NOON)
    compute_part(parts[0], NOON)
    with django_assert_num_queries(1):
        rows = list(Run.objects.order_by("pk"))
    assert [(row.done, row.total) for row in rows] == [(1, len(parts)), (0, 0)]


def test_task_carries_a_run_through(run):
    run_job.delay("run", run.pk)
    assert Run.objects.get().state == "done"
