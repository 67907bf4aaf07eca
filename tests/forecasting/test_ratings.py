"""Forecasts of ratings against Spearman and Brown's formula and printed figures."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scoring.forecasting.forecast import MOST_JUDGMENTS
from scoring.forecasting.ratings import Variation, correlation_of_halves, forecast_ratings, people_for_ratings

pytestmark = pytest.mark.once
# Czech News: means of nine with an SD of 1.78 (table 2); the least MSE .1731 (section 6) makes s^2 / n .1298.
CZECH_NEWS = Variation.of_means(1.78, math.sqrt(0.1731 / (8 / 6) * 9), 9)
VARIATIONS = st.builds(Variation, st.floats(0.05, 10), st.floats(0.05, 10))


def chance() -> np.random.Generator:
    return np.random.default_rng(5)


def test_printed_means_hold_the_variation_of_their_own_ratings():
    assert CZECH_NEWS.items == pytest.approx(math.sqrt(1.78**2 - 0.1731 * 6 / 8))
    assert CZECH_NEWS.ratings == pytest.approx(1.081, abs=0.001)


def test_a_printed_deviation_that_is_all_noise_is_refused():
    with pytest.raises(ValueError, match="items must be above zero"):
        Variation.of_means(0.5, 3.0, 4)


@pytest.mark.parametrize("values", [(0, 1), (1, 0), (-1, 1), (math.inf, 1), (1, math.nan)])
def test_deviations_are_finite_and_above_zero(values):
    with pytest.raises(ValueError, match="above zero"):
        Variation(*values)


def test_simulated_halves_correlate_as_the_formula_says():
    # Of normal values Spearman's correlation is 6 / pi * arcsin(r / 2) (Pearson 1907).
    for people in (2, 3, 4, 8, 9):
        forecast = forecast_ratings(CZECH_NEWS, items=1200, people=people, generator=chance())
        pearson = correlation_of_halves(CZECH_NEWS, people // 2, people - people // 2)
        assert forecast.reliability.mean == pytest.approx(6 / math.pi * math.asin(pearson / 2), abs=0.01)
        assert forecast.reliability.low < forecast.reliability.mean < forecast.reliability.high


def test_the_interval_of_a_mean_is_students():
    forecast = forecast_ratings(CZECH_NEWS, items=50, people=9, generator=chance())

    low, high = stats.t.interval(0.95, 8, loc=0, scale=CZECH_NEWS.ratings / 3)
    assert forecast.half_width == pytest.approx((high - low) / 2)


def test_a_single_rating_has_no_halves_and_no_interval():
    forecast = forecast_ratings(CZECH_NEWS, items=50, people=1, generator=chance())

    assert math.isnan(forecast.reliability.mean) and math.isnan(forecast.half_width)
    assert 0 < forecast.truth.mean < 1


def test_more_items_make_the_forecast_narrower():
    ranges = [forecast_ratings(CZECH_NEWS, items=n, people=4, generator=chance()).reliability for n in (30, 3000)]
    assert ranges[1].high - ranges[1].low < ranges[0].high - ranges[0].low


@given(VARIATIONS, st.floats(0.05, 0.99))
def test_the_fewest_people_reach_the_target_and_one_less_does_not(variation, target):
    people = people_for_ratings(variation, target)

    if people is None:
        assert correlation_of_halves(variation, MOST_JUDGMENTS // 2, MOST_JUDGMENTS // 2) < target
    else:
        assert correlation_of_halves(variation, people // 2, people - people // 2) >= target
        assert people == 2 or correlation_of_halves(variation, (people - 1) // 2, people // 2) < target


@pytest.mark.parametrize("wrong", [{"items": 1, "people": 2}, {"items": 5, "people": 0}])
def test_less_than_two_items_or_no_people_are_refused(wrong):
    with pytest.raises(ValueError, match="at least two items and one person"):
        forecast_ratings(CZECH_NEWS, generator=chance(), **wrong)
