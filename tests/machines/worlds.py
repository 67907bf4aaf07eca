"""Models in small projects."""

from scoring.domain.machines.adding import add_machine
from scoring.domain.machines.jobs import start_machine
from tests.factories import NOON
from tests.jobs import attempt
from tests.machines.server import KEY, MODEL


def model_of(project, url, *, actor=None, **values):
    """A model that answers in the project's only round, as fast as the server does."""
    usual = {
        "round": "main",
        "name": "judge",
        "url": url,
        "api_key": KEY,
        "model": MODEL,
        "seed": 5,
        "temperature": 0.0,
        "per_minute": 6000,
    }
    return add_machine(project=project, actor=actor, now=NOON, values=usual | values)


def worked(machine):
    """The job of a model after one start and as many attempts as it takes."""
    run = start_machine(machine=machine, actor=None, now=NOON)
    while attempt(run) == "waiting" and run.not_before is None:
        pass
    return run
