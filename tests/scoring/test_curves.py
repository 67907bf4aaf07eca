from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scoring.stats.context import gains, paired_shift_p_value, rejection_curve, shift_p_value
from scoring.stats.correlation import pearson
from scoring.stats.curves import Curve, correlation_by_practice, error_by_thinking_time, waiting_share
from tests.scoring.golden import figures


def same(one: Curve, steps, values, counts) -> bool:
    return all(
        np.array_equal(np.asarray(left, dtype=float), np.asarray(right, dtype=float), equal_nan=True)
        for left, right in zip((one.steps, one.values, one.counts), (steps, values, counts), strict=True)
    )


def test_welch_and_paired_tests_are_those_of_scipy():
    free, dependent = np.array([1.0, 2, 2, 3, 1]), np.array([3.0, 2, 4, 5, 4])

    assert shift_p_value(free, dependent, equal_variances=False) == pytest.approx(
        stats.ttest_ind(free, dependent, equal_var=False).pvalue
    )
    assert paired_shift_p_value(free, dependent) == pytest.approx(stats.ttest_rel(free, dependent).pvalue)


def test_paired_test_without_variance():
    same_answers = np.array([1.0, 2, 3])

    assert isnan(paired_shift_p_value(same_answers, same_answers))
    assert paired_shift_p_value(same_answers, same_answers + 1) == 0
    assert isnan(paired_shift_p_value(same_answers[:1], same_answers[:1]))


def test_missing_answers_are_left_out_of_the_tests():
    free, dependent = np.array([1.0, 2, 2, np.nan, 1]), np.array([3.0, 2, np.nan, 5, 4])

    assert shift_p_value(free, dependent) == shift_p_value([1, 2, 2, 1], [3, 2, 5, 4])
    assert paired_shift_p_value(free, dependent) == paired_shift_p_value(np.array([1.0, 2, 1]), np.array([3.0, 2, 4]))


def test_gains_are_dependent_minus_free():
    assert gains(np.array([2.0, 3]), np.array([2.5, 1])).tolist() == [0.5, -2]


def test_rejection_curve_of_the_paper():
    golden = figures("czech_news")
    p_values = np.full(golden["pairs"], 0.5)
    p_values[: golden["significant"]] = 0.05
    p_values[-1] = np.nan

    found = rejection_curve(p_values, np.array([0, 0.05, 1]))

    assert found == pytest.approx([0, golden["share"], (golden["pairs"] - 1) / golden["pairs"]])
    with pytest.raises(ValueError, match="at least one pair"):
        rejection_curve(np.array([]), np.array([0.05]))


def test_error_by_thinking_time_in_buckets_of_a_second():
    seconds = np.array([0.2, 0.9, 3.5, np.nan])
    values, reference = np.array([0.0, 2, 5, 6]), np.array([3.0, 6, 5, 0])

    found = error_by_thinking_time(seconds, values, reference)

    assert same(found, [0, 3], [np.sqrt((9 + 16) / 2), 0], [2, 1])
    reference[0] = np.nan
    assert same(error_by_thinking_time(seconds, values, reference), [0, 3], [4, 0], [1, 1])
    with pytest.raises(ValueError, match="width"):
        error_by_thinking_time(seconds, values, reference, bucket=0)


def test_correlation_by_practice_is_over_all_people_at_once():
    order = np.array([0, 0, 0, 1])
    values, reference = np.array([1.0, 2, 4, 1]), np.array([2.0, 4, 8, 1])

    found = correlation_by_practice(order, values, reference)

    assert same(Curve(found.steps, np.round(found.values, 12), found.counts), [0, 1], [1, np.nan], [3, 1])


def test_waiting_share_counts_less_than_the_limit():
    assert waiting_share(np.array([1.0, 72, 80]), np.array([1, 72, 73, 100])) == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert waiting_share(np.array([1.0, np.nan, 80]), np.array([2])) == pytest.approx([1 / 2])
    with pytest.raises(ValueError, match="at least one annotator"):
        waiting_share(np.array([np.nan]), np.array([1.0]))


rows = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 6)), min_size=1, max_size=40)


@given(rows, st.randoms())
def test_curves_equal_the_naive_form_in_any_order(rows, random):
    order, values, reference = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    mixed = random.sample(range(len(rows)), len(rows))

    errors = error_by_thinking_time(order[mixed] + 0.5, values[mixed], reference[mixed])
    practice = correlation_by_practice(order.astype(int)[mixed], values[mixed], reference[mixed])

    steps = sorted(set(order))
    assert errors.steps.tolist() == practice.steps.tolist() == steps
    for place, step in enumerate(steps):
        own = order == step
        assert errors.values[place] == pytest.approx(np.sqrt(np.mean((values - reference)[own] ** 2)))
        assert practice.values[place] == pytest.approx(pearson(values[own], reference[own]), nan_ok=True, abs=1e-12)
        assert errors.counts[place] == practice.counts[place] == own.sum()


@given(st.lists(st.floats(0, 1), min_size=1), st.floats(0, 1), st.floats(0, 1))
def test_rejection_curve_is_the_share_up_to_the_level(p_values, one, other):
    low, high = rejection_curve(np.array(p_values), np.sort([one, other]))

    assert 0 <= low <= high <= 1
    assert low == np.mean(np.array(p_values) <= min(one, other))
