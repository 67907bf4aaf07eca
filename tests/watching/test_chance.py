"""What chance gives: bounds with a stated rate of false alarms."""

from functools import partial

import numpy as np
import pytest
from scipy.stats import binom

from benchmarks.rounds import (
    CONTRARY,
    HONEST,
    LIMITS,
    NOISE,
    PEOPLE,
    again_round,
    answers_of,
    calibrated_round,
    figures_of,
    labelled_round,
    repeated_round,
    simulated,
    straight_round,
    timed_round,
)
from scoring.domain.monitoring import wording
from scoring.models import MonitoringOptions
from scoring.stats.chance import (
    correlation_bounds,
    distance_bounds,
    independent_answers,
    level_of_each,
    longest_by_chance,
    median_by_chance,
    most_by_chance,
    share_bounds,
)
from scoring.stats.flags import PeopleFigures, raise_flags
from scoring.stats.limits import Kind, Thresholds
from scoring.stats.people import variance_within
from scoring.summaries.monitoring import people_figures
from scoring.summaries.work import Work

EVERYBODY = np.ones(30, np.bool_)
LEVEL = level_of_each(0.01, EVERYBODY)


def raised(kind: Kind, draw, odd: float, rounds: int) -> np.ndarray:
    """Who gets this flag, shape (rounds, people)."""
    return np.array([[kind in flags for flags in raise_flags(draw(odd), LIMITS)] for _ in range(rounds)])


@pytest.mark.parametrize(("answers", "spread", "beyond_the_limit"), [(10, 0.83, 0.5), (30, 1.05, 0.3)])
def test_honest_people_are_not_apart_from_the_others_however_noisy_the_group(answers, spread, beyond_the_limit):
    generator = np.random.default_rng(5)
    draw = partial(simulated, "choices", answers, spread, generator=generator)

    alone = np.mean([draw(HONEST).agreement < LIMITS.agreement for _ in range(10)])

    assert alone > beyond_the_limit
    assert raised(Kind.APART, draw, HONEST, 60).any(axis=1).mean() <= 0.05


def test_somebody_who_takes_it_the_wrong_way_round_is_found_and_nobody_else():
    draw = partial(simulated, "choices", 30, 1.4, generator=np.random.default_rng(5))

    found = raised(Kind.APART, draw, CONTRARY, 10)

    assert found[:, 0].mean() >= 0.8
    assert not found[:, 1:].any()


@pytest.mark.parametrize("excluded", [False, True])
def test_people_with_only_calibration_answers_are_in_the_group_unless_they_are_excluded(excluded):
    people, nothing = np.repeat(np.arange(PEOPLE), 3), np.full(PEOPLE, np.nan)
    columns = {"expected": np.tile([0.0, 3.0, 6.0], PEOPLE), "values": np.tile([6.0, 0.0, 0.0], PEOPLE)}
    answers = answers_of(people, **columns, main=people < 0, counted=people < 0)
    gone = np.full(PEOPLE, excluded)
    work = Work(answers, gone, np.zeros(0), 0 * nothing, nothing, np.zeros(0), 0.0, 6.0, 1.0, 1)

    found = people_figures(work, LIMITS)

    assert found.calibration_distance == pytest.approx(np.full(PEOPLE, 15 / 18))
    # Everybody is as far from the expected ratings as the others are; without others the paper's people tell.
    assert (found.calibration_distance > found.calibration_distance_bound).all() == excluded


def test_who_repeats_as_well_as_the_papers_people_is_not_unlike_themselves():
    draw = partial(repeated_round, 5, generator=np.random.default_rng(5))

    alone = np.mean([draw(HONEST).repeat_distance > LIMITS.repeat_distance for _ in range(10)])

    assert alone > 0.05
    assert raised(Kind.REPEATS, draw, HONEST, 60).any(axis=1).mean() <= 0.05


def at_the_limit(generator: np.random.Generator) -> PeopleFigures:
    """Everybody's figures in a round in which the true medians are at the limit, and places are chosen at random."""
    people, places = np.repeat(np.arange(PEOPLE), 24), np.arange(PEOPLE * 24)
    shown = generator.permuted(np.tile(np.arange(4), (len(people), 1)), axis=1)
    seconds = 4 * LIMITS.median_seconds * generator.lognormal(0, 0.4, len(people))
    columns = {"tuples": places, "shown": shown, "best": shown[:, 0] * 0, "worst": shown[:, 1] * 0 + 1}
    return figures_of(answers_of(people, seconds=seconds, **columns), 4, 4)


def test_people_at_the_limit_of_speed_who_choose_any_place_are_hardly_flagged():
    generator = np.random.default_rng(5)

    found = [set().union(*raise_flags(at_the_limit(generator), LIMITS)) for _ in range(60)]

    assert sum(Kind.SPEED in kinds for kinds in found) <= 2
    assert not any(Kind.STRAIGHT in kinds for kinds in found)


def test_the_false_alarms_of_a_round_are_shared_by_its_people():
    assert level_of_each(0.01, EVERYBODY) == pytest.approx(0.01 / 30)
    assert level_of_each(0.01, ~EVERYBODY) == 0.01


@pytest.mark.parametrize(
    ("number", "share", "level"), [(10, 0.2, 1e-4), (24, 0.25, 1e-3), (4, 0.5, 0.005), (1, 0.5, 0.1)]
)
def test_the_most_by_chance_is_the_quantile_of_a_binomial_distribution(number, share, level):
    (most,) = most_by_chance(np.array([float(number)]), share, level)

    assert binom.sf(most, number, share) <= level
    assert most == 0 or binom.sf(most - 1, number, share) > level


def test_nothing_is_expected_of_nobody():
    nobody = np.array([0.0, np.nan])

    assert np.isnan(most_by_chance(nobody, 0.5, 0.01)).all()
    assert np.isnan(median_by_chance(nobody, 2.0, 0.5, 0.01)).all()


def test_a_run_longer_than_the_bound_is_less_probable_than_the_level():
    generator = np.random.default_rng(1)
    (longest,) = longest_by_chance(np.array([40.0]), np.array([0.5]), 0.05)

    coins = generator.random((2000, 40)) < 0.5
    sums = np.cumsum(coins, axis=1)
    width = int(np.floor(longest)) + 1
    windows = sums[:, width:] - sums[:, :-width]
    long = (windows == width).any(axis=1) | (sums[:, width - 1] == width)

    assert 0 < long.mean() <= 0.05


def test_fewer_answers_leave_more_to_chance():
    answers = np.array([10.0, 30.0, 100.0] * 10)
    alike = np.full(30, 0.6)

    for lowest in (
        correlation_bounds(alike, answers, EVERYBODY, LEVEL),
        share_bounds(alike, answers, 0.12, 0.5, EVERYBODY, LEVEL),
        median_by_chance(answers, 2.0, 0.5, LEVEL),
    ):
        assert lowest[0] < lowest[1] < lowest[2]
    most = distance_bounds(np.full(30, 0.1), answers, 0.2, 0.005, EVERYBODY, LEVEL)
    assert most[0] > most[1] > most[2] > 0.1


def test_a_group_that_varies_more_has_wider_bounds():
    answers, generator = np.full(30, 50.0), np.random.default_rng(3)
    alike, varied = (np.tanh(0.8 + generator.normal(0, spread, 30)) for spread in (0.14, 0.5))

    assert (
        correlation_bounds(varied, answers, EVERYBODY, LEVEL)[0]
        < correlation_bounds(alike, answers, EVERYBODY, LEVEL)[0]
    )


def test_a_few_odd_people_hardly_move_the_bound():
    answers, generator = np.full(30, 50.0), np.random.default_rng(3)
    honest = np.tanh(0.8 + generator.normal(0, 1 / np.sqrt(47), 30))
    odd = np.where(np.arange(30) < 3, -0.6, honest)

    before, after = (correlation_bounds(one, answers, EVERYBODY, LEVEL)[0] for one in (honest, odd))

    assert -0.6 < after < before
    assert before - after < 0.2


def test_of_two_people_nobody_is_apart_and_repeats_go_by_the_paper():
    two, answers = np.array([True, True]), np.array([5.0, 5.0])

    assert np.isnan(correlation_bounds(np.array([0.1, 0.1]), answers, two, 0.01)).all()
    assert (distance_bounds(np.array([0.0, 0.9]), answers, 0.186, 0.005, two, 0.01) > 0.3).all()


def test_the_variance_within_people_leaves_their_means_out():
    people, values = np.array([0, 0, 1, 1, 2]), np.array([1.0, 3.0, 11.0, 13.0, np.nan])

    assert variance_within(people, values, 3) == pytest.approx(4 / 2)
    assert np.isnan(variance_within(people[:1], values[:1], 1))


def test_a_flag_says_what_was_expected():
    evidence = {"agreement": -0.31, "agreement_bound": 0.118, "shared": 24.0}

    assert wording.reason(Kind.APART, evidence) == (
        "Agreement of -0.31 with the others over 24 answers. Expected: at least 0.12."
    )
    assert wording.reason(Kind.APART, evidence | {"agreement_bound": None}) == (
        "Agreement of -0.31 with the others over 24 answers."
    )
    repeats = {"repeat_distance": 0.5, "repeat_distance_bound": 0.334, "repeated": 5.0}
    assert (
        wording.reason(Kind.REPEATS, repeats)
        == "Off by 50% of the scale on average over 5 pairs. Expected: at most 33%."
    )


def test_the_rule_of_flags_has_the_projects_false_alarm_rate():
    assert "in at most 1% of rounds" in wording.rule(MonitoringOptions())
    assert "in at most 0.5% of rounds" in wording.rule(MonitoringOptions(false_alarms=0.005))


BEYOND_BOUNDS = Thresholds(
    longest_run=1,
    position_share=0,
    contradictions=0,
    practice_right=1,
    calibration_distance=0,
    repeat_distance=0,
)
"""Limits that everybody is beyond, so that the bounds alone raise flags."""


@pytest.mark.parametrize(
    ("kind", "draw"),
    [
        (Kind.GOLD, partial(labelled_round, "choices", 10, NOISE["choices"][0.6])),
        (Kind.GOLD, partial(labelled_round, "ratings", 30, NOISE["ratings"][0.7])),
        (Kind.CALIBRATION, partial(calibrated_round, 3, NOISE["ratings"][0.9])),
        (Kind.CALIBRATION, partial(calibrated_round, 100, NOISE["ratings"][0.9])),
        (Kind.REPEATS, partial(again_round, 100, NOISE["ratings"][0.9])),
        (Kind.STRAIGHT, partial(simulated, "ratings", 30, NOISE["ratings"][0.8])),
        (Kind.STRAIGHT, partial(simulated, "choices", 10, NOISE["choices"][0.8])),
    ],
)
def test_bounds_alone_keep_the_false_alarms_of_a_round(kind, draw):
    generator = np.random.default_rng(7)

    flags = [raise_flags(draw(HONEST, generator), BEYOND_BOUNDS) for _ in range(150)]

    # Of 150 rounds with 1% each, more than five have a flag with a probability of 0.4%.
    assert sum(any(kind in one for one in everybody) for everybody in flags) <= 5


@pytest.mark.parametrize("spread", [0.4, 1.2])
def test_nobody_is_too_fast_whose_median_or_share_of_quick_answers_is_at_the_limit(spread):
    generator = np.random.default_rng(7)

    flags = [raise_flags(timed_round(30, spread, 1.0, generator), LIMITS) for _ in range(150)]

    assert sum(any(Kind.SPEED in one for one in everybody) for everybody in flags) <= 5


@pytest.mark.parametrize("kind", ["choices", "ratings"])
def test_who_answers_without_looking_is_found_and_nobody_else(kind):
    generator = np.random.default_rng(7)

    found = [raise_flags(straight_round(kind, 30, NOISE[kind][0.8], 1.0, generator), LIMITS) for _ in range(5)]

    assert all(Kind.STRAIGHT in flags[0] for flags in found)
    assert not any(Kind.STRAIGHT in one for flags in found for one in flags[1:])


def test_answers_of_a_screen_that_go_together_count_for_less():
    wrong, half = np.array([1.0, 0.0, 1.0, 0.0, np.nan]), np.array([1.0, 1.0, 0.0, 0.0, 0.0])

    assert independent_answers(wrong, wrong) == 0.5
    assert independent_answers(wrong, half) == 1
    assert independent_answers(wrong, 1 - wrong) == 1
    assert independent_answers(wrong[:1], wrong[:1]) == 1


def test_distances_on_a_coarse_scale_vary_more_than_normal_ones():
    distances, answers = np.full(30, 0.1), np.full(30, 10.0)

    fine, coarse = (
        distance_bounds(distances, answers, 0.2, variance, EVERYBODY, LEVEL)[0] for variance in (0.0057, 0.02)
    )

    assert 0.1 < fine < coarse
