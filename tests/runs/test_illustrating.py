"""Figures are drawn once, by whichever worker comes first, and kept as they are."""

from hashlib import sha256

import pytest
from django.utils import timezone

from annotation.domain.errors import Refusal
from annotation.tasks import sweep
from scoring.domain.figures import render_figures
from scoring.domain.figures.figures_of_run import figures_of
from scoring.domain.figures.render_figures import content_of, stored_figures
from scoring.domain.runs.starting import start_run
from scoring.models import FigureRendering, Run, RunFigure
from tests.jobs import LOST, attempt, swept
from tests.releases.making import run_of
from tests.releases.worlds import dscs
from tests.runs.projects import relatedness

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    return run_of(dscs())


def fingerprint(run: Run) -> str:
    """Of all that was kept of a run, to the byte."""
    found = sha256()
    for drawing in run.figures.order_by("pk"):
        for form in render_figures.FORMS:
            found.update(content_of(drawing, form))
    return found.hexdigest()


def test_figures_are_drawn_once(run):
    assert [attempt(run.rendering) for _ in range(2)] == ["done", "done"]
    assert run.rendering.attempts == 1
    assert {drawing.name for drawing in run.figures.all()} == {figure.name for figure in figures_of(run)}


def test_the_same_run_drawn_again_gives_the_same_bytes(run):
    attempt(run.rendering)
    first = fingerprint(run)
    RunFigure.objects.all().delete()
    Run.objects.update(drawn_at=None)
    FigureRendering.objects.update(state="waiting")
    attempt(FigureRendering.objects.get())
    assert fingerprint(run) == first


@pytest.mark.postgres
def test_whoever_comes_second_leaves_what_is_there(run, monkeypatch):
    drawn = render_figures._drawn(run.pk)
    attempt(run.rendering)
    assert not render_figures._keep(run.pk, drawn)
    assert run.figures.count() == len(drawn)


def test_no_judgment_is_read_for_a_figure(run, monkeypatch):
    def refuse(content):
        raise AssertionError("The whole snapshot was read.")

    monkeypatch.setattr("scoring.domain.runs.snapshots.stored", refuse)
    assert attempt(run.rendering) == "done"


@pytest.mark.postgres
def test_a_lost_message_is_made_good_by_the_sweep(run):
    sweep()
    run.refresh_from_db()
    assert run.drawn_at is not None and run.figures.exists()


@pytest.mark.postgres
def test_the_sweep_leaves_alone_what_somebody_has_just_taken_up(run):
    now = timezone.now()
    pk = run.rendering.pk
    assert [swept("figures", moment) for moment in (now, now, now + 2 * LOST)] == [[pk], [], [pk]]


def test_a_run_whose_snapshot_is_gone_is_given_up_with_the_reason(run):
    run.snapshot.delete(save=False)
    rendering = run.rendering
    assert [attempt(rendering) for _ in range(4)] == ["waiting", "waiting", "failed", "failed"]
    assert (rendering.attempts, "FileNotFoundError" in rendering.problem) == (3, True)
    assert swept("figures", timezone.now() + 2 * LOST) == []


def test_a_snapshot_that_was_changed_is_not_drawn(run):
    Run.objects.update(snapshot_sha256="0" * 64)
    assert attempt(run.rendering) == "waiting"
    assert "The stored snapshot is not the one used by this scoring run." in run.rendering.problem


def test_a_run_that_is_not_done_has_no_figures():
    run = start_run(project=relatedness("waiting"), actor=None)
    assert not hasattr(run, "rendering")
    with pytest.raises(Refusal, match="waiting run 1 has no results to draw: it is waiting"):
        stored_figures(run)
