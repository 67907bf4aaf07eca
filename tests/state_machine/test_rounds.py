"""Whatever people, managers, clocks and networks do in a round: after each step its rules hold.

Hypothesis chooses the steps. People come, consent, practise, answer, go back, leave and stop; their browsers repeat
requests, send them late, or send what is not theirs; managers exclude, reinstate, reassign, pause and change items; the
clock moves, once in a while backwards. At the end of each sequence everybody finishes, and no answer is missing.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.state_machine.machine import Round
from tests.state_machine.worlds import WORLDS

USUAL = ("czech_news R1", "semrel", "rating", "two_contexts")
"""Worlds of each kind of judgment, with places planned ahead and from a pool, and with a pause."""
FEW = settings(max_examples=2, stateful_step_count=8, suppress_health_check=list(HealthCheck))
MANY = settings(FEW, max_examples=20, stateful_step_count=50)
LEAST_STEPS = 10_000


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    return lambda moment: monkeypatch.setattr(timezone, "now", lambda: moment)


@pytest.mark.parametrize("name", USUAL)
def test_the_rules_of_a_round_hold_after_each_step(db, set_clock, name):
    run_state_machine_as_test(partial(Round, name, WORLDS[name](), set_clock), settings=FEW)


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
def test_the_rules_of_a_round_hold_after_each_of_many_steps(db, set_clock, name):
    before = Round.steps[name]

    run_state_machine_as_test(partial(Round, name, WORLDS[name](), set_clock), settings=MANY)

    assert Round.steps[name] - before >= LEAST_STEPS / len(WORLDS)
