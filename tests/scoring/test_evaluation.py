import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats.comparing import confidence_interval, meng
from scoring.stats.correlation import pearson
from scoring.stats.evaluation import compare_models, evaluate, multiple_choice_accuracy
from scoring.stats.people import beside_others
from scoring.stats.rank_intervals import spearman_interval


def test_evaluation_rounds_as_stss131_asks():
    scores = np.array([0.0, 1, 2, 3, 4])
    predictions = np.array([0.10004, 0.2, 0.3, 0.5, 0.49996])

    found = evaluate(predictions, scores)

    assert found.pearson == round(pearson(np.array([0.1, 0.2, 0.3, 0.5, 0.5]), scores), 3)
    # Rounded to three decimals the last two numeric predictions tie.
    assert found.spearman == round(pearson(np.array([1, 2, 3, 4.5, 4.5]), scores), 3)
    assert np.isnan([found.pearson_interval.low, found.spearman_interval.low]).all()  # of five pairs
    assert (found.pairs, found.mse) == (5, pytest.approx(np.mean((predictions - scores) ** 2)))


def test_intervals_are_those_of_the_rounded_predictions():
    predictions, scores = np.random.default_rng(3).normal(size=(2, 20))

    found = evaluate(predictions, scores)

    written = np.round(predictions, 3)
    assert found.pearson_interval == confidence_interval(pearson(written, scores), 20)
    assert found.spearman_interval == spearman_interval(written, scores)


@pytest.mark.parametrize(
    ("predictions", "reason"),
    [([1, 2, 3], "at least four"), ([1, 2, 3, np.nan], "numeric"), ([1, 1, 1, 1], "are equal")],
)
def test_evaluation_refuses(predictions, reason):
    with pytest.raises(ValueError, match=reason):
        evaluate(np.array(predictions, dtype=float), np.arange(len(predictions), dtype=float))


def test_models_are_compared_by_meng():
    generator = np.random.default_rng(3)
    scores = generator.normal(size=50)
    one, other = scores + generator.normal(size=50), scores + 3 * generator.normal(size=50)

    found = compare_models(one, other, scores)

    one, other = np.round(one, 3), np.round(other, 3)
    assert found == meng(pearson(one, scores), pearson(other, scores), pearson(one, other), 50)
    assert found.z > 0
    with pytest.raises(ValueError, match="two numeric predictions"):
        compare_models(one, np.full(50, np.nan), scores)


def test_average_rater_is_the_mean_of_leave_one_out_correlations():
    items, raters = np.tile(np.arange(4), 3), np.repeat(np.arange(3), 4)
    values = np.array([1.0, 2, 3, 4, 2, 2, 4, 4, 1, 3, 2, 5])
    table = values.reshape(3, 4)
    expected = np.mean([pearson(table[one], np.delete(table, one, axis=0).mean(axis=0)) for one in range(3)])

    found = beside_others(items, raters, values, np.ones(12, bool), 4)
    assert found.correlations.mean() == pytest.approx(expected)
    assert (found.people.tolist(), found.shared.tolist()) == ([0, 1, 2], [4, 4, 4, 0])


def test_raters_without_a_correlation_are_left_out_of_the_average():
    alone = beside_others(np.array([0]), np.array([0]), np.array([1.0]), np.array([True]), 1)
    same = beside_others(np.array([0, 0]), np.array([0, 1]), np.array([1.0, 2]), np.array([True, True]), 2)

    assert not len(alone.correlations) and not len(alone.people)
    assert (len(same.people), len(same.correlations)) == (2, 0)


def test_multiple_choice_accuracy_shares_ties():
    predictions = np.array([0.1, 0.9, 0.5, 0.5, 0.2, 0.3])
    scores = np.array([0.0, 1, 1, 0, 1, 0])
    groups = np.array([0, 0, 1, 1, 2, 2])

    assert multiple_choice_accuracy(predictions, scores, groups) == pytest.approx((1 + 0.5 + 0) / 3)
    with pytest.raises(ValueError, match="at least one group"):
        multiple_choice_accuracy(predictions[:0], scores[:0], groups[:0])
    with pytest.raises(ValueError, match="numeric prediction"):
        multiple_choice_accuracy(predictions * np.nan, scores, groups)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5), st.integers(0, 5)), min_size=1), st.randoms())
def test_multiple_choice_accuracy_does_not_depend_on_names_and_order(rows, random):
    groups, predictions, scores = np.array(rows).T
    order = np.array(random.sample(range(len(rows)), len(rows)))

    found = multiple_choice_accuracy(predictions.astype(float), scores.astype(float), groups)

    assert 0 <= found <= 1
    assert found == pytest.approx(
        multiple_choice_accuracy(predictions[order].astype(float), scores[order].astype(float), 3 - groups[order])
    )
