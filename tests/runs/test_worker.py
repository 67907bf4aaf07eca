"""Runs by a real worker."""

import pytest

from tests.runs.projects import EVERY
from tests.runs.working import Embedded

pytestmark = [pytest.mark.once, pytest.mark.slow]
EAGER = """
    from config.celery import app
    app.conf.task_always_eager = True
"""


@pytest.fixture
def embedded(tmp_path):
    one = Embedded(tmp_path)
    yield one
    one.kill()


def make(embedded, preset):
    embedded.do(f"from tests.runs.projects import EVERY; EVERY[{preset!r}]('project')")


@pytest.mark.parametrize("preset", EVERY)
def test_command_eager_tasks_and_worker_give_the_same_bytes(embedded, preset):
    make(embedded, preset)
    command = embedded.manage("score", "project", "--splits", "50").split("\n")[0]
    plain = {"splits": 50}
    eager = embedded.start_runs(plain, plain | {"slices": 1}, before=EAGER)
    embedded.start()
    worked = embedded.start_runs(plain, plain | {"slices": 1}, plain | {"slices": 4})
    assert embedded.wait_for(eager + worked) == ["done"] * 5
    assert embedded.results_of(eager + worked) == [command] * 5
