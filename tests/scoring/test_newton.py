import numpy as np
import pytest
from scipy.optimize import minimize

from scoring.stats import newton
from scoring.stats.models import BradleyTerry, fit_best_worst, fit_bradley_terry
from scoring.stats.newton import Curvature, minimise_convex
from scoring.stats.pairs import count_pairs, implied_pairs
from tests.scoring.choosing import choices_of, simulated


class Bowl:
    """The sum of cosh(x - c), whose minimum is c."""

    def __init__(self, centre):
        self.centre = np.array(centre)

    def loss(self, at):
        return float(np.cosh(at - self.centre).sum()), np.sinh(at - self.centre)

    def curvature(self, at):
        diagonal = np.cosh(at - self.centre)
        return Curvature(diagonal, lambda vector: diagonal * vector)


def test_minimum_is_exact_and_far_away():
    place, converged = minimise_convex(Bowl([1.0, -20, 0]), 1e-12, 3)

    assert place == pytest.approx([1, -20, 0], abs=1e-9)
    assert converged


def test_minimum_at_the_start_is_there_at_once():
    assert minimise_convex(Bowl([0.0, 0]), 1.0, 2)[1]


class Valley(Bowl):
    """The sum of sqrt(1 + (x - c)^2): from afar, steps shoot beyond the minimum."""

    def loss(self, at):
        away = at - self.centre
        return float(np.sqrt(1 + away**2).sum()), away / np.sqrt(1 + away**2)

    def curvature(self, at):
        diagonal = (1 + (at - self.centre) ** 2) ** -1.5
        return Curvature(diagonal, lambda vector: diagonal * vector)


def test_steps_that_shoot_beyond_are_halved():
    place, converged = minimise_convex(Valley([3.0, -0.5]), 1e-12, 2)

    assert place == pytest.approx([3, -0.5], abs=1e-9)
    assert converged


def test_ridge_draws_towards_zero():
    place, _ = minimise_convex(Bowl([2.0]), 3.0, 1)

    assert 3 * place + np.sinh(place - 2) == pytest.approx(0, abs=1e-9)


def test_steps_that_run_out_are_told(monkeypatch):
    monkeypatch.setattr(newton, "MAXIMUM_STEPS", 2)

    assert not minimise_convex(Bowl([20.0]), 1e-3, 1)[1]


def test_step_that_cannot_descend_is_told(monkeypatch):
    monkeypatch.setattr(newton, "MAXIMUM_HALVINGS", 0)

    place, converged = minimise_convex(Bowl([1.0]), 1e-3, 1)

    assert (place.tolist(), converged) == ([0], False)


def test_small_steps_of_a_system_that_was_not_solved_are_no_end(monkeypatch):
    monkeypatch.setattr(newton, "MAXIMUM_DIRECTIONS", 1)

    assert not fit_bradley_terry(implied_pairs(simulated(items=12, appearances=3))).converged


def searched(pairs, ridge):
    """By scipy, from slopes alone, as exactly as it goes."""
    model = BradleyTerry(pairs)

    def loss(at):
        value, slopes = model.loss(at)
        return value + ridge / 2 * at @ at, slopes + ridge * at

    return minimize(loss, np.zeros(pairs.number), jac=True, method="BFGS", options={"gtol": 1e-9}).x


def test_utilities_are_those_of_another_search():
    pairs = implied_pairs(simulated(items=40))

    assert fit_bradley_terry(pairs).values == pytest.approx(searched(pairs, 0.01), abs=1e-6)


@pytest.mark.parametrize("ridge", [1, 0.01, 1e-4])
def test_utilities_of_hard_data_have_no_slope_left(ridge):
    links = np.arange(300)
    chain = count_pairs(links[:-1], links[1:], 300)
    landslide = count_pairs(np.zeros(100_000, int), np.ones(100_000, int), 2)

    for pairs in (chain, landslide):
        found = fit_bradley_terry(pairs, ridge=ridge)
        assert found.converged
        assert BradleyTerry(pairs).loss(found.values)[1] + ridge * found.values == pytest.approx(0, abs=1e-7)


def test_chain_of_best_worst_choices_has_an_end():
    choices = choices_of([(list(range(first, first + 4)), first, first + 3) for first in range(200)])

    found = fit_best_worst(choices)

    assert found.converged
    assert (np.diff(found.values) < 0).all()
