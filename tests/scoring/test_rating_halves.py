"""Split-half reliability of ratings, against halves made one by one, and Spearman and Brown's formula."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scoring.stats.halving import Dealer
from scoring.stats.rating_halves import split_half_of_ratings
from scoring.stats.reliability import full_length


def simulated(items=80, people=4, seed=3):
    generator = np.random.default_rng(seed)
    values = generator.normal(3, 1.5, (items, 1)) + generator.normal(0, 1, (items, people))
    return np.repeat(np.arange(items), people), np.clip(np.round(values), 0, 6).ravel()


def plain(items, values, generator, splits, **limits):
    """Spearman and Pearson of each split: the means of both halves, item by item, and scipy. A mean of three values of
    0.1 is not exactly that of one, so means are rounded."""
    kept = np.isin(items, np.flatnonzero(np.bincount(items) > 1))
    items, values = items[kept], values[kept]
    dealer = Dealer(np.unique(items, return_inverse=True)[1], **limits)
    found = []
    for sides in dealer.sides(generator, splits).T[:, dealer.rows].astype(bool):
        means = [
            [round(values[(items == item) & (sides == half)].mean(), 9) for item in np.unique(items)]
            for half in (True, False)
        ]
        found.append((stats.spearmanr(*means).statistic, stats.pearsonr(*means).statistic))
    return np.array(found).T


@pytest.mark.parametrize("step", [1, 0.1, math.pi / 9])
@pytest.mark.parametrize("people", [2, 3, 5, 9])
def test_correlations_are_those_of_halves_made_one_by_one(people, step):
    items, values = simulated(people=people)
    values = values * step - 2
    several = np.delete(np.arange(len(items)), [0, 7, 8])  # items with fewer ratings than the others

    found = split_half_of_ratings(items[several], values[several], np.random.default_rng(1), splits=7, splits_at_once=3)

    spearman, pearson = plain(items[several], values[several], np.random.default_rng(1), 7)
    assert found.spearman == pytest.approx(spearman)
    assert found.pearson == pytest.approx(pearson)
    assert found.by == "item"


def test_items_rated_once_are_left_out():
    items, values = simulated()
    more = np.append(items, [200, 201]), np.append(values, [0, 6])

    one, other = (split_half_of_ratings(*own, np.random.default_rng(1), splits=5) for own in ((items, values), more))

    assert one.spearman.tolist() == other.spearman.tolist() and other.items.tolist() == [80] * 5


def test_what_is_not_in_one_half_is_in_the_other():
    # The halves of 1, 1, 4 have the means 1 and 2.5, or 4 and 1: one is below 2, the other above.
    items, values = np.array([0, 0, 0, 1, 1]), np.array([1.0, 1, 4, 2, 2])
    found = split_half_of_ratings(items, values, np.random.default_rng(1), splits=50)
    assert found.spearman == pytest.approx(np.full(50, -1.0))
    assert math.isnan(found.summary()[0].full_length)


def test_pearsons_mean_is_the_reliability_of_half_of_the_ratings():
    # Deviations of 1.5 and 1 make r = 2.25 / (2.25 + 1 / 4) of two halves of four.
    generator = np.random.default_rng(0)
    values = generator.normal(0, 1.5, (5000, 1)) + generator.normal(0, 1, (5000, 8))
    items = np.repeat(np.arange(5000), 8)

    _, pearson = split_half_of_ratings(items, values.ravel(), generator, splits=20).summary()

    assert pearson.mean == pytest.approx(0.9, abs=0.005)
    assert pearson.full_length == pytest.approx(2.25 / (2.25 + 1 / 8), abs=0.005)


@given(st.floats(0, 1))
def test_full_length_is_spearman_and_browns_formula(r):
    assert full_length(r) == pytest.approx(2 * r / (1 + r))


def test_full_length_of_printed_halves_and_without_a_value():
    assert full_length(0.9) == pytest.approx(0.947, abs=0.0005)
    assert full_length(1.0) == 1
    assert math.isnan(full_length(math.nan))


@pytest.mark.parametrize("negative", [-1.0, -0.783, -1e-9])  # the formula would give minus infinity, -7.217 and -2e-9
def test_a_negative_correlation_of_halves_is_no_reliability(negative):
    assert math.isnan(full_length(negative))


def test_ratings_without_halves_are_refused():
    once = np.arange(4), np.ones(4)
    with pytest.raises(ValueError, match="an item with two ratings"):
        split_half_of_ratings(*once, np.random.default_rng(0))
    with pytest.raises(ValueError, match="one split"):
        split_half_of_ratings(*simulated(), np.random.default_rng(0), splits=0)


def test_items_with_hundreds_of_ratings_are_halved_like_the_others():
    items, values = simulated(items=10, people=200)
    dealer = Dealer(items, shuffle_limit=len(items))
    sides = dealer.sides(np.random.default_rng(1), 40)[dealer.rows]

    for item in range(10):
        assert set(sides[items == item].sum(axis=0).tolist()) == {100}
    # Of 40 splits, a rating is in the first half 20 times, with a standard deviation of 3.2.
    assert sides.sum(axis=1).min() > 3 and sides.sum(axis=1).max() < 37

    found = split_half_of_ratings(items, values, np.random.default_rng(1), splits=5)
    expected = plain(items, values, np.random.default_rng(1), 5, shuffle_limit=len(items))
    np.testing.assert_allclose([found.spearman, found.pearson], expected, atol=1e-9)
