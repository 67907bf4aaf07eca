"""A model that answers in a real worker, which is killed in the middle of it."""

import json
import time

import pytest

from tests.machines.server import serving
from tests.runs.working import Embedded

pytestmark = [pytest.mark.slow, pytest.mark.thorough]
STARTING = """
    from annotation.models import Project
    from annotation.tasks import run_job
    from scoring.domain.machines.jobs import start_machine
    from tests.factories import NOON
    from tests.machines.worlds import model_of
    from tests.runs.projects import labelled
    project = labelled("project")
    run = start_machine(machine=model_of(project, "{url}", repeats=20), actor=None, now=NOON)
    run_job.delay("machine", run.pk)
    print(run.pk)
"""


def test_a_killed_worker_pays_for_no_stored_answer_again(template, tmp_path):
    with serving() as server:
        embedded = Embedded(tmp_path, template, MODELS_AT_PRIVATE_ADDRESSES=1)
        server.answer = lambda prompt: (time.sleep(0.02), json.dumps({"rating": 1}))[1]
        run = int(embedded.do(STARTING.format(url=server.url))[-1])
        embedded.start()
        try:
            deadline = time.monotonic() + 120
            while len(server.received) < 10:
                assert time.monotonic() < deadline, embedded.rows("SELECT * FROM scoring_machinerun")
                time.sleep(0.01)
            embedded.kill()
            asked = len(server.received)
            assert asked < 120
            embedded.start()
            assert embedded.wait_for([run], table="scoring_machinerun") == ["done"]
        finally:
            embedded.kill()

        ((stored, screens),) = embedded.rows(
            "SELECT (SELECT count(*) FROM scoring_machineanswer), (SELECT count(*) FROM scoring_machinescreen)"
        )
        assert (stored, screens) == (120, 120)
        assert len(server.received) - stored in (0, 1)  # the one answer that came as the worker was killed
