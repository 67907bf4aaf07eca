"""Order effects in simulated answers: none where there is none, found where people have one."""

import numpy as np
import pytest

from scoring.stats.order import evenness, preceding, slope

PEOPLE, ITEMS = 20, 60


def simulated(seed: int, *, drift: float = 0.0, assimilation: float = 0.0):
    """Ratings of all items by everybody, each in an order of their own: values, items, people, positions."""
    chance = np.random.default_rng(seed)
    levels, strictness = chance.normal(3, 1.5, ITEMS), chance.normal(0, 0.7, PEOPLE)
    people, positions = np.repeat(np.arange(PEOPLE), ITEMS), np.tile(np.arange(1, ITEMS + 1), PEOPLE)
    items = np.concatenate([chance.permutation(ITEMS) for _ in range(PEOPLE)])
    values = levels[items] + strictness[people] + drift * positions + chance.normal(0, 1, PEOPLE * ITEMS)
    values[1:] += assimilation * np.where(positions[1:] > 1, levels[items[:-1]] - 3, 0)
    return values, items, people, positions


def drift_of(values, items, people, positions):
    return slope(values, positions.astype(float), items, people)


def assimilation_of(values, items, people, positions):
    before = preceding(values, items, people, np.zeros_like(items), positions)
    return slope(values, before, items, people)


@pytest.mark.parametrize("effect", [drift_of, assimilation_of])
def test_no_effect_is_found_where_there_is_none(effect):
    found = [effect(*simulated(seed)) for seed in range(200)]

    estimates, p_values = np.array([one.estimate for one in found]), np.array([one.test.p for one in found])
    assert abs(estimates.mean()) < 3 * estimates.std() / np.sqrt(len(found))
    assert 0.015 <= (p_values < 0.05).mean() <= 0.095
    assert estimates.std() == pytest.approx(np.mean([one.error for one in found]), rel=0.2)


def test_effects_are_found_where_people_have_them():
    drifting = [drift_of(*simulated(seed, drift=0.01)) for seed in range(20)]
    pulled = [assimilation_of(*simulated(seed, assimilation=0.2)) for seed in range(20)]

    assert np.mean([one.estimate for one in drifting]) == pytest.approx(0.01, abs=0.002)
    assert np.mean([one.estimate for one in pulled]) == pytest.approx(0.2, abs=0.03)
    assert all(one.test.p < 0.05 for one in (*drifting, *pulled))


def test_the_same_order_for_everybody_tells_nothing():
    values, _, people, positions = simulated(1)

    found = drift_of(values, positions - 1, people, positions)

    assert np.isnan([found.estimate, found.error, found.test.p]).all()
    assert (found.rows, found.people) == (PEOPLE * ITEMS, PEOPLE)


def test_what_came_before_is_the_others_mean_of_the_item_before():
    items, people = np.array([0, 1, 2, 1, 0, 2]), np.array([0, 0, 0, 1, 1, 1])
    sessions, positions = np.array([1, 1, 1, 1, 1, 2]), np.array([1, 2, 4, 1, 2, 1])
    values = np.array([1.0, 2, 3, 4, 5, 6])

    found = preceding(values, items, people, sessions, positions)

    assert found.tolist() == pytest.approx([np.nan, 5, np.nan, np.nan, 2, np.nan], nan_ok=True)


def test_positions_are_chosen_evenly_or_not():
    even, uneven = evenness(np.tile(np.arange(4), 25), 4), evenness(np.repeat([0, 0, 1, 2, 3], 20), 4)

    assert (even.counts.tolist(), even.statistic, even.degrees, even.p) == ([25] * 4, 0, 3, 1)
    assert (uneven.counts.tolist(), uneven.statistic) == ([40, 20, 20, 20], pytest.approx(12))
    assert uneven.p == pytest.approx(0.00738, abs=1e-5)  # table of chi-squared with 3 degrees of freedom
    assert np.isnan(evenness(np.empty(0, dtype=np.int64), 4).p)


def test_uniform_choices_are_seldom_called_uneven():
    chance = np.random.default_rng(2)
    p_values = np.array([evenness(chance.integers(0, 4, 400), 4).p for _ in range(1000)])

    assert 0.03 <= (p_values < 0.05).mean() <= 0.07
