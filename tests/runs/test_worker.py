"""Runs by a real worker."""

import pytest

from tests.runs.working import Embedded

pytestmark = pytest.mark.slow
EAGER = """
    from config.celery import app
    app.conf.task_always_eager = True
"""
PLAIN = {"splits": 50, "replicates": 1000}
PROJECTS = [
    "relatedness",
    *(pytest.param(name, marks=pytest.mark.thorough) for name in ("news", "dialogues", "labelled")),
]


@pytest.fixture(scope="module")
def embedded(template, tmp_path_factory):
    """Data for small projects, and a worker."""
    one = Embedded(tmp_path_factory.mktemp("worker"), template)
    one.start()
    yield one
    one.kill()


@pytest.mark.thorough
@pytest.mark.parametrize("project", PROJECTS)
def test_command_eager_tasks_and_worker_give_the_same_bytes(embedded, project):
    embedded.do(f"from tests.runs import projects; projects.{project}({project!r})")
    command = embedded.manage("score", project, "--splits", "50").split("\n")[0]
    eager = embedded.start_runs(PLAIN, project=project, before=EAGER)
    worked = embedded.start_runs(PLAIN | {"slices": 1}, PLAIN, project=project)
    assert embedded.wait_for(eager + worked) == ["done"] * 3
    assert embedded.results_of(eager + worked) == [command] * 3
