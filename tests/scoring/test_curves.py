from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scoring.stats.context import gains, paired_shift_p_value, rejection_curve, shift_p_value
from scoring.stats.correlation import pearson
from scoring.stats.curves import Curve, correlation_by_practice, error_by_thinking_time, waiting_share
from scoring.stats.raters import longest_run, rater_reports
from tests.scoring.golden import figures

pytestmark = pytest.mark.once


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
    with pytest.raises(ValueError, match="Without pairs"):
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
    with pytest.raises(ValueError, match="Without people"):
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


def test_rater_reports_against_the_others():
    # Two raters of three items; the second is one higher everywhere and never moves on the last two.
    items, raters = np.array([0, 1, 2, 0, 1, 2]), np.array([0, 0, 0, 1, 1, 1])
    values = np.array([1.0, 3, 3, 2, 4, 4])
    seconds = np.array([1.0, 5, 3, np.nan, np.nan, np.nan])

    first, second = rater_reports(items, raters, values, seconds, length=6)

    assert (first.ratings, first.bias, first.rmse, first.median_seconds) == (3, -1, 1, 3)
    assert (second.bias, second.longest_run, isnan(second.median_seconds)) == (1, 2, True)
    assert first.correlation == pytest.approx(1)
    assert second.scale_used == pytest.approx(2 / 6)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, unique=True), st.randoms())
def test_rater_reports_do_not_depend_on_names(answers, random):
    items, raters = np.array(answers).T
    values = np.array([float(random.randrange(7)) for _ in answers])
    item_names, rater_names = (np.array(random.sample(range(5), 5)) for _ in range(2))
    seconds = np.full(len(values), np.nan)

    reports = rater_reports(items, raters, values, seconds, length=6)
    others = rater_reports(item_names[items], rater_names[raters], values, seconds, length=6)

    for rater in np.unique(raters):
        one, other = reports[rater], others[rater_names[rater]]
        assert list(vars(other).values()) == pytest.approx(list(vars(one).values()), nan_ok=True, abs=1e-9)
        assert 0 <= one.scale_used <= 1 and 1 <= one.longest_run <= one.ratings


def test_missing_ratings_have_no_part_in_a_report():
    items, raters, values = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.array([1.0, 3, np.nan, 5])

    first, second = rater_reports(items, raters, values, np.full(4, 2.0), length=6)

    assert (first.ratings, first.bias, second.ratings, second.bias) == (1, -2, 2, 2)


def test_rater_alone_has_nothing_to_be_compared_with():
    (report,) = rater_reports(np.array([0]), np.array([0]), np.array([2.0]), np.array([1.0]), length=4)

    assert isnan(report.bias) and isnan(report.rmse) and isnan(report.correlation)
    assert (report.scale_used, longest_run(np.array([]))) == (0, 0)
    with pytest.raises(ValueError, match="length"):
        rater_reports(np.array([0]), np.array([0]), np.array([2.0]), np.array([1.0]), length=0)


def test_rater_number_without_ratings_has_an_empty_report():
    empty = rater_reports(np.array([0]), np.array([1]), np.array([2.0]), np.array([1.0]), length=4)[0]

    assert (empty.ratings, isnan(empty.scale_used)) == (0, True)
