"""Figures are drawn once, by whichever worker comes first, and kept as they are."""

from datetime import timedelta
from hashlib import sha256

import pytest
from django.utils import timezone

from annotation.domain.errors import Refusal
from scoring.domain import illustrating
from scoring.domain.drawing import figures_of
from scoring.domain.illustrating import content_of, drawings_of, illustrate, undrawn
from scoring.domain.running.starting import start_run
from scoring.models import Drawing, Run
from scoring.tasks import draw_what_is_left
from tests.releases.making import run_of
from tests.releases.worlds import dscs
from tests.runs.projects import relatedness

pytestmark = pytest.mark.django_db
LATER = timedelta(minutes=2)


@pytest.fixture
def run() -> Run:
    return run_of(dscs())


def fingerprint(run: Run) -> str:
    """Of all that was kept of a run, to the byte."""
    found = sha256()
    for drawing in run.drawings.order_by("pk"):
        for form in illustrating.FORMS:
            found.update(content_of(drawing, form))
    return found.hexdigest()


def test_figures_are_drawn_once(run):
    now = timezone.now()
    assert [illustrate(run.pk, now) for _ in range(2)] == [True, False]
    assert {drawing.name for drawing in run.drawings.all()} == {figure.name for figure in figures_of(run)}


def test_the_same_run_drawn_again_gives_the_same_bytes(run):
    illustrate(run.pk, timezone.now())
    first = fingerprint(run)
    Drawing.objects.all().delete()
    Run.objects.update(drawn_at=None)
    illustrate(run.pk, timezone.now())
    assert fingerprint(run) == first


def test_whoever_comes_second_leaves_what_is_there(run, monkeypatch):
    drawn = illustrating._drawn(run.pk)
    illustrate(run.pk, timezone.now())
    assert not illustrating._keep(run.pk, drawn)
    assert run.drawings.count() == len(drawn)


def test_no_judgment_is_read_for_a_figure(run, monkeypatch):
    def refuse(content):
        raise AssertionError("The whole snapshot was read.")

    monkeypatch.setattr("scoring.domain.running.snapshots.from_bytes", refuse)
    assert illustrate(run.pk, timezone.now())


def test_a_lost_message_is_made_good_by_the_sweep(run):
    Run.objects.update(heartbeat_at=timezone.now() - LATER)
    draw_what_is_left()
    run.refresh_from_db()
    assert run.drawn_at is not None and run.drawings.exists()


def test_the_sweep_leaves_alone_what_somebody_has_just_taken_up(run):
    now = timezone.now()
    Run.objects.update(heartbeat_at=now - LATER)
    assert [list(undrawn(now)), list(undrawn(now)), list(undrawn(now + LATER))] == [[run.pk], [], [run.pk]]


def test_a_run_whose_snapshot_is_gone_is_given_up_with_the_reason(run):
    run.snapshot.delete(save=False)
    now = timezone.now()
    assert [illustrate(run.pk, now) for _ in range(4)] == [False] * 4
    run.refresh_from_db()
    assert (run.drawing_attempts, run.drawing_error.partition(":")[0]) == (3, "FileNotFoundError")
    assert list(undrawn(now + LATER)) == []


def test_a_snapshot_that_was_changed_is_not_drawn(run):
    Run.objects.update(snapshot_sha256="0" * 64)
    assert not illustrate(run.pk, timezone.now())
    run.refresh_from_db()
    assert run.drawing_error == "ValueError: The stored snapshot is not the one that this run read."


def test_a_run_that_is_not_done_has_no_figures():
    run = start_run(project=relatedness("waiting"), actor=None)
    assert not illustrate(run.pk, timezone.now())
    with pytest.raises(Refusal, match="waiting run 1 has no results to draw: it is waiting"):
        drawings_of(run)
