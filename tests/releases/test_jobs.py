"""A release is made once, by one worker, whoever dies on the way; and then nothing of it changes."""

from datetime import timedelta

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone

from annotation.domain.errors import Refusal
from annotation.domain.jobs.control import cancel, retry
from annotation.domain.jobs.engine import complete, run
from annotation.domain.jobs.kinds import kind_named
from annotation.tasks import sweep
from scoring.domain.releases import jobs, release_storage
from scoring.domain.runs.starting import start_run
from scoring.models import Release, ReleaseFile
from scoring.models.releases import Immutable
from tests.factories import at_once, make_project
from tests.jobs import attempt, swept
from tests.releases.making import contents, released, run_of
from tests.releases.worlds import dscs, semrel

pytestmark = pytest.mark.postgres

LATER = timedelta(minutes=10)


def waiting(project, run=None, **asked) -> Release:
    return jobs.request_release(project=project, actor=None, run=run or run_of(project), **asked)


@pytest.fixture(autouse=True)
def a_folder_of_its_own(settings, tmp_path):
    """Every test has a project of the same key, and looks at all attempts that are stored for its first release."""
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def project(db):
    return dscs()


def stored(release):
    place = f"releases/{release.project.key}/{release.number}"
    return default_storage.listdir(place)[0] if default_storage.exists(place) else []


def test_a_request_is_for_the_last_run_that_is_done(project, user):
    run_of(project)
    second = run_of(project)
    release = jobs.request_release(project=project, actor=user, licence="CC-BY-4.0")
    assert (release.run, release.number, release.state, release.created_by) == (second, 1, "waiting", user)


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"licence": "mine, all mine"}, "Enter the licence as an SPDX identifier, for example CC-BY-4.0."),
        ({"options": {"colour": "red"}}, "There is no release option “colour”. Use one of: apart, seed, sizes."),
        ({"options": {"seed": -1}}, "The random seed must be a whole number of 0 or more."),
        (
            {"options": {"sizes": 5}},
            "“sizes” must be text such as train=0.8,dev=0.1,test=0.1, and “apart” must be true or false.",
        ),
        ({"options": {"sizes": "all=1.0"}}, "“all” is not a part of the dataset. Use one of: train, dev, test."),
    ],
)
def test_requests_that_are_refused(db, asked, reason):
    project = semrel()
    with pytest.raises(Refusal) as refused:
        waiting(project, **asked)
    assert (str(refused.value), project.releases.count()) == (reason, 0)


def test_without_a_run_there_is_no_release(db):
    with pytest.raises(Refusal, match="No scoring run has finished yet"):
        jobs.request_release(project=make_project(), actor=None)


def test_a_run_of_another_project_is_refused(project):
    with pytest.raises(Refusal, match="finished scoring run of this project"):
        waiting(make_project("dscs", key="other"), run_of(project))


def test_a_release_is_made_once(project):
    release = waiting(project)
    assert [attempt(release) for _ in range(3)] == ["done"] * 3
    assert release.attempts == 1


def test_a_worker_that_fails_in_the_middle_leaves_nothing_behind(
    project, monkeypatch, django_capture_on_commit_callbacks
):
    run = run_of(project)
    whole = released(project, run)
    release = waiting(project, run)
    keep = release_storage._store

    def break_down(own, name, path, listed):
        if name == "manifest.json":
            raise OSError("The disk is full.")
        return keep(own, name, path, listed)

    with monkeypatch.context() as broken:
        broken.setattr(release_storage, "_store", break_down)
        assert attempt(release) == "waiting"
    assert ("OSError: The disk is full." in release.problem, release.files.count()) == (True, 0)

    with django_capture_on_commit_callbacks(execute=True):
        sweep()

    release.refresh_from_db()
    assert (release.state, release.problem, release.attempts) == ("done", "", 2)
    assert contents(release) == contents(whole)
    assert stored(release) == ["2"]


class Killed(BaseException):
    """As SIGKILL: nothing after it is done."""


def test_a_worker_that_is_killed_is_replaced(project, monkeypatch, django_capture_on_commit_callbacks):
    run = run_of(project)
    whole = released(project, run)
    release = waiting(project, run)

    def die(*_):
        raise Killed

    for place in ("_publish", "make_files"):
        with monkeypatch.context() as deadly, pytest.raises(Killed):
            deadly.setattr(jobs, place, die)
            attempt(release)
        assert swept("release", timezone.now()) == []
        Release.objects.filter(pk=release.pk).update(heartbeat_at=timezone.now() - LATER)
        assert swept("release", timezone.now()) == [release.pk]

    with django_capture_on_commit_callbacks(execute=True):
        assert attempt(release) == "done"
    assert contents(release) == contents(whole)
    assert stored(release) == ["3"]


def test_a_worker_taken_for_lost_changes_nothing_when_it_comes_back(project, monkeypatch):
    release = waiting(project)
    publish = jobs._publish

    def late(*made):
        monkeypatch.setattr(jobs, "_publish", publish)
        Release.objects.filter(pk=release.pk).update(heartbeat_at=timezone.now() - LATER)
        assert attempt(Release.objects.get(pk=release.pk)) == "done"
        return publish(*made)

    monkeypatch.setattr(jobs, "_publish", late)
    attempt(release)
    assert (release.state, release.attempts, stored(release)) == ("done", 2, ["2"])
    assert "manifest.json" in contents(release)


def test_a_release_that_loses_every_worker_fails(project):
    release = waiting(project)
    lost = {"state": "running", "attempts": kind_named("release").most_tries, "heartbeat_at": timezone.now() - LATER}
    Release.objects.filter(pk=release.pk).update(**lost)
    assert swept("release", timezone.now()) == []
    release.refresh_from_db()
    assert (release.state, release.problem) == ("failed", "The worker stopped responding in every attempt.")


def test_a_split_that_cannot_be_made_ends_the_release_with_the_reason(db):
    release = released(semrel(), options={"sizes": "train=5,dev=2"})
    assert (release.state, release.attempts) == ("failed", 1)
    assert release.problem.startswith("The sizes add up to 7, not to 12 items")


def test_a_snapshot_that_was_changed_is_not_released(project, django_capture_on_commit_callbacks):
    run = run_of(project)
    with open(run.snapshot.path, "ab") as file:
        file.write(b"!")
    with django_capture_on_commit_callbacks(execute=True):
        release = released(project, run)
    assert (release.state, release.attempts, stored(release)) == ("failed", 3, [])
    assert "is not the one used by this scoring run" in release.problem


def test_nothing_of_a_release_changes(project):
    release = released(project)
    own = release.files.first()
    for change in (
        release.save,
        release.delete,
        own.save,
        own.delete,
        lambda: release.save(update_fields=["licence"]),
        Release.objects.all().delete,
        ReleaseFile.objects.all().delete,
        release.files.all().delete,
    ):
        with pytest.raises(Immutable):
            change()
    release.leaderboard_open = True
    release.save(update_fields=["leaderboard_open"])
    assert Release.objects.get(pk=release.pk).leaderboard_open


@pytest.mark.django_db(transaction=True)
def test_of_many_workers_one_makes_the_release():
    project = dscs()
    release = waiting(project)
    made = at_once(*[lambda: run("release", release.pk, timezone.now())] * 3)
    assert sorted(made, key=str) == [None, None, []]
    assert stored(release) == ["1"]


@pytest.mark.django_db(transaction=True)
def test_releases_asked_for_at_once_have_numbers_of_their_own():
    project = dscs()
    run = run_of(project)
    made = at_once(*[lambda: waiting(project, run)] * 3)
    assert sorted(release.number for release in made) == [1, 2, 3]


def test_a_release_waits_for_its_run_and_fails_with_it(project, user):
    pending, doomed = (start_run(project=project, actor=None) for _ in range(2))
    made, lost = (jobs.release_after(run=one, actor=None, licence="CC-BY-4.0") for one in (pending, doomed))
    assert run("release", made.pk, timezone.now()) is None

    assert complete(pending).state == "done"
    assert ("release", made.pk) in kind_named("run").followers(pending)
    assert complete(made).state == "done"
    cancel(job=doomed, actor=user, now=timezone.now())
    lost.refresh_from_db()
    assert (lost.state, lost.problem) == ("failed", "The scoring run did not finish.")
    with pytest.raises(Refusal, match="Retry the run first"):
        retry(job=lost, actor=user, now=timezone.now())
