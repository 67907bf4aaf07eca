"""Open rounds in waves: opened, looked at, closed; stopped and continued by hand."""

import pytest

from annotation.domain.participation.waves import is_in_wave, waves_of
from annotation.domain.simulation.answers import Behaviour
from annotation.domain.simulation.rounds import simulate_round
from annotation.models import Decision, JobState, Judgment, Participation, PooledItem, Project
from tests.domain.rating_pool import open_project
from tests.factories import NOON

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
WAVES = {"stopping__first": "2", "stopping__wave": "0.5", "items_a_person": "0"}


def in_waves(pairs: int = 12, **changes: str) -> Project:
    return open_project(pairs, **WAVES | {"stopping__icc": "0.9", "stopping__budget": "8"} | changes)


def simulate(project: Project, **behaviour: float) -> list[Participation]:
    values = {"people": None, "behaviour": Behaviour(**behaviour), "seed": 1, "now": NOON}
    return list(simulate_round(project=project, round_key="main", **values))


def decisions(project: Project) -> list[str]:
    return [wave.decision for wave in waves_of(project, "main")]


def test_only_the_first_wave_is_open_after_planning():
    project = in_waves()
    [wave] = waves_of(project, "main")

    assert set(PooledItem.objects.values_list("planned", flat=True)) == {2}
    assert (wave.number, wave.opened, wave.entries, wave.state) == (1, 24, 12, JobState.WAITING)


def test_a_round_ends_when_its_target_is_reached():
    project = in_waves(stopping__icc="0.7")
    simulate(project, noise=0.02)
    last = waves_of(project, "main").last()

    assert last.decision == Decision.TARGET
    assert last.found["estimate"] >= 0.7
    assert last.found["judgments"] == Judgment.objects.count()
    assert not is_in_wave(project, "main")


def test_a_round_ends_when_its_budget_is_spent():
    project = in_waves(stopping__icc="0.99", stopping__budget="4")
    simulate(project, noise=0.4)

    assert decisions(project)[-1] == Decision.BUDGET
    assert Judgment.objects.count() == 4 * 12
    assert set(decisions(project)[:-1]) == {Decision.CONTINUE}
