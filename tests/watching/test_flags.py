"""Each flag is raised by a simulated person built to deserve it, and not by a careful one."""

from datetime import timedelta

import numpy as np
import pytest

from annotation.domain.planning.rounds import plan_round
from annotation.domain.simulation.answers import Behaviour
from annotation.domain.simulation.rounds import simulate_round
from annotation.models import Project
from scoring.models import PersonStatistics
from scoring.stats.flags import PeopleFigures, raise_flags
from scoring.stats.limits import Kind, Thresholds
from tests.factories import NOON, add_incidents, add_pairs, make_project
from tests.watching.worlds import measure_project

LATER = NOON + timedelta(days=90)


def simulated(project: Project, round_key: str, people: int | None, **shares: float) -> list[int]:
    """The participations of so many people who behave like that."""
    behaviour = Behaviour(**shares)
    sittings = simulate_round(
        project=project, round_key=round_key, people=people, behaviour=behaviour, seed=5, now=NOON
    )
    return [one.pk for one in sittings]


def flags(project: Project, people: list[int]) -> list[set[str]]:
    rows = PersonStatistics.objects.filter(participation__project=project).values_list("participation", "flags")
    raised = {pk: set(own) for pk, own in rows}
    return [raised[pk] for pk in people]


@pytest.mark.thorough
@pytest.mark.slow
def test_ratings_of_fifty_careful_people_raise_none_and_those_of_others_theirs(db):
    project = make_project("stss131")
    pairs = add_pairs(project, 24)
    for place, pair in enumerate(pairs):
        pair.gold = place % 2 == 0
        pair.save()
    plan_round(project=project, round_key="main", people=54)
    careful = simulated(project, "main", 50)
    others = {
        name: simulated(project, "main", 1, **{name: 1.0}) for name in ("hasty", "straight", "contrary", "careless")
    }

    measure_project(project.pk, LATER)

    assert flags(project, careful) == [set()] * 50
    assert flags(project, others["hasty"]) == [{Kind.SPEED}]
    assert flags(project, others["straight"]) == [{Kind.STRAIGHT}]
    assert flags(project, others["contrary"]) == [{Kind.GOLD, Kind.APART}]
    assert flags(project, others["careless"]) == [{Kind.SPEED, Kind.APART}]


@pytest.mark.slow
def test_calibration_and_repeats_of_a_validation_round(db):
    small = {"R1__incidents": "4", "R2__tuples": "6", "R3__annotators": "2", "R3__tuples": "6"}
    small |= {"R3__stack_size": "2", "R3__calibration": "0,3,6", "R3__intra": "2"}
    project = make_project("czech_news", **small)
    add_incidents(project, 16, summary=3, reports=3, sentences=6)
    for round_key in ("R1", "R2"):
        plan_round(project=project, round_key=round_key)
        simulated(project, round_key, None)
    plan_round(project=project, round_key="R3")
    missing = simulated(project, "R3", 1, uncalibrated=1.0)
    forgetful = simulated(project, "R3", 1, forgetful=1.0)
    careful = simulated(project, "R3", None)

    measure_project(project.pk, LATER)

    assert flags(project, missing) == [{Kind.CALIBRATION}]
    assert flags(project, forgetful) == [{Kind.REPEATS}]
    assert len(careful) == 10
    assert flags(project, careful) == [set()] * 10


@pytest.mark.slow
def test_choices_with_a_habit_in_haste_or_against_everybody(db):
    project = make_project("semrel", tuples_a_person="24", main__people="8")
    add_pairs(project, 24)
    plan_round(project=project, round_key="main")
    careful = simulated(project, "main", 13)
    others = {name: simulated(project, "main", 1, **{name: 1.0}) for name in ("straight", "contrary", "hasty")}

    measure_project(project.pk, LATER)

    assert flags(project, careful) == [set()] * 13
    assert flags(project, others["straight"]) == [{Kind.STRAIGHT, Kind.APART}]
    assert flags(project, others["contrary"]) == [{Kind.APART}]
    assert flags(project, others["hasty"]) == [{Kind.SPEED}]


def figures(**own: float) -> PeopleFigures:
    """One person of whom only these figures are known; chance gives none of them where no bound is named."""
    low = ("median_seconds_bound", "practice_right_bound", "agreement_bound")
    names = PeopleFigures.__dataclass_fields__
    own = {name: np.inf if name in low else -np.inf for name in names if name.endswith("_bound")} | own
    return PeopleFigures(**{name: np.array([own.get(name, np.nan)], dtype=float) for name in names})


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ({"answers": 10, "median_seconds": 1.9}, {Kind.SPEED}),
        ({"answers": 10, "median_seconds": 2.0, "quick_share": 0.2}, set()),
        ({"answers": 10, "median_seconds": 5.0, "quick_share": 0.3}, {Kind.SPEED}),
        ({"answers": 9, "median_seconds": 0.1}, set()),
        ({"answers": 40, "longest_run": 12}, {Kind.STRAIGHT}),
        ({"answers": 40, "longest_run": 11}, set()),
        ({"answers": 40, "longest_run": 30, "longest_run_bound": 30}, set()),
        ({"answers": 40, "position_share": 0.6}, {Kind.STRAIGHT}),
        ({"answers": 40, "position_share": 0.6, "position_share_bound": 0.6}, set()),
        ({"labelled": 10, "contradictions": 0.81}, {Kind.GOLD}),
        ({"labelled": 10, "contradictions": 0.8}, set()),
        ({"labelled": 10, "contradictions": 0.9, "contradictions_bound": 0.9}, set()),
        ({"labelled": 9, "contradictions": 1.0}, set()),
        ({"practised": 4, "practice_right": 0.25}, {Kind.GOLD}),
        ({"practised": 2, "practice_right": 0.0}, set()),
        ({"practised": 4, "practice_right": 0.25, "practice_right_bound": 0.25}, set()),
        ({"calibrated": 3, "calibration_distance": 0.26}, {Kind.CALIBRATION}),
        ({"calibrated": 2, "calibration_distance": 1.0}, set()),
        ({"repeated": 3, "repeat_distance": 0.26}, {Kind.REPEATS}),
        ({"repeated": 3, "repeat_distance": 0.25}, set()),
        ({"repeated": 3, "repeat_distance": 0.5, "repeat_distance_bound": 0.6}, set()),
        ({"shared": 10, "agreement": 0.19}, {Kind.APART}),
        ({"shared": 10, "agreement": 0.2}, set()),
        ({"shared": 10, "agreement": 0.1, "agreement_bound": 0.05}, set()),
        ({"shared": 10, "agreement": 0.1, "agreement_bound": np.nan}, set()),
        ({}, set()),
    ],
)
def test_a_flag_is_raised_beyond_its_limit_and_with_enough_to_judge_by(own, expected):
    assert [set(flags) for flags in raise_flags(figures(**own), Thresholds())] == [expected]


def test_a_flag_shows_the_figures_that_raised_it():
    own = {"median_seconds": 0.5, "median_seconds_bound": 1.2, "quick_share": 1.0, "quick_share_bound": 0.4}

    (flags,) = raise_flags(figures(answers=20, **own), Thresholds())

    assert flags == {Kind.SPEED: {**own, "answers": 20.0}}


def test_limits_can_be_moved():
    own = figures(answers=20, median_seconds=3.0)

    assert raise_flags(own, Thresholds(median_seconds=4.0))[0].keys() == {Kind.SPEED}
