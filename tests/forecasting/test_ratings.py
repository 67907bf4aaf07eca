"""Forecasts of ratings against simulated collections on the scale, and against pilots."""

import math
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from annotation.protocols.scale import Scale
from scoring.forecasting.forecast import MAXIMUM_JUDGMENTS
from scoring.forecasting.pilot import Pilot, populations_of
from scoring.forecasting.population import Population, Variation, points_of, population_with
from scoring.forecasting.ratings import forecast_ratings, people_for_ratings, reliability_of
from scoring.stats.rating_halves import split_half_of_ratings

# Czech News: means of nine with an SD of 1.78 (table 2); the least MSE .1731 (section 6) makes s^2 / n .1298.
CZECH_NEWS = Variation.of_means(1.78, math.sqrt(0.1731 / (8 / 6) * 9), 9, mean=2.66)
SEVEN = Scale(Decimal(0), Decimal(6), Decimal(1))
FINE = Scale(Decimal(0), Decimal(4), Decimal("0.01"))
CZECH = population_with(CZECH_NEWS, SEVEN)
SHAPES = {
    "even": lambda chance, items: chance.uniform(0, 6, items),
    "normal": lambda chance, items: chance.normal(2.66, 1.74, items),
    "three roles": lambda chance, items: chance.choice([0.0, 3.0, 6.0], items) + chance.normal(0, 0.7, items),
    "mostly different": lambda chance, items: 6 * chance.beta(0.5, 1.2, items),
}


def chance() -> np.random.Generator:
    return np.random.default_rng(5)


def rated(similarities, people, generator, noise=1.1):
    """Whole ratings from 0 to 6, shape (items, people)."""
    perceived = similarities[:, np.newaxis] + noise * generator.normal(size=(len(similarities), people))
    return np.clip(np.round(perceived), 0, 6)


def reliability(ratings, generator, splits=20):
    """The split-half reliability of a run."""
    items = np.repeat(np.arange(len(ratings)), ratings.shape[1])
    return split_half_of_ratings(items, ratings.ravel(), generator, splits=splits).summary()[0].mean


def pilot_of(ratings):
    return Pilot(ratings.mean(axis=1), ratings.std(axis=1, ddof=1), np.full(len(ratings), ratings.shape[1]))


def test_printed_means_hold_the_variation_of_their_own_ratings():
    assert CZECH_NEWS.items == pytest.approx(math.sqrt(1.78**2 - 0.1731 * 6 / 8))
    assert CZECH_NEWS.ratings == pytest.approx(1.081, abs=0.001)


def test_a_printed_deviation_that_is_all_noise_is_refused():
    with pytest.raises(ValueError, match="items must be greater than zero"):
        Variation.of_means(0.5, 3.0, 4, mean=2)


@pytest.mark.parametrize("values", [(0, 1), (1, 0), (-1, 1), (math.inf, 1), (1, math.nan)])
def test_deviations_are_finite_and_above_zero(values):
    with pytest.raises(ValueError, match="greater than zero"):
        Variation(*values, mean=1)


@given(st.floats(0.4, 0.6), st.floats(0.05, 0.25), st.floats(0.12, 0.18), st.sampled_from([SEVEN, FINE]))
def test_simulated_ratings_vary_as_the_known_ones(mean, items, ratings, scale):
    known = Variation(items * scale.length, ratings * scale.length, mean * scale.length)

    found = population_with(known, scale).variation

    expected = (known.items, known.ratings, known.mean)
    assert (found.items, found.ratings, found.mean) == pytest.approx(expected, abs=0.003 * scale.length)


def test_deviations_that_no_ratings_on_the_scale_have_are_refused():
    with pytest.raises(ValueError, match=r"from 0 to 6 with a mean of 3 cannot vary by 2.9 between items"):
        population_with(Variation(2.9, 1.5, 3), SEVEN)


@pytest.mark.parametrize(("people", "expected"), [(6, 0.869), (9, 0.904)])
def test_ends_and_steps_of_the_scale_make_czech_news_less_reliable_than_pearsons_r_says(people, expected):
    # Pearson's r of the same variances is .886 and .920.
    found = forecast_ratings([CZECH], items=1200, people=people, generator=chance()).reliability
    assert found.low < expected < found.high
    assert found.mean == pytest.approx(expected, abs=0.004)
    assert people_for_ratings([CZECH], 0.9) == 9


@pytest.mark.parametrize("people", [2, 4, 6, 9])
def test_the_forecast_of_printed_figures_holds_for_a_simulated_collection(people):
    generator = chance()
    similarities = generator.choice(CZECH.similarities, 1200, p=CZECH.weights)
    collections = [rated(similarities, people, generator, CZECH.noise) for _ in range(5)]

    found = forecast_ratings([CZECH], items=1200, people=people, generator=chance()).reliability

    assert found.low < np.mean([reliability(one, generator) for one in collections]) < found.high


@pytest.mark.parametrize("shape", SHAPES)
def test_the_forecast_of_a_pilot_holds_for_the_collection(shape):
    generator = chance()
    pilot = rated(SHAPES[shape](generator, 250), 4, generator)
    populations = populations_of(pilot_of(pilot), points_of(SEVEN), generator)

    for people in (2, 4, 6, 9):
        collections = [rated(SHAPES[shape](generator, 600), people, generator) for _ in range(3)]
        found = forecast_ratings(populations, items=600, people=people, generator=generator).reliability
        assert found.low < np.mean([reliability(one, generator) for one in collections]) < found.high, people


def test_a_forecast_makes_good_what_simulated_pilots_are_off_by():
    noisier = replace(CZECH, noise=1.3 * CZECH.noise)
    alone, corrected = (
        forecast_ratings(populations, items=1200, people=6, generator=chance()).reliability
        for populations in ([CZECH], [CZECH, noisier])
    )

    off = math.atanh(reliability_of(CZECH, 6)) - math.atanh(reliability_of(noisier, 6))
    assert off > 0.1
    for name in ("mean", "low", "high"):
        ends = (math.atanh(getattr(one, name)) for one in (corrected, alone))
        assert next(ends) - next(ends) == pytest.approx(off, abs=0.002)
    assert people_for_ratings([CZECH, noisier], 0.9) < people_for_ratings([CZECH], 0.9)


def test_a_small_pilot_makes_a_wide_forecast():
    generator = chance()
    widths = []
    for items in (40, 1000):
        pilot = pilot_of(rated(generator.uniform(0, 6, items), 3, generator))
        populations = populations_of(pilot, points_of(SEVEN), generator)
        found = forecast_ratings(populations, items=1000, people=6, generator=generator).reliability
        widths.append(found.high - found.low)
    assert widths[0] > 2 * widths[1]


@pytest.mark.parametrize("people", [2, 3, 4, 8, 9])
def test_simulated_halves_correlate_as_those_of_infinitely_many_items(people):
    found = forecast_ratings([CZECH], items=4000, people=people, generator=chance()).reliability
    assert found.mean == pytest.approx(reliability_of(CZECH, people), abs=0.003)


def test_normal_ratings_far_from_the_ends_have_spearman_and_browns_reliability():
    levels = np.linspace(-3, 3, 201)
    bell = Population(
        50 + levels, stats.norm.pdf(levels) / stats.norm.pdf(levels).sum(), 1.0, np.linspace(0, 100, 2001)
    )
    # Halves of 4 make r = 4 / 5; of normal values Spearman's correlation is 6 / pi * arcsin(r / 2) (Pearson 1907).
    assert reliability_of(bell, 8) == pytest.approx(6 / math.pi * math.asin(0.8 / 2), abs=0.003)


def test_the_interval_of_a_mean_is_students():
    forecast = forecast_ratings([CZECH], items=50, people=9, generator=chance())

    low, high = stats.t.interval(0.95, 8, loc=0, scale=CZECH_NEWS.ratings / 3)
    assert forecast.half_width == pytest.approx((high - low) / 2, rel=0.01)


def test_a_single_rating_has_no_halves_and_no_interval():
    forecast = forecast_ratings([CZECH], items=50, people=1, generator=chance())

    assert math.isnan(forecast.reliability.mean) and math.isnan(forecast.half_width)
    assert 0 < forecast.truth.mean < 1
    with pytest.raises(ValueError, match="at least two annotators"):
        reliability_of(CZECH, 1)


def test_more_items_make_the_forecast_narrower():
    ranges = [forecast_ratings([CZECH], items=n, people=4, generator=chance()).reliability for n in (30, 3000)]
    assert ranges[1].high - ranges[1].low < ranges[0].high - ranges[0].low


def test_the_fewest_people_reach_the_target_and_one_less_does_not():
    for target in (0.5, 0.72, 0.8, 0.9, 0.95):
        people = people_for_ratings([CZECH], target)
        assert reliability_of(CZECH, people) >= target
        assert people == 2 or reliability_of(CZECH, people - 1) < target
    assert people_for_ratings([CZECH], 0.99) is None
    assert reliability_of(CZECH, MAXIMUM_JUDGMENTS) < 0.99


@pytest.mark.parametrize("wrong", [{"items": 1, "people": 2}, {"items": 5, "people": 0}])
def test_less_than_two_items_or_no_people_are_refused(wrong):
    with pytest.raises(ValueError, match="at least two items and one annotator"):
        forecast_ratings([CZECH], generator=chance(), **wrong)


def test_an_interval_as_wide_as_the_scale_is_not_told():
    """With two ratings Student's factor is 12.7, and half of the interval would be ± 9.71 on a scale of length 6."""
    forecast = forecast_ratings([CZECH], items=50, people=2, generator=chance())

    assert math.isnan(forecast.half_width)
