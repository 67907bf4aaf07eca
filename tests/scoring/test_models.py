from itertools import combinations

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from scipy.optimize import check_grad
from scipy.stats import spearmanr

from scoring.stats.bws import best_worst_scores, count_choices
from scoring.stats.choices import Choices
from scoring.stats.models import (
    BestWorst,
    BradleyTerry,
    best_worst_errors,
    bradley_terry_errors,
    fit_best_worst,
    fit_bradley_terry,
)
from scoring.stats.pairs import count_pairs, implied_pairs
from scoring.stats.reliabilities import _Rows, fit_best_worst_annotators
from tests.properties import examples
from tests.scoring.choosing import any_choices, balanced_tables, choices_of, chosen_by, simulated


def generator():
    return np.random.default_rng(0)


def comparisons(items=8, games=400):
    utilities = np.linspace(-1, 1, items)
    one, other = generator().integers(0, items, (2, games))
    one, other = one[one != other], other[one != other]
    won = generator().random(len(one)) < 1 / (1 + np.exp(utilities[other] - utilities[one]))
    return np.where(won, one, other), np.where(won, other, one)


def test_pairs_are_counted_once_each():
    pairs = count_pairs(np.array([2, 0, 2, 1]), np.array([0, 2, 0, 2]), 4)

    assert [column.tolist() for column in (pairs.first, pairs.second)] == [[0, 1], [2, 2]]
    assert [column.tolist() for column in (pairs.first_wins, pairs.second_wins)] == [[1, 1], [2, 0]]


@pytest.mark.parametrize(
    ("winners", "losers", "message"), [([0], [3], "from 0 to 2"), ([-1], [0], "from 0 to 2"), ([1], [1], "with itself")]
)
def test_pairs_that_cannot_be_are_refused(winners, losers, message):
    with pytest.raises(ValueError, match=message):
        count_pairs(np.array(winners), np.array(losers), 3)


def test_choices_imply_five_pairs_of_four_items():
    pairs = implied_pairs(choices_of([([3, 1, 0, 2], 0, 3), ([0, 1], 1, 0)]))

    found = zip(pairs.first, pairs.second, pairs.first_wins, pairs.second_wins, strict=True)
    assert sorted(map(tuple, found)) == [(0, 1, 1, 1), (0, 2, 1, 0), (0, 3, 1, 0), (1, 3, 1, 0), (2, 3, 1, 0)]


def test_bradley_terry_equals_choix():
    winners, losers = comparisons()

    found = fit_bradley_terry(count_pairs(winners, losers, 8), ridge=0.04)

    # choix adds alpha times the sum of squares, twice what the ridge does.
    expected = choix.opt_pairwise(8, list(zip(winners, losers, strict=True)), alpha=0.02, tol=1e-10)
    assert found.values == pytest.approx(expected, abs=1e-6)
    assert found.converged


def test_bradley_terry_without_much_ridge_equals_the_spectral_estimate():
    winners, losers = comparisons()

    found = fit_bradley_terry(count_pairs(winners, losers, 8), ridge=1e-6)

    expected = choix.ilsr_pairwise(8, list(zip(winners, losers, strict=True)))
    assert found.values == pytest.approx(expected - expected.mean(), abs=1e-4)


def test_two_items_have_the_logit_of_their_wins():
    found = fit_bradley_terry(count_pairs(np.array([0] * 30 + [1] * 10), np.array([1] * 30 + [0] * 10), 3), ridge=1e-6)

    assert found.values[:2] == pytest.approx([np.log(3) / 2, -np.log(3) / 2], abs=1e-5)
    assert np.isnan(found.values[2])
    assert found.log_likelihood == pytest.approx(30 * np.log(0.75) + 10 * np.log(0.25))


def plain_likelihood(choices, utilities):
    total = 0.0
    for items, best, worst in zip(choices.items, choices.best, choices.worst, strict=True):
        shown = items[items >= 0]
        rest = shown[shown != best]
        total += utilities[best] - np.log(np.exp(utilities[shown]).sum())
        total += -utilities[worst] - np.log(np.exp(-utilities[rest]).sum())
    return total


@settings(deadline=None)
@given(any_choices(valid=True))
def test_best_worst_likelihood_is_that_of_its_formula(choices):
    utilities = generator().normal(size=choices.number)

    assert -BestWorst(choices).loss(utilities)[0] == pytest.approx(plain_likelihood(choices, utilities))


def test_best_worst_likelihood_of_tuples_whose_rows_differ():
    choices = choices_of([([0, 1, 2], 0, 1), ([0, 3], 0, 3)], tuples=[0, 0])
    utilities = generator().normal(size=4)

    assert -BestWorst(choices).loss(utilities)[0] == pytest.approx(plain_likelihood(choices, utilities))


@pytest.mark.parametrize("model", [BestWorst, lambda choices: BradleyTerry(implied_pairs(choices))])
def test_slopes_and_weights_are_derivatives(model):
    model = model(simulated(items=12, appearances=3))
    utilities = generator().normal(size=12)

    assert check_grad(lambda at: model.loss(at)[0], lambda at: model.loss(at)[1], utilities) < 1e-4
    steps = 1e-6 * np.eye(12)
    slopes = [(model.loss(utilities + step)[1] - model.loss(utilities - step)[1]) / 2e-6 for step in steps]
    weights = model.weights(utilities).toarray()
    np.testing.assert_allclose(np.diag(weights.sum(axis=1)) - weights, slopes, atol=1e-6)
    curvature = model.curvature(utilities)
    np.testing.assert_allclose([curvature.times(unit) for unit in np.eye(12)], slopes, atol=1e-6)
    np.testing.assert_allclose(curvature.diagonal, np.diag(slopes), atol=1e-6)


def test_slopes_of_annotators_are_derivatives():
    choices = simulated(items=12, appearances=3, people=4)
    rows = _Rows(choices, choices.annotators, 4)
    start = generator().normal(size=16)

    def loss(at):
        return rows.loss(at[:12], at[12:])[0]

    assert check_grad(loss, lambda at: np.concatenate(rows.loss(at[:12], at[12:])[1:]), start) < 1e-4


def complete_choices(items=8, judgments=30):
    tables = np.repeat(np.array(list(combinations(range(items), 4))), judgments, axis=0)
    return chosen_by(np.linspace(-1.5, 1.5, items), tables, generator())


@pytest.mark.parametrize("fit", [fit_best_worst, lambda choices: fit_bradley_terry(implied_pairs(choices))])
def test_models_rank_balanced_choices_as_counting_does(fit):
    choices = complete_choices()

    found = fit(choices)

    assert np.argsort(found.values).tolist() == np.argsort(best_worst_scores(count_choices(choices))).tolist()


def test_best_worst_recovers_the_truth():
    choices = complete_choices(judgments=200)

    found = fit_best_worst(choices)
    errors = best_worst_errors(choices, found, generator())

    assert found.values == pytest.approx(np.linspace(-1.5, 1.5, 8), abs=0.06)
    assert np.abs((found.values - np.linspace(-1.5, 1.5, 8)) / errors.errors).max() < 3
    assert errors.relative_error == 0


def test_symmetric_choices_have_utilities_of_zero():
    rows = [([0, 1, 2], best, worst) for best in range(3) for worst in range(3) if best != worst]

    # One after the other, best and worst are not symmetric in themselves: here they are, as every item is either.
    assert fit_best_worst(choices_of(rows)).values == pytest.approx(0, abs=1e-6)


@settings(deadline=None, max_examples=examples(0.3))
@given(any_choices(valid=True))
def test_utilities_are_finite_and_do_not_depend_on_names(choices):
    names = generator().permutation(choices.number)
    items = np.where(choices.items < 0, -1, names[choices.items])
    other = Choices(items, names[choices.best], names[choices.worst], choices.tuples, None, choices.number)

    one, two = fit_best_worst(choices), fit_best_worst(other)

    shown = np.unique(choices.shown()[1])
    assert np.isfinite(one.values[shown]).all() and np.isnan(one.values).sum() == choices.number - len(shown)
    assert one.converged and two.converged
    np.testing.assert_allclose(two.values[names], one.values, atol=1e-6)


def test_separated_and_disconnected_items_stay_finite():
    choices = choices_of([([0, 1, 2], 0, 2)] * 5 + [([3, 4, 5], 3, 5)] * 5)

    found = fit_best_worst(choices)
    errors = best_worst_errors(choices, found, generator())

    assert np.isfinite(found.values).all() and np.isfinite(errors.errors).all()
    assert found.values[:3].sum() == pytest.approx(0, abs=1e-2)
    assert found.values[0] > found.values[1] > found.values[2]


def test_errors_of_two_items():
    # A difference d has information n p (1 - p), and each item is half of it away from their mean. Without one judgment
    # that went with p, the information and p change: the slope 1 - p is divided by 1 - 1 / n.
    choices = choices_of([([0, 1], 0, 1)] * 30 + [([0, 1], 1, 0)] * 10, number=3, tuples=[0] * 40)
    fitted = fit_bradley_terry(implied_pairs(choices), ridge=1e-6)

    errors = bradley_terry_errors(choices, fitted, generator(), ridge=1e-6).errors

    assert errors[:2] == pytest.approx(0.5 / np.sqrt(40 * 0.75 * 0.25) / (1 - 1 / 40), rel=1e-4)
    assert np.isnan(errors[2])


def test_errors_of_implied_pairs_are_those_of_leaving_judgments_out():
    choices = simulated(items=12, appearances=10)
    fitted = fit_bradley_terry(implied_pairs(choices))
    rows = np.arange(choices.judgments)
    without = [fit_bradley_terry(implied_pairs(choices.keep(rows != row))).values for row in rows]

    errors = bradley_terry_errors(choices, fitted, generator()).errors

    jackknife = np.sqrt(np.sum((np.array(without) - fitted.values) ** 2, axis=0))
    # One Newton step is not the whole way for an item that lost a single judgment.
    assert np.median(errors / jackknife) == pytest.approx(1, abs=0.02)
    assert errors == pytest.approx(jackknife, rel=0.2)


@pytest.mark.parametrize("rows", [[([0, 1, 2], 0, 2)] * 5 + [([3, 4], 3, 4)], [([0, 1, 2, 3], 0, 3)]])
def test_items_that_always_win_have_errors_of_implied_pairs(rows):
    choices = choices_of(rows, number=6)

    found = bradley_terry_errors(choices, fit_bradley_terry(implied_pairs(choices)), generator())

    shown = np.unique(choices.shown()[1])
    assert (found.errors[shown] > 0.5).all() and np.isfinite(found.errors[shown]).all()
    assert np.isnan(found.errors).sum() == 6 - len(shown)


def careless_people(items=40, people=12):
    """Every third annotator answers at random, the last one turns the scale round."""
    reliabilities = np.where(np.arange(people) % 3 == 0, 0.0, 1.5)
    reliabilities[-1] = -1.0
    chance = generator()
    tables = np.repeat(balanced_tables(items, 12, chance), people, axis=0)
    annotators = np.tile(np.arange(people), len(tables) // people)
    utilities = np.linspace(-2, 2, items)
    return chosen_by(utilities, tables, chance, annotators, reliabilities[annotators]), utilities, reliabilities


def test_reliabilities_of_annotators_are_recovered():
    choices, utilities, reliabilities = careless_people()

    found = fit_best_worst_annotators(choices)

    assert found.utilities.converged
    assert np.nanmean(found.reliabilities) == pytest.approx(1)
    assert found.reliabilities == pytest.approx(reliabilities / reliabilities.mean(), abs=0.35)
    plain = fit_best_worst(choices)
    assert found.utilities.log_likelihood > plain.log_likelihood
    assert spearmanr(found.utilities.values, utilities).statistic > spearmanr(plain.values, utilities).statistic


def test_people_without_judgments_have_no_reliability():
    choices = simulated(people=3)
    shifted = Choices(choices.items, choices.best, choices.worst, choices.tuples, 2 * choices.annotators, 41)

    found = fit_best_worst_annotators(shifted)

    assert np.isnan(found.reliabilities[[1, 3]]).all() and np.isfinite(found.reliabilities[[0, 2, 4]]).all()
    assert np.isnan(found.utilities.values[40])


def test_models_without_a_base_are_refused():
    invalid, valid = choices_of([([0, 1], 0, 0)], annotators=[0]), choices_of([([0, 1], 0, 1)], annotators=[0])

    with pytest.raises(ValueError, match="has no likelihood"):
        fit_best_worst(invalid)
    with pytest.raises(ValueError, match="implies no pairs"):
        implied_pairs(invalid)
    with pytest.raises(ValueError, match="ridge must be positive"):
        fit_best_worst(valid, ridge=0)
    with pytest.raises(ValueError, match="at least one comparison"):
        fit_bradley_terry(count_pairs(np.zeros(0, np.int64), np.zeros(0, np.int64), 3))
    with pytest.raises(ValueError, match="at least one comparison"):
        fit_best_worst(valid.keep(np.zeros(1, np.bool_)))
    with pytest.raises(ValueError, match="the annotator of every judgment"):
        fit_best_worst_annotators(choices_of([([0, 1], 0, 1)]))
    with pytest.raises(ValueError, match="do not determine the scale"):
        fit_best_worst_annotators(valid, reliability_ridge=0)


def test_annotators_who_all_contradict_each_other_are_refused(monkeypatch):
    choices = simulated(people=2)
    parameters = np.concatenate([np.ones(choices.number), [0.0, 0.0]])
    monkeypatch.setattr("scoring.stats.reliabilities.minimise", lambda loss, start: (parameters, True))

    with pytest.raises(ValueError, match="sum to zero"):
        fit_best_worst_annotators(choices)
