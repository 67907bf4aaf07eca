"""What is known of scores after a wave, and what the next wave is for: small worlds whose truth is known."""

import numpy as np
import pytest

from annotation.protocols.stopping import TargetKind
from scoring.forecasting.stopping.allocation import Aim, Pool, allocate
from scoring.forecasting.stopping.precision import judged_choices, judged_ratings, precision_of
from scoring.forecasting.stopping.reliability import Estimate, estimate_of, icc_of, split_half_of
from scoring.stats.agreement import intraclass_correlation
from scoring.stats.choices import Choices

POINTS = np.arange(101.0)
ITEMS = 200


def rated(numbers, noise, seed=1):
    """Ratings of items whose true means are spread over the middle of a scale from 0 to 100."""
    chance = np.random.default_rng(seed)
    truth = chance.normal(50, 12, ITEMS)
    items = np.repeat(np.arange(ITEMS), numbers)
    values = np.clip(np.rint(chance.normal(truth[items], np.broadcast_to(noise, ITEMS)[items])), 0, 100)
    return judged_ratings(items, values, ITEMS, POINTS), truth


def chance():
    return np.random.default_rng(5)


def pool(room=100):
    return Pool(np.arange(ITEMS)[:, np.newaxis], np.full(ITEMS, room))


def test_the_icc_of_equal_numbers_is_that_of_an_analysis_of_variance():
    judged, _ = rated(6, 12.0)
    of_means = intraclass_correlation(judged.items, judged.values).icc1k

    assert icc_of(precision_of(judged)).value == pytest.approx(of_means, abs=0.01)


def test_intervals_cover_true_scores_as_often_as_they_say():
    judged, truth = rated(4, 12.0)
    precision = precision_of(judged)

    assert np.mean(np.abs(precision.scores - truth) <= precision.widths / 2) == pytest.approx(0.95, abs=0.03)


def test_an_item_on_which_everybody_agrees_is_not_taken_to_be_certain():
    items = np.repeat(np.arange(ITEMS), 3)
    judged, _ = rated(3, 12.0)
    values = judged.values.copy()
    values[:3] = 50
    precision = precision_of(judged_ratings(items, values, ITEMS, POINTS))

    assert 20 < precision.variances[0] < precision.variances.mean()


def test_half_of_the_judgments_are_less_reliable_than_all():
    precision = precision_of(rated(6, 12.0)[0])
    whole, half = icc_of(precision), split_half_of(precision)

    assert half.value == pytest.approx(whole.value / (2 - whole.value))  # Spearman and Brown, for equal halves
    assert half.low < half.value < half.high


def test_a_wave_goes_to_the_items_that_vary_the_most():
    noise = np.where(np.arange(ITEMS) < ITEMS // 4, 30.0, 3.0)
    precision = precision_of(rated(5, noise)[0])
    found = estimate_of(precision, TargetKind.ICC)
    aim = Aim(TargetKind.ICC, 0.9)
    allocation = allocate(precision, pool(), aim, found, wave=50, most=10_000, generator=chance())

    assert not aim.reached(found)
    assert allocation.further[: ITEMS // 4].sum() > 0.95 * allocation.further.sum()
    assert allocation.closed[ITEMS // 4 :].mean() > 0.9
    assert allocation.further.sum() == allocation.missing // 2


def test_the_forecast_reaches_the_target():
    judged, _ = rated(4, 15.0)
    precision = precision_of(judged)
    found = estimate_of(precision, TargetKind.SPLIT_HALF)
    aim = Aim(TargetKind.SPLIT_HALF, 0.85)
    missing = allocate(precision, pool(), aim, found, wave=1, most=1, generator=chance()).missing
    later, _ = rated(4 + round(missing / ITEMS), 15.0)

    assert estimate_of(precision_of(later), TargetKind.SPLIT_HALF).value == pytest.approx(0.85, abs=0.02)


def test_a_wave_keeps_to_its_budget_and_to_the_room_of_each_item():
    precision = precision_of(rated(3, 30.0)[0])
    found = estimate_of(precision, TargetKind.ICC)
    allocation = allocate(precision, pool(2), Aim(TargetKind.ICC, 0.98), found, wave=20, most=150, generator=chance())

    assert allocation.missing is None
    assert allocation.further.sum() == 20
    assert allocation.further.max() <= 2


def test_items_with_narrow_intervals_are_closed():
    noise = np.where(np.arange(ITEMS) < ITEMS // 2, 20.0, 2.0)
    precision = precision_of(rated(8, noise)[0])
    aim = Aim(TargetKind.WIDTH, 15.0)
    found = estimate_of(precision, aim.kind)
    allocation = allocate(precision, pool(), aim, found, wave=1, most=10_000, generator=chance())

    assert (allocation.closed == (precision.widths <= 15)).all()
    assert 0 < allocation.closed.sum() < ITEMS
    assert allocation.further.sum() > 0
    assert not allocation.further[allocation.closed].any()


def test_a_lower_limit_needs_more_judgments():
    precision = precision_of(rated(4, 15.0)[0])
    found = estimate_of(precision, TargetKind.ICC)
    missing = [
        allocate(precision, pool(), Aim(TargetKind.ICC, 0.9, limit), found, wave=1, most=1, generator=chance()).missing
        for limit in (False, True)
    ]

    assert missing[0] < missing[1]


def test_the_same_seed_gives_the_same_wave():
    precision = precision_of(rated(3, 20.0)[0])
    found = estimate_of(precision, TargetKind.ICC)
    first, again = (
        allocate(precision, pool(), Aim(TargetKind.ICC, 0.9), found, wave=40, most=40, generator=chance()).further
        for _ in range(2)
    )

    assert (first == again).all()


def test_an_undefined_figure_reaches_no_target():
    nothing = Estimate(float("nan"), float("nan"), float("nan"))

    assert not Aim(TargetKind.ICC, 0.1).reached(nothing)


def test_choices_are_scored_by_counting_and_vary_within_their_tuples():
    shown = np.array([[0, 1, 2, 3], [0, 1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4]])
    choices = Choices(shown, np.array([0, 0, 1, 2]), np.array([3, 3, 4, 4]), np.array([0, 0, 1, 1]), None, 5)
    judged = judged_choices(choices)
    squares, degrees = judged.squares

    assert precision_of(judged).scores.tolist() == [1.0, 0.25, 0.25, -0.5, -1.0]
    assert squares.tolist() == [0.0, 0.5, 0.5, 0.0, 0.0]  # only in the second tuple two items were judged differently
    assert degrees.tolist() == [1, 2, 2, 2, 1]
