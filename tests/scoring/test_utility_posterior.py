"""Utilities with a prior that is estimated from all items."""

import numpy as np
import pytest

from annotation.planning.tuples import design_tuples
from scoring.stats.choices import Choices
from scoring.stats.utility_posterior import UtilityPosterior, fit_posterior

ITEMS = 300


def chosen(spread: float, answers: int, seed: int = 1, items: int = ITEMS) -> tuple[Choices, np.ndarray]:
    """Return choices as the sequential best-worst model makes them, and the true utilities."""
    chance = np.random.default_rng(seed)
    truth = spread * chance.normal(size=items)
    tuples = np.repeat(design_tuples(items, size=4, factor=2, generator=chance), answers, axis=0)
    rows = np.arange(len(tuples))
    best = (truth[tuples] + chance.gumbel(size=tuples.shape)).argmax(axis=1)
    others = -truth[tuples] + chance.gumbel(size=tuples.shape)
    others[rows, best] = -np.inf
    worst = others.argmax(axis=1)
    return Choices(tuples, tuples[rows, best], tuples[rows, worst], rows, None, items), truth


@pytest.mark.parametrize("spread", [0.7, 1.5, 3.0])
def test_the_prior_and_the_reliability_are_those_of_the_items(spread):
    choices, truth = chosen(spread, 3)
    known = fit_posterior(choices)

    assert known.precision**-0.5 == pytest.approx(spread, rel=0.2)
    assert known.reliability == pytest.approx(np.corrcoef(known.values, truth)[0, 1] ** 2, abs=0.03)


def test_true_utilities_are_within_their_errors():
    choices, truth = chosen(1.0, 3)
    known = fit_posterior(choices)
    off = (known.values - truth + truth.mean()) / known.errors

    assert np.mean(np.abs(off) < 1.96) == pytest.approx(0.95, abs=0.04)


def test_an_item_without_a_judgment_has_the_error_of_the_prior():
    choices, _ = chosen(1.0, 1)
    known = fit_posterior(Choices(choices.items, choices.best, choices.worst, choices.tuples, None, ITEMS + 1))

    assert known.values[-1] == 0
    assert known.errors[-1] == pytest.approx(known.errors.max())


def test_shares_follow_the_root_of_the_density():
    known = UtilityPosterior(np.array([0.0, 2.0, -2.0]), np.ones(3), 1.0)

    assert known.rank_shares == pytest.approx(np.array([1, np.exp(-1), np.exp(-1)]) / (1 + 2 * np.exp(-1)))


def test_reliability_is_zero_if_errors_are_as_large_as_the_prior():
    assert UtilityPosterior(np.zeros(2), np.full(2, 1.5), 1.0).reliability == 0
