"""The command with which a model answers a round, without questions."""

import pytest
from django.core.management import CommandError, call_command

from annotation.domain.planning.rounds import plan_round
from scoring.models import Machine, MachineAnswer
from tests.factories import add_pairs, make_project
from tests.machines.server import KEY, MODEL, error

pytestmark = pytest.mark.django_db
NAMED = ("run_machine", "project", "main", "--name", "judge")


def options(server):
    return ("--url", server.url, "--model", MODEL, "--key-variable", "KEY_OF_JUDGE", "--per-minute", "6000")


def test_the_command_adds_runs_and_continues(server, capsys, monkeypatch):
    project = make_project()
    add_pairs(project, 2)
    with pytest.raises(CommandError, match="Plan the round first"):
        monkeypatch.setenv("KEY_OF_JUDGE", KEY)
        call_command(*NAMED, *options(server))
    plan_round(project=project, round_key="main", people=2)
    prices = ("--price-prompt", "10", "--price-answer", "100", "--budget", "1")

    call_command(*NAMED, *options(server), *prices, "--forecast")
    assert "screens: 2" in capsys.readouterr().out and not server.received
    server.replies = ['{"rating": 2}', error(401, "Expired")]
    with pytest.raises(CommandError, match="does not accept the API key"):
        call_command(*NAMED)
    call_command(*NAMED)

    assert "valid answers: 2\ninvalid answers: 0\ncost: 0.0040" in capsys.readouterr().out
    assert MachineAnswer.objects.count() == 2
    assert (Machine.objects.get().api_key, Machine.objects.get().seed) == (KEY, project.seed)


def test_a_model_that_is_not_there_needs_an_address(server):
    make_project()
    with pytest.raises(CommandError, match="Give its --url and --model"):
        call_command(*NAMED)
    with pytest.raises(CommandError, match="environment variable KEY_OF_JUDGE is not set"):
        call_command(*NAMED, *options(server))
