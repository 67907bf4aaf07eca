"""Variances that are estimated, beside those of the inverted information."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse.linalg import cg

from scoring.files.choices import read_choices
from scoring.stats import information
from scoring.stats.choices import Choices
from scoring.stats.information import DRAWS, centred_variances
from scoring.stats.models import (
    BestWorst,
    best_worst_errors,
    bradley_terry_errors,
    fit_best_worst,
    fit_bradley_terry,
)
from scoring.stats.pairs import implied_pairs
from tests.scoring.choosing import balanced_tables, chosen_by, simulated

RIDGE = 0.01
WORST = np.sqrt(2 / DRAWS)
"""The standard error of a mean of squares, of which nothing is known beforehand."""


def generator(seed=0):
    return np.random.default_rng(seed)


def estimated(found, monkeypatch):
    """The same by draws, however few the items."""
    monkeypatch.setattr(information, "INVERSION_LIMIT", 1)
    return found()


@st.composite
def comparisons(draw):
    """Connected items whose weights differ by up to ten orders of magnitude, in one component."""
    number = draw(st.integers(2, 30))
    chance = generator(draw(st.integers(0, 2**32)))
    weights = 10 ** chance.uniform(-7, 3, (number, number)) * (chance.random((number, number)) < 0.3)
    weights += np.diag(10 ** chance.uniform(-7, 3, number - 1), 1)
    upper = np.triu(weights, 1)
    return sparse.csr_array(upper + upper.T)


def inverted(weights, ridge):
    """P H^-1 P, literally."""
    number = weights.shape[0]
    information_ = np.diag(weights.sum(axis=1) + ridge) - weights.toarray()
    centring = np.eye(number) - 1 / number
    return np.diag(centring @ np.linalg.inv(information_) @ centring)


@settings(deadline=None)
@given(comparisons())
def test_exact_variances_are_those_of_the_inverted_information(weights):
    found = centred_variances(weights, RIDGE, generator())

    assert (found.relative_error, found.solved) == (0, True)
    np.testing.assert_allclose(found.values, inverted(weights, RIDGE), rtol=1e-4)


@settings(deadline=None)
@given(comparisons())
def test_estimated_variances_are_positive_and_near_the_exact_ones(weights):
    exact = inverted(weights, RIDGE)

    values, error = information._estimate(weights, RIDGE, generator())

    number, degrees = len(exact), weights.sum(axis=1) + RIDGE
    assert (values >= (1 - 2 / number) / degrees).all() and (values > 0).all()
    assert np.abs(values / exact - 1).max() < 6 * WORST
    assert 0 < error < 2.5 * WORST


@pytest.mark.parametrize(("spread", "off"), [(0.5, 0.01), (2, 0.02), (6, 0.05)])
def test_estimated_errors_are_near_the_exact_ones(spread, off, monkeypatch):
    choices = simulated(items=200, spread=spread)
    found = fit_best_worst(choices)
    exact = best_worst_errors(choices, found, generator())

    estimate = estimated(lambda: best_worst_errors(choices, found, generator()), monkeypatch)

    assert exact.relative_error == 0 < estimate.relative_error < 0.13
    assert np.sqrt(np.mean((estimate.values / exact.values - 1) ** 2)) < off
    assert np.abs(estimate.values / exact.values - 1).max() < 5 * estimate.relative_error


def gold_questions(items=300, asked=400):
    """Choices among many items, with a few that stand in a thousand rows, and some that always win."""
    chance = generator(3)
    gold = np.tile([0, 1, 2, 3], (asked, 1))
    mixed = np.stack([chance.integers(0, 4, asked), *chance.integers(4, items, (3, asked))], axis=1)
    tables = np.concatenate([balanced_tables(items, 4, chance), gold, mixed])
    tables = tables[(np.diff(np.sort(tables, axis=1)) > 0).all(axis=1)]
    utilities = chance.normal(0, 1, items)
    utilities[10:20], utilities[20:30] = 30, -30
    return chosen_by(utilities, tables, chance)


@pytest.mark.parametrize(
    ("fit", "errors", "hardly_known"),
    [
        (fit_best_worst, best_worst_errors, []),
        # What is known of two items that always lose hangs on a judgment each, whose share is a first approximation.
        (lambda choices: fit_bradley_terry(implied_pairs(choices)), bradley_terry_errors, [25, 26]),
    ],
)
def test_items_in_most_rows_and_items_that_always_win_have_errors(fit, errors, hardly_known, monkeypatch):
    # What is known of a gold question is a thousand times what is known of the others: an estimate that adds up the
    # chance of all columns of the inverse says nothing of it, and may fall below zero.
    choices = gold_questions()
    found = fit(choices)
    exact = errors(choices, found, generator())

    estimate = estimated(lambda: errors(choices, found, generator()), monkeypatch)

    assert found.converged and exact.values.max() / exact.values.min() > 500
    assert estimate.relative_error < np.sqrt(2) * WORST
    known = np.delete(np.arange(300), hardly_known)
    np.testing.assert_allclose(estimate.errors[known], exact.errors[known], rtol=0.25)
    assert np.isfinite(estimate.errors).all()
    assert estimate.errors[:4] == pytest.approx(exact.errors[:4], rel=0.1)


def test_halves_that_hardly_meet_are_told_apart_as_little_as_they_are(monkeypatch):
    # Two sets of items that one comparison joins: how far they are apart is known from this one alone.
    chance = generator(1)
    halves = [balanced_tables(60, 40, chance), balanced_tables(60, 40, chance) + 60, np.array([[0, 1, 60, 61]])]
    choices = chosen_by(chance.normal(0, 1, 120), np.concatenate(halves), chance)
    found = fit_best_worst(choices)
    exact = best_worst_errors(choices, found, generator())

    estimate = estimated(lambda: best_worst_errors(choices, found, generator()), monkeypatch)

    assert exact.values.min() > 0.2
    np.testing.assert_allclose(estimate.values, exact.values, rtol=0.5)
    assert 0.05 < estimate.relative_error < 2 * WORST


def test_all_errors_of_ruddit(outside_data):
    """Gold questions stand in thousands of its rows, and other items in a handful."""
    choices = read_choices(str(Path(outside_data) / "ruddit" / "judgments.csv"), keep_invalid=True, signed=False)
    valid = choices.keep(choices.valid)
    found = fit_best_worst(valid)

    estimate = best_worst_errors(valid, found, generator())

    assert found.converged and estimate.relative_error < 0.05
    assert (estimate.values > 0).all()
    weights = BestWorst(valid).weights(found.values)
    matrix = sparse.diags_array(weights.sum(axis=1) + RIDGE) - weights
    # The least and the most that is known of an item, and some between: solved for one by one.
    for item in np.argsort(estimate.values)[[0, 1, 2, 1500, 3000, 4500, -2, -1]]:
        unit = np.full(valid.number, -1 / valid.number)
        unit[item] += 1
        column, ended = cg(matrix, unit, rtol=1e-10)
        assert ended == 0
        assert estimate.values[item] == pytest.approx(column[item] - column.mean(), rel=0.1)


def test_components_are_estimated_each_for_itself(monkeypatch):
    one = simulated(items=40)
    choices = Choices(
        np.concatenate([one.items, one.items + 40]),
        np.concatenate([one.best, one.best + 40]),
        np.concatenate([one.worst, one.worst + 40]),
        np.concatenate([one.tuples, one.tuples + one.tuple_number]),
        None,
        81,
    )
    found = fit_best_worst(choices)

    estimate = estimated(lambda: best_worst_errors(choices, found, generator()), monkeypatch)

    assert np.isnan(estimate.values[80]) and np.isfinite(estimate.values[:80]).all()
    np.testing.assert_allclose(estimate.values[40:80], estimate.values[:40], rtol=0.2)
    assert estimate.solved


def test_errors_that_could_not_be_solved_for_are_not_told(monkeypatch):
    monkeypatch.setattr(information, "MAXIMUM_STEPS", 1)
    choices = simulated(items=40)
    found = fit_best_worst(choices)

    estimate = estimated(lambda: best_worst_errors(choices, found, generator()), monkeypatch)

    assert np.isnan(estimate.values).all() and np.isnan(estimate.relative_error)
    assert not estimate.solved
