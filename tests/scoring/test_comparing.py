from math import isnan

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from scoring.stats.comparing import (
    Interval,
    compare_independent,
    compare_mean,
    compare_means,
    confidence_interval,
    dunn_clark,
    meng,
    steiger,
)
from scoring.stats.rank_intervals import spearman_interval
from tests.scoring.golden import figures

correlations = st.floats(-0.95, 0.95)


@pytest.mark.parametrize("case", figures("comparisons")["cases"])
def test_meng_gives_the_figures_of_stss131(case):
    found = meng(case["r1"], case["r2"], case["r12"], case["n"])

    assert found.z == pytest.approx(case["z"], abs=5e-4)
    assert found.p_left == pytest.approx(case["p_left"], abs=5e-5)
    assert found.p_two_sided == pytest.approx(case["p_two_sided"], abs=5e-5)


def test_dunn_clark_and_steiger_by_hand():
    # Steiger 1980 with n = 103, r1 = .4, r2 = .5, r12 = .1, recomputed from eq. 11 and 14 with a calculator:
    # psi = .1 (1 - .16 - .25) - .5 (.4)(.5)(1 - .16 - .25 - .01) = .001; c = .001 / (.84 * .75) = .0015873
    # pooled: r = .45; psi = .1 (.595) - .5 (.2025)(.585) = .00026875; c = .00026875 / .7975^2 = .00042256
    assert dunn_clark(0.4, 0.5, 0.1, 103).z == pytest.approx(-0.1256572 * 10 / (2 - 2 * 0.0015873) ** 0.5, rel=1e-5)
    assert steiger(0.4, 0.5, 0.1, 103).z == pytest.approx(-0.1256572 * 10 / (2 - 2 * 0.00042256) ** 0.5, rel=1e-5)


@pytest.mark.parametrize("test", [meng, steiger, dunn_clark])
@given(r1=correlations, r2=correlations, r12=correlations)
def test_swapping_the_models_turns_the_sign(test, r1, r2, r12):
    one, other = test(r1, r2, r12, 64), test(r2, r1, r12, 64)

    assert (one.z == pytest.approx(-other.z, nan_ok=True)) and (
        isnan(one.z) or one.p_left == pytest.approx(other.p_right)
    )


@pytest.mark.parametrize("test", [meng, steiger, dunn_clark])
def test_equal_correlations_do_not_differ(test):
    found = test(0.5, 0.5, 0.3, 30)

    assert (found.z, found.p_left, found.p_right, found.p_two_sided) == (0, 0.5, 0.5, 1)


@pytest.mark.parametrize("test", [meng, steiger, dunn_clark])
@pytest.mark.parametrize("values", [(1, 0.5, 0.5), (0.5, 1, 0.5), (1, 1, 1)])
def test_a_perfect_correlation_has_no_test(test, values):
    assert isnan(test(*values, 30).z)


def test_correlations_that_cannot_stand_together_have_no_test():
    # r1 = .9 and r12 = .99 leave no room for r2 = .2: the variance of the difference would be below zero.
    assert isnan(dunn_clark(0.9, 0.2, 0.99, 30).z)


@pytest.mark.parametrize(("values", "reason"), [((1.2, 0, 0, 30), "between -1 and 1"), ((0, 0, 0, 3), "four pairs")])
def test_impossible_input_is_refused(values, reason):
    with pytest.raises(ValueError, match=reason):
        meng(*values)


def test_independent_correlations():
    # Z(.5) - Z(.3) = .549306 - .309520 = .239786; sqrt(1/50 + 1/100) = .173205
    assert compare_independent(0.5, 53, 0.3, 103).z == pytest.approx(0.239786 / 0.173205, rel=1e-5)


def test_confidence_interval_by_hand():
    # Z(.5) = .549306, 1.959964 / sqrt(100) = .195996: tanh(.353310) = .339301, tanh(.745302) = .632346
    found = confidence_interval(0.5, 103)

    assert found == Interval(pytest.approx(0.339301, abs=2e-5), pytest.approx(0.632346, abs=2e-5))
    with pytest.raises(ValueError, match="level"):
        confidence_interval(0.5, 103, 1)
    assert isnan(confidence_interval(0.5, 9).low) and not isnan(confidence_interval(0.5, 10).low)


def test_interval_of_spearman_leaves_out_each_row_in_turn():
    x, noise = np.random.default_rng(2).normal(size=(2, 24))
    y = x + noise

    found = spearman_interval(x, y)

    each = np.arctanh([stats.spearmanr(np.delete(x, row), np.delete(y, row)).statistic for row in range(24)])
    whole = np.arctanh(stats.spearmanr(x, y).statistic)
    centre, error = whole - 23 * (each.mean() - whole), 23 / np.sqrt(24) * each.std(ddof=1)
    ends = np.tanh(stats.t.interval(0.95, 23, centre, error))
    assert (found.low, found.high) == pytest.approx(tuple(ends))
    assert spearman_interval(np.append(x, np.nan), np.append(y, 1.0)) == found
    assert isnan(spearman_interval(x[:9], y[:9]).low)


def test_interval_of_spearman_leaves_out_groups_of_many_rows():
    x, noise = np.random.default_rng(2).normal(size=(2, 250))
    rows = np.arange(250)

    found = spearman_interval(x, x + noise)

    each = [stats.spearmanr(x[kept], (x + noise)[kept]).statistic for kept in (rows % 100 != at for at in range(100))]
    error = np.sqrt(99 / 100 * ((np.arctanh(each) - np.arctanh(each).mean()) ** 2).sum())
    assert np.arctanh(found.high) - np.arctanh(found.low) == pytest.approx(2 * stats.t.ppf(0.975, 99) * error)


def test_intervals_of_a_perfect_correlation_are_not_defined():
    assert isnan(confidence_interval(1, 10).low) and isnan(spearman_interval(np.arange(12.0), -np.arange(12.0)).high)
    # What is left of 1 by rounding is 1.
    assert isnan(confidence_interval(0.9999999999999998, 10).low) and isnan(meng(1 - 1e-15, 0.5, 0.5, 30).z)


sets = st.lists(st.floats(-0.9, 0.9), min_size=2, max_size=9)


@given(sets, correlations)
def test_mean_of_correlations_against_one_is_the_t_test_of_scipy(one, r):
    assume(np.std(one) > 1e-6)

    found, expected = compare_mean(one, r), stats.ttest_1samp(one, r)

    assert found.t == pytest.approx(expected.statistic, rel=1e-9, abs=1e-9)
    assert (found.p_two_sided, found.degrees) == (pytest.approx(expected.pvalue, rel=1e-9), len(one) - 1)
    assert found.p_left + found.p_right == pytest.approx(1)


@pytest.mark.parametrize("equal_variances", [True, False])
@given(sets, sets)
def test_means_of_correlations_compared_are_the_t_tests_of_scipy(equal_variances, one, other):
    assume(np.std(one) > 1e-6 and np.std(other) > 1e-6)

    found = compare_means(one, other, equal_variances=equal_variances)

    expected = stats.ttest_ind(one, other, equal_var=equal_variances)
    assert (found.t, found.degrees) == (pytest.approx(expected.statistic, abs=1e-9), pytest.approx(expected.df))
    assert found.p_two_sided == pytest.approx(expected.pvalue, rel=1e-9)
    turned = compare_means(other, one, equal_variances=equal_variances)
    assert (turned.t, turned.p_left) == (pytest.approx(-found.t), pytest.approx(found.p_right))


def test_correlations_that_are_all_the_same_have_no_t_test():
    assert isnan(compare_mean([0.4] * 3, 0.5).p_two_sided)
    # Two raters have one correlation, with each other, but for rounding.
    assert isnan(compare_mean([0.8, 0.8 + 2e-16], 0.5).t)
    assert isnan(compare_means([0.4] * 3, [0.5] * 2, equal_variances=False).t)
    with pytest.raises(ValueError, match="at least two"):
        compare_mean([0.4], 0.5)


@pytest.mark.parametrize("test", [meng, steiger, dunn_clark])
def test_correlations_that_no_three_variables_have_are_not_compared(test):
    assert isnan(test(0.9, -0.9, 0.9, 50).z)
    # On the edge: the third variable is the sum of two that are independent.
    assert not isnan(test(0.5**0.5, 0.5**0.5, 0.0, 50).z)
