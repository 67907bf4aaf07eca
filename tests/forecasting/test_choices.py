"""Forecasts of best-worst scaling against simulations of another kind and printed figures."""

import math

import numpy as np
import pytest

from annotation.planning.errors import PlanningError
from scoring.forecasting.choices import TupleDesign, fit_noise, forecast_choices, people_for_choices, simulated_tuples

SEMREL, GICCS = TupleDesign(4, 2), TupleDesign(3, 2, group=5)


def forecast(noise=1.0, design=SEMREL, items=120, people=4, **values):
    return forecast_choices(noise, design, items=items, people=people, generator=np.random.default_rng(3), **values)


def test_people_without_noise_agree_wholly():
    assert forecast(noise=0.0).reliability.mean == 1
    assert forecast(noise=0.0).half_width == 0


def test_more_people_more_reliability_and_narrower_scores():
    two, four, eight = (forecast(people=people) for people in (2, 4, 8))

    assert two.reliability.mean < four.reliability.mean < eight.reliability.mean
    assert two.truth.mean < four.truth.mean < eight.truth.mean
    assert two.half_width > four.half_width > eight.half_width


def test_more_noise_less_reliability():
    assert forecast(noise=0.5).reliability.mean > forecast(noise=2.0).reliability.mean


def test_pure_noise_has_hardly_any_reliability():
    assert abs(forecast(noise=1000.0, people=2).reliability.mean) < 0.2


def test_one_person_has_no_halves():
    one = forecast(people=1)
    assert math.isnan(one.reliability.mean) and 0 < one.truth.mean < 1


def test_the_interval_holds_what_other_answers_would_give():
    # Two collections from the same worths differ by the root of two times one's error.
    narrow = forecast(people=8, collections=30).half_width
    wide = forecast(people=2, collections=30).half_width
    assert wide / narrow == pytest.approx(2, rel=0.1)  # four times the answers halve the error


@pytest.mark.parametrize(
    ("reliability", "design", "items", "people"),
    # SemRel2024 table 3: Amharic, four people a tuple; GiCCS: BAS SmartKom, 3-turn, five people
    [(0.90, SEMREL, 1258, 4), (0.975, GICCS, 90, 5)],
)
def test_the_noise_of_a_printed_reliability_gives_it_back(reliability, design, items, people):
    noise = fit_noise(reliability, design, items=items, people=people, seed=1)

    assert forecast(noise, design, items, people).reliability.mean == pytest.approx(reliability, abs=0.015)


def test_semrels_reliability_at_four_forecasts_what_it_prints_at_two():
    # SemRel2024 table 3: two people a tuple reached .64 to .85, four .79 to .96.
    noise = fit_noise(0.90, SEMREL, items=1258, people=4, seed=1)
    assert 0.64 < forecast(noise, people=2, items=1258).reliability.mean < 0.85


def test_the_fewest_people_reach_the_target():
    noise = fit_noise(0.85, SEMREL, items=300, people=4, seed=1)

    people = people_for_choices(noise, SEMREL, 0.92, items=300, seed=1)

    assert 4 < people < 20
    assert forecast(noise, people=people, items=300).reliability.mean == pytest.approx(0.92, abs=0.02)


def test_a_target_that_nobody_reaches_needs_no_number():
    assert people_for_choices(30.0, SEMREL, 0.99, items=60, seed=1) is None


def test_items_of_other_groups_never_meet_and_groups_stay_whole():
    tuples = simulated_tuples(GICCS, GICCS.simulated(300))

    assert len(tuples) == 300 // 5 * 10
    assert (tuples // 5 == tuples[:, :1] // 5).all()
    assert GICCS.simulated(1003) % 5 == 0 and GICCS.simulated(3) == 5


@pytest.mark.parametrize("wrong", [{"people": 0}, {"noise": -1.0}])
def test_no_people_and_negative_noise_are_refused(wrong):
    with pytest.raises(ValueError, match="at least one annotator"):
        forecast(**wrong)


@pytest.mark.parametrize(("reliability", "people"), [(0.0, 4), (1.0, 4), (0.5, 1)])
def test_noise_needs_a_reliability_of_two_people_at_least(reliability, people):
    with pytest.raises(ValueError, match="at least two annotators"):
        fit_noise(reliability, SEMREL, items=30, people=people, seed=1)


def test_fewer_items_than_a_tuple_holds_are_refused():
    with pytest.raises(PlanningError, match="at least 4 items"):
        forecast(items=3)
