"""The figures of whole runs, as files."""

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.domain.jobs.engine import complete
from annotation.domain.simulation.rounds import Behaviour, simulate_round
from scoring.domain.figures.figures_of_run import figures_of
from scoring.domain.figures.render_figures import FORMS
from scoring.domain.runs.starting import start_run
from scoring.models import Run
from tests.domain.best_worst import best_worst_project

pytestmark = pytest.mark.django_db


def run_of(project, *rounds: str) -> Run:
    for key in rounds:
        for _ in simulate_round(
            project=project, round_key=key, people=None, behaviour=Behaviour(), seed=1, now=timezone.now()
        ):
            pass
    return complete(start_run(project=project, actor=None, parameters={"splits": 20, "replicates": 10}))


def test_a_best_worst_run_has_its_figures_in_every_form(tmp_path, capsys):
    run = run_of(best_worst_project(12, places=4), "main")
    assert run.state == "done", run.problem

    call_command("figures", "project", "--out", str(tmp_path))

    names = {figure.name for figure in figures_of(run)}
    assert {"score-distribution", "score-violins", "split-half-tuple", "split-half-judgment"} <= names
    forms = (*FORMS, "txt")
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.{form}" for name in names for form in forms}
    assert (tmp_path / "score-distribution.svg").read_text().startswith("<svg")
    assert (tmp_path / "score-distribution.png").read_bytes().startswith(b"\x89PNG")
    assert "12 pairs" in (tmp_path / "score-distribution.txt").read_text()


def test_a_project_without_a_run_has_no_figures():
    best_worst_project()

    with pytest.raises(CommandError, match="There is no such finished run"):
        call_command("figures", "project")
