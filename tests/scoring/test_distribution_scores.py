"""Predicted distributions compared with the answers of people."""

import numpy as np
import pytest
from scipy.stats import norm, wasserstein_distance

from scoring.stats.distribution_scores import compare_distributions, normal_shares, spread_of
from scoring.stats.distributions import Levels

VALUES = np.array([1.0, 2.0, 3.0])
COUNTS = np.array([[2, 2, 0], [0, 1, 3], [0, 0, 0], [4, 0, 0]])
PREDICTED = np.array([[0.5, 0.3, 0.2], [0.1, 0.4, 0.5], [0.2, 0.3, 0.5], [0.8, 0.1, 0.1]])


def test_cross_entropy_distance_and_spread_over_the_judged_items():
    found = compare_distributions(PREDICTED, COUNTS, VALUES)

    judged = [0, 1, 3]
    shares = COUNTS[judged] / 4
    distances = [wasserstein_distance(VALUES, VALUES, p, q) for p, q in zip(PREDICTED[judged], shares, strict=True)]
    deviations = [np.std(np.repeat(VALUES, counts), ddof=1) for counts in COUNTS[judged]]
    predicted = [np.sqrt(np.average((VALUES - p @ VALUES) ** 2, weights=p)) for p in PREDICTED[judged]]
    assert (found.items, found.impossible) == (3, 0)
    assert found.cross_entropy == pytest.approx(-np.mean((shares * np.log(PREDICTED[judged])).sum(axis=1)))
    assert found.entropy == pytest.approx((np.log(2) + -0.25 * np.log(0.25) - 0.75 * np.log(0.75)) / 3)
    assert found.uniform == pytest.approx(np.log(3))
    assert found.wasserstein == pytest.approx(np.mean(distances))
    assert found.spread == pytest.approx(np.corrcoef(predicted, deviations)[0, 1])


def test_an_answer_that_was_predicted_to_be_impossible_has_no_cross_entropy():
    found = compare_distributions(np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]), COUNTS[[0, 3]], VALUES)

    assert (found.impossible, np.isnan(found.cross_entropy)) == (1, True)
    assert found.wasserstein == pytest.approx((0.5 + 0.5) / 2)


def test_without_judged_items_nothing_is_defined():
    found = compare_distributions(PREDICTED[[2]], COUNTS[[2]], VALUES)

    assert found.items == 0
    assert np.isnan([found.cross_entropy, found.entropy, found.wasserstein, found.spread]).all()


def test_a_normal_distribution_is_rounded_to_the_levels():
    levels = Levels.of(1.0, 3.0, 1.0)

    found = normal_shares(np.array([1.6, 2.2]), np.array([0.5, 0.0]), levels)

    below, above = norm.cdf(1.5, 1.6, 0.5), norm.sf(2.5, 1.6, 0.5)
    assert found[0] == pytest.approx([below, 1 - below - above, above])
    assert found[1].tolist() == [0, 1, 0]
    assert spread_of(found, levels.values)[1] == 0
