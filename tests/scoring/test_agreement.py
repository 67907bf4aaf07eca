from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from scoring.stats.agreement import (
    Agreement,
    agreement,
    inter_annotator,
    intraclass_correlation,
    leave_one_out,
    mse_bound,
    mse_oracle,
)
from scoring.stats.correlation import correlations_of_random_subsets, partial, pearson, spearman
from tests.scoring.golden import figures

columns = st.integers(2, 40).flatmap(
    lambda rows: hnp.arrays(np.float64, (2, rows), elements=st.integers(0, 6).map(float))
)
ratings = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 6)), min_size=1, max_size=60)


def as_arrays(rows):
    items, values = zip(*rows, strict=True)
    return np.array(items), np.array(values, dtype=float)


@given(columns)
def test_correlations_are_those_of_scipy(table):
    one, other = table
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        assert isnan(pearson(one, other)) and isnan(spearman(one, other))
    else:
        assert pearson(one, other) == pytest.approx(stats.pearsonr(one, other).statistic, abs=1e-12)
        assert spearman(one, other) == pytest.approx(stats.spearmanr(one, other).statistic, abs=1e-12)


def test_correlation_of_nothing_is_not_defined():
    assert isnan(pearson(np.array([1.0]), np.array([2.0])))
    assert isnan(spearman(np.array([]), np.array([])))
    assert isnan(pearson(np.array([1.0, np.nan]), np.array([1.0, 2])))
    # A spread so small that its square is nothing.
    assert isnan(pearson(np.array([1e-200, -1e-200, 0]), np.array([1.0, 2, 3])))


def test_correlations_leave_missing_values_out():
    one, other = np.array([1.0, 5, np.nan, 2, 3, 9]), np.array([2.0, 7, 1, np.nan, 4, 8])
    both = [0, 1, 4, 5]

    assert pearson(one, other) == pytest.approx(stats.pearsonr(one[both], other[both]).statistic)
    assert spearman(one, other) == pytest.approx(stats.spearmanr(one[both], other[both]).statistic)
    assert agreement(one, other) == agreement(one[both], other[both])


@given(columns, st.randoms())
def test_correlations_are_symmetric_in_range_and_blind_to_order(table, random):
    one, other = table
    order = random.sample(range(len(one)), len(one))

    for figure in (pearson, spearman):
        found = figure(one, other)
        assert isnan(found) or -1 <= found <= 1
        assert figure(other, one) == pytest.approx(found, nan_ok=True)
        assert figure(one[order], other[order]) == pytest.approx(found, nan_ok=True, abs=1e-12)
        assert figure(one, -other) == pytest.approx(-found, nan_ok=True)


def test_partial_correlation_of_the_paper():
    golden = figures("czech_news")
    pairwise = golden["pairwise"]

    found = partial(pairwise["free_dependent"], pairwise["r1_free"], pairwise["r1_dependent"])

    assert found == pytest.approx(golden["partial"], abs=5e-4)
    assert isnan(partial(0.5, 1, 0.5))


def test_random_subsets_of_everything_give_everything():
    generator = np.random.default_rng(1)
    one, other = generator.normal(size=(2, 30))

    whole = correlations_of_random_subsets(one, other, size=30, draws=3, generator=generator)
    part = correlations_of_random_subsets(one, one, size=5, draws=3, generator=generator)

    assert whole == pytest.approx([pearson(one, other)] * 3)
    assert part == pytest.approx([1, 1, 1])
    with pytest.raises(ValueError, match="Cannot draw"):
        correlations_of_random_subsets(one, other, size=31, draws=3, generator=generator)


def test_agreement_with_a_shifted_column():
    one = np.array([0.0, 1, 2, 3])

    assert agreement(one, one + 2) == Agreement(pytest.approx(1), pytest.approx(1), 2, 4)
    assert isnan(agreement(np.array([]), np.array([])).mse)


def naive_stack_means(items, values, *, without_own):
    rows = []
    for row, item in enumerate(items):
        others = [values[at] for at in range(len(items)) if items[at] == item and not (without_own and at == row)]
        rows.append(np.mean(others) if others else nan)
    return np.array(rows)


@given(ratings)
def test_inter_annotator_against_the_naive_form(rows):
    items, values = as_arrays(rows)
    means = naive_stack_means(items, values, without_own=False)
    others = naive_stack_means(items, values, without_own=True)
    shared = ~np.isnan(others)

    found, left_out = inter_annotator(items, values), leave_one_out(items, values)

    assert found.mse == pytest.approx(np.mean((values - means)[shared] ** 2) if shared.any() else nan, nan_ok=True)
    assert found.pearson == pytest.approx(pearson(values[shared], means[shared]), nan_ok=True, abs=1e-9)
    expected = np.mean((values - others)[shared] ** 2) if shared.any() else nan
    assert left_out.mse == pytest.approx(expected, nan_ok=True)


def test_single_ratings_do_not_agree_with_themselves():
    items, values = np.array([0, 0, 1, 1, 2, 3, 4]), np.array([1.0, 3, 2, 6, 0, 5, 6])

    assert inter_annotator(items, values) == inter_annotator(items[:4], values[:4])
    assert all(isnan(figure) for figure in vars(inter_annotator(items[4:], values[4:])).values())


def test_intraclass_correlation_of_shrout_and_fleiss():
    # Shrout and Fleiss 1979, table 2 (six targets, four judges) and table 4: ICC(1,1) = .17, ICC(1,4) = .44
    table = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=float)
    items = np.repeat(np.arange(6), 4)

    found = intraclass_correlation(items, table.ravel())

    assert (round(found.icc1, 2), round(found.icc1k, 2)) == (0.17, 0.44)


@pytest.mark.parametrize("rows", [[(0, 1)], [(0, 1), (1, 2)], [(0, 1), (0, 2)], [(0, 3), (0, 3), (1, 3), (1, 3)]])
def test_intraclass_correlation_is_not_defined(rows):
    found = intraclass_correlation(*as_arrays(rows))

    assert isnan(found.icc1) and isnan(found.icc1k)


@given(ratings, st.permutations(range(6)))
def test_agreement_does_not_depend_on_names_and_order(rows, names):
    items, values = as_arrays(rows)
    order = np.argsort(values, kind="stable")
    renamed = np.array(names)[items]

    for figure in (inter_annotator, leave_one_out, intraclass_correlation, mse_bound, mse_oracle):
        one, other = figure(items, values), figure(renamed[order], values[order])
        assert np.array(one if isinstance(one, float) else list(vars(one).values())) == pytest.approx(
            np.array(other if isinstance(other, float) else list(vars(other).values())), nan_ok=True, abs=1e-9
        )


def test_missing_ratings_are_left_out():
    items, values = np.array([0, 0, 0, 0, 1, 1, 1, 1, 2]), np.array([1.0, 2, 4, 4, 0, 0, 1, 3, 6])
    more_items, more_values = np.append(items, [0, 2, 5]), np.append(values, [np.nan] * 3)

    for figure in (inter_annotator, leave_one_out, intraclass_correlation, mse_bound, mse_oracle):
        assert figure(more_items, more_values) == figure(items, values)


def test_mse_bound_with_nine_ratings_has_the_factor_of_the_paper():
    values = np.array([0.0, 1, 2, 3, 4, 5, 6, 3, 3])

    found = mse_bound(np.zeros(9, dtype=int), values)

    assert found == pytest.approx(figures("czech_news")["t_variance"] * values.var(ddof=1) / 9)


def test_mse_bound_leaves_small_stacks_out():
    large, small = np.array([1.0, 2, 3, 4]), np.array([0.0, 6, 0])
    items = np.array([0, 0, 0, 0, 1, 1, 1])

    assert mse_bound(items, np.concatenate((large, small))) == pytest.approx(3 * large.var(ddof=1) / 4)
    assert isnan(mse_bound(np.zeros(3, dtype=int), small))


def test_a_model_with_the_true_means_comes_below_the_bound_of_the_paper():
    generator = np.random.default_rng(6)
    truth = generator.uniform(0, 6, 4000)
    values = truth[:, None] + generator.normal(0, 1.1, (4000, 9))
    items = np.repeat(np.arange(4000), 9)

    reached = float(np.mean((values.mean(axis=1) - truth) ** 2))

    assert reached == pytest.approx(mse_oracle(items, values.ravel()), rel=0.05)
    assert mse_bound(items, values.ravel()) == pytest.approx(8 / 6 * mse_oracle(items, values.ravel()))


def test_the_error_of_a_mean_needs_two_ratings():
    found = mse_oracle(np.array([0, 0, 0, 0, 1, 1, 2]), np.array([1.0, 2, 3, 4, 0, 6, 5]))

    assert found == pytest.approx((np.var([1, 2, 3, 4], ddof=1) / 4 + 18 / 2) / 2)
    assert isnan(mse_oracle(np.arange(3), np.arange(3.0)))


def test_equal_means_of_decimals_are_equal():
    items, values = np.repeat(np.arange(3), 3), np.array([0.1, 0.2, 0.3, 0.3, 0.2, 0.1, 0.2, 0.2, 0.2])

    assert np.isnan(inter_annotator(items, values).pearson)
    assert leave_one_out(items, values).spearman == pytest.approx(-1)
    assert np.isnan(intraclass_correlation(items, values).icc1k)


def test_ratings_with_more_decimals_than_a_scale_has_are_taken_as_they_are():
    items, values = np.repeat(np.arange(20), 5), np.random.default_rng(0).random(100)

    means = values.reshape(20, 5).mean(axis=1)

    assert inter_annotator(items, values).mse == pytest.approx(np.mean((values - means[items]) ** 2), rel=1e-12)
