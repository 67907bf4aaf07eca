"""A real model behind a real server, if there is one: see benchmarks/local_model.py."""

import os

import pytest

from annotation.domain.planning.rounds import plan_round
from scoring.domain.machines.costs import spent_by
from scoring.models import MachineAnswer
from tests.factories import add_pairs, add_texts, make_project
from tests.machines.worlds import model_of, worked
from tests.releases.making import run_of

URL = os.environ.get("SEMBLANCE_MODEL_URL", "")
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.thorough,
    pytest.mark.skipif(not URL, reason="SEMBLANCE_MODEL_URL is not set"),
]


@pytest.mark.parametrize(("preset", "add"), [("stss131", add_pairs), ("best_worst", add_texts)])
def test_a_real_model_answers_a_round(settings, preset, add):
    settings.MODELS_AT_PRIVATE_ADDRESSES = True
    project = make_project(preset)
    add(project, 6)
    plan_round(project=project, round_key="main")

    run = worked(model_of(project, URL, api_key="", model="smollm2", max_tokens=30, sample=4, repeats=2))

    assert run.state == "done", run.problem
    spent = spent_by(run.machine)
    assert spent.answers >= 8 and spent.prompt_tokens > 8 * 20 and spent.answer_tokens > 0
    assert not MachineAnswer.objects.filter(estimated=True).exists()
    arm = run_of(project).results["machines"]["arms"][0]
    assert (arm["screens"], arm["answers"] + arm["given_up"]) == (8, 8)
