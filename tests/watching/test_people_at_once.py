"""Everybody measured at once: the same figures as one by one."""

from itertools import groupby
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from scoring.stats.alpha import krippendorff_alpha
from scoring.stats.correlation import pearson
from scoring.stats.intervals import alpha_with_interval
from scoring.stats.people import (
    above_chance,
    beside_others,
    longest_runs,
    means_of_each,
    medians_of_each,
    position_habits,
    ranges_of_each,
    same_choice_shares,
)

NAN = float("nan")
answers = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 6), st.sampled_from([0.0, 1.0, 2.5, 4.0])), min_size=1, max_size=60
).map(lambda rows: [np.array(column) for column in zip(*sorted(rows, key=lambda row: row[0]), strict=True)])


def same(one, other) -> None:
    np.testing.assert_allclose(one, other, atol=1e-9)


@given(answers)
def test_medians_means_and_runs_are_those_of_each_person_alone(columns):
    people, _, values = columns

    own = [values[people == person] for person in range(6)]
    same(medians_of_each(people, values, 6), [np.median(one) if len(one) else NAN for one in own])
    same(means_of_each(people, values, 6), [one.mean() if len(one) else NAN for one in own])
    same(ranges_of_each(people, values, 6), [np.ptp(one) if len(one) else NAN for one in own])
    runs = [max((len(list(run)) for _, run in groupby(one)), default=0) for one in own]
    assert longest_runs(people, values, 6).length.tolist() == runs


@given(answers, st.lists(st.booleans(), min_size=5, max_size=5))
def test_people_beside_the_others_one_by_one(columns, counts):
    people, items, values = columns
    counted = np.array(counts)[people]

    beside = beside_others(items, people, values, counted, 5)

    for person in range(5):
        own = (people == person).nonzero()[0]
        others = [(items == items[row]) & counted & (np.arange(len(values)) != row) for row in own]
        pairs = [(values[row], values[other].mean()) for row, other in zip(own, others, strict=True) if other.any()]
        one, other = np.array(pairs).reshape(-1, 2).T
        assert beside.shared[person] == len(pairs)
        same(beside.correlation[person], pearson(one, other) if len(pairs) > 2 and np.ptp(other) > 1e-5 else NAN)
        if pairs:
            same(
                (beside.bias[person], beside.rmse[person]), ((one - other).mean(), np.sqrt(((one - other) ** 2).mean()))
            )


def test_two_raters_of_whom_one_is_always_one_higher():
    items, people = np.array([0, 1, 2, 0, 1, 2]), np.array([0, 0, 0, 1, 1, 1])

    beside = beside_others(items, people, np.array([1.0, 3, 3, 2, 4, 4]), np.ones(6, bool), 3)

    same(beside.bias, [-1, 1, NAN])
    same(beside.rmse, [1, 1, NAN])
    same(beside.correlation, [1, 1, NAN])


def test_means_of_others_that_differ_by_rounding_only_have_no_correlation():
    items, people = np.tile(np.arange(3), 4), np.repeat(np.arange(4), 3)
    values = np.array([0.0, 1, 2, 0.1, 0.3, 0.7, 0.7, 0.1, 0.1, 0.3, 0.7, 0.3])

    assert np.isnan(beside_others(items, people, values, np.ones(12, bool), 4).correlation[0])


def test_who_does_not_count_is_held_against_the_others_and_they_not_against_them():
    items, people = np.array([0, 0, 0]), np.array([0, 1, 2])

    beside = beside_others(items, people, np.array([1.0, 3.0, 9.0]), np.array([True, True, False]), 3)

    assert beside.bias.tolist() == [-2.0, 2.0, 7.0]


def test_missing_times_are_left_out_of_medians():
    assert medians_of_each(np.array([0, 0, 1]), np.array([NAN, 3.0, NAN]), 2).tolist()[0] == 3.0
    assert np.isnan(medians_of_each(np.array([0, 0, 1]), np.array([NAN, 3.0, NAN]), 2)[1])


def test_a_run_goes_with_how_often_the_others_answer_so():
    people = np.repeat([0, 1], [5, 10])
    values = np.array([2, 2, 2, 1, 1] + [2, 1] * 5, dtype=float)

    runs = longest_runs(people, values, 3)

    assert (runs.length[0], runs.value[0]) == (3, 2.0)
    assert runs.share[0] == (5 + 1) / (10 + 2)
    assert runs.length[2] == 0
    assert np.isnan(runs.share[2])


def test_nobody_has_no_runs():
    assert longest_runs(np.zeros(0, int), np.zeros(0), 2).length.tolist() == [0, 0]


def test_a_habit_is_the_place_chosen_the_most_often_and_how_likely_that_is():
    people, positions = np.repeat([0, 1], [8, 4]), np.array([3] * 8 + [0, 1, 2, 3])

    habits = position_habits(people, positions, 4, 3)

    same(habits.share, [1.0, 0.25, NAN])
    assert habits.position[0] == 3
    same(habits.chance[:2], [4 * binom.sf(7, 8, 0.25), 1.0])


def test_agreement_in_choices_leaves_oneself_and_the_excluded_out():
    units, labels = np.array([0, 0, 0, 1]), np.array([5, 5, 6, 5])

    same(same_choice_shares(units, labels, np.array([True] * 4)), [0.5, 0.5, 0.0, NAN])
    same(same_choice_shares(units, labels, np.array([True, True, False, True])), [1.0, 1.0, 0.0, NAN])


def test_agreement_above_chance_is_zero_at_chance_and_one_at_best():
    same(above_chance(np.array([0.25, 1.0, 0.0]), 0.25), [0.0, 1.0, -1 / 3])


# Krippendorff (2011), the example of four raters and twelve units.
EXAMPLE = [
    [1, 1, NAN, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [NAN, 5, 5, 5], [NAN, NAN, 1, 1], [NAN, NAN, 3, NAN],
]  # fmt: skip


def rated(table) -> tuple[np.ndarray, np.ndarray]:
    table = np.array(table, dtype=float)
    units, raters = np.nonzero(~np.isnan(table))
    return units, table[units, raters]


def test_alpha_with_interval_is_krippendorffs():
    found = alpha_with_interval(*rated(EXAMPLE), np.random.default_rng(0))

    assert found.value == pytest.approx(0.849, abs=5e-4)
    assert found.value == pytest.approx(krippendorff_alpha(*rated(EXAMPLE), "interval"))
    assert (isnan(found.low), isnan(found.high)) == (True, True)  # twelve units are too few


def test_the_interval_narrows_with_the_number_of_units():
    generator = np.random.default_rng(1)
    widths = []
    for number in (50, 5000):
        truth = generator.normal(0, 1, number)
        values = (truth[:, None] + generator.normal(0, 0.5, (number, 3))).ravel()
        found = alpha_with_interval(np.repeat(np.arange(number), 3), values, generator)
        assert found.low < found.value < found.high
        widths.append(found.high - found.low)

    assert found.low < 0.8 < found.high  # 1 / (1 + 0.5 ** 2)
    assert widths[1] < widths[0] / 5


@pytest.mark.parametrize("table", [[[1, NAN], [NAN, 2]], [[3, 3], [3, 3]], [[NAN, NAN]]])
def test_alpha_without_pairs_or_variance_is_not_defined(table):
    found = alpha_with_interval(*rated(table), np.random.default_rng(0))

    assert np.isnan([found.value, found.low, found.high]).all()
