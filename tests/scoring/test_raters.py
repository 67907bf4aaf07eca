"""Models of raters against reference programs, on known worlds, and where they are not defined."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scoring.stats.raters.best_worst import _information, annotator_errors
from scoring.stats.raters.categories import Answers, expected_values
from scoring.stats.raters.dawid_skene import fit_dawid_skene
from scoring.stats.raters.mace import fit_mace
from scoring.stats.raters.mixed import fit_mixed
from scoring.stats.raters.ordinal import fit_ordinal
from scoring.stats.raters.rated import CONSTANT, FEW_PEOPLE, SINGLE, Rated, comparable
from scoring.stats.raters.weighed import NONE, fit_weighed
from scoring.stats.reliabilities import fit_best_worst_annotators
from tests.scoring.choosing import simulated

FOLDER = Path(__file__).parent / "golden" / "raters"
GOLDEN = json.loads((FOLDER / "raters.json").read_text())


def read(name, *effects):
    """Items and annotators by their names in ascending order, as R and pandas code them."""
    rows = list(csv.DictReader((FOLDER / name).open()))
    items, raters = (np.unique([row[key] for row in rows], return_inverse=True)[1] for key in ("item", "annotator"))
    values = np.array([float(row["value"]) for row in rows])
    covariates = np.array([[float(row[key]) for key in effects] for row in rows]).reshape(len(rows), -1)
    return Rated(items, raters, values, int(items.max()) + 1, int(raters.max()) + 1, covariates)


def world(seed=0, items=60, raters=12, each=6, careless=0, contrary=0):
    """Ratings, true scores, and people's shift, stretch and noise."""
    generator = np.random.default_rng(seed)
    truth = generator.normal(0, 1.2, items)
    shifts, stretches = generator.normal(0, 0.5, raters), generator.normal(1, 0.15, raters)
    stretches[:careless], stretches[careless : careless + contrary] = 0, -1
    deviations = np.where(stretches == 0, 1.5, np.exp(generator.normal(-0.5, 0.3, raters)))
    own = np.concatenate([generator.choice(raters, each, replace=False) for _ in range(items)])
    item = np.repeat(np.arange(items), each)
    values = 3 + shifts[own] + stretches[own] * truth[item] + deviations[own] * generator.normal(size=len(own))
    return Rated(item, own, np.clip(np.round(values), 0, 6), items, raters), truth, (shifts, stretches, deviations)


def test_variances_and_levels_are_those_of_lme4_and_statsmodels():
    expected, other = GOLDEN["R"]["plain"], GOLDEN["Python"]["mixed"]
    found = fit_mixed(read("sparse.csv"))
    variances = [found.item_variance, found.rater_variance, found.residual_variance]

    assert found.converged
    assert variances == pytest.approx(expected["variances"], rel=1e-4)
    assert found.criterion == pytest.approx(expected["criterion"], abs=5e-7)
    assert found.intercept == pytest.approx(expected["fixed"][0], rel=1e-6)
    assert found.intercept_error == pytest.approx(expected["fixed_errors"][0], rel=1e-4)
    assert found.scores[:5] - found.intercept == pytest.approx(expected["items"], rel=1e-4)
    assert found.shifts == pytest.approx(expected["annotators"], rel=1e-4)
    assert variances == pytest.approx(
        [other["variances"][name] for name in ("item", "annotator", "residual")], rel=1e-4
    )
    assert found.criterion == pytest.approx(other["criterion"], abs=5e-7)


def test_effects_of_order_and_context_are_those_of_lme4():
    expected, rated = GOLDEN["R"]["full"], read("sparse.csv", "order", "context")
    found = fit_mixed(rated)
    at_zero = found.intercept - rated.covariates.mean(axis=0) @ found.effects

    assert found.criterion == pytest.approx(expected["criterion"], abs=5e-7)
    assert [at_zero, *found.effects] == pytest.approx(expected["fixed"], rel=1e-4)
    assert found.effect_errors == pytest.approx(expected["fixed_errors"][1:], rel=1e-4)
    assert found.scores[:5] - found.intercept == pytest.approx(expected["items"], rel=1e-4)


def test_the_eliminated_factor_changes_nothing():
    # More raters than items: the other factor is eliminated.
    rated = read("sparse.csv", "order")
    turned = Rated(rated.raters, rated.items, rated.values, rated.rater_number, rated.item_number, rated.covariates)
    found, other = fit_mixed(rated), fit_mixed(turned)

    assert other.criterion == pytest.approx(found.criterion, abs=1e-6)
    assert other.shifts == pytest.approx(found.scores - found.intercept, abs=1e-4)
    assert other.scores - other.intercept == pytest.approx(found.shifts, abs=1e-4)
    dense = prediction_errors(rated, found)
    assert found.errors == pytest.approx(dense[0], rel=1e-6)
    assert other.errors == pytest.approx(dense[1], rel=1e-3)


def prediction_errors(rated, found):
    """The errors of intercept plus level of items and of raters, from the whole of Henderson's equations."""
    count, items, raters = len(rated.values), rated.item_number, rated.rater_number
    design = np.zeros((count, 2 + items + raters))
    design[:, 0], design[:, 1] = 1, rated.covariates[:, 0] - rated.covariates.mean()
    design[np.arange(count), 2 + rated.items] = design[np.arange(count), 2 + items + rated.raters] = 1
    penalty = np.repeat([0, 1 / found.item_variance, 1 / found.rater_variance], [2, items, raters])
    covariance = np.linalg.inv(design.T @ design / found.residual_variance + np.diag(penalty))
    levels = np.eye(2 + items + raters)[2:]
    levels[:, 0] = 1
    variances = np.einsum("ij,jk,ik->i", levels, covariance, levels)
    return np.split(np.sqrt(variances), [items])


def test_a_mixed_model_without_differences_between_people_says_so():
    generator = np.random.default_rng(3)
    items, raters = np.divmod(np.arange(300), 6)
    values = generator.normal(size=50)[items] + generator.normal(size=300)
    means = np.bincount(raters, values) / 50
    found = fit_mixed(Rated(items, raters, values - means[raters], 50, 6))

    assert found.rater_variance == 0
    assert found.shifts == pytest.approx(np.zeros(6), abs=1e-6)


def test_without_priors_stretches_and_noise_are_those_of_factor_analysis():
    found = fit_weighed(read("complete.csv"), priors=NONE, slope=1e-7)
    loadings, noises = found.stretches * found.spread, found.noises

    assert found.converged
    for expected in (GOLDEN["R"]["factor"], GOLDEN["Python"]["factor"]):
        assert loadings == pytest.approx(expected["loadings"], abs=1e-4)
        assert noises == pytest.approx(expected["noises"], abs=1e-4)
    assert found.mean + found.shifts == pytest.approx(GOLDEN["R"]["factor"]["means"], abs=1e-4)


@pytest.mark.parametrize(("name", "spread"), [("common", 0), ("shifted", np.inf)])
def test_thresholds_and_shifts_are_those_of_clmm(name, spread):
    expected = GOLDEN["R"][name]
    found = fit_ordinal(read("sparse.csv"), shift_spread=spread, stretch_spread=0, slope=1e-7)

    assert found.log_likelihood == pytest.approx(expected["log_likelihood"], abs=1e-4)
    assert found.spread == pytest.approx(expected["spread"], rel=1e-3)
    assert found.thresholds - found.shifts[0] == pytest.approx(expected["thresholds"], abs=2e-3)
    assert found.shifts[1:] - found.shifts[0] == pytest.approx(expected.get("shifts", [0] * 11), abs=2e-3)


def test_categories_are_those_of_crowd_kit_by_dawid_and_skene():
    found = fit_dawid_skene(Answers.of(read("answers.csv"))[0], smoothing=0)

    assert found.converged
    assert found.probabilities == pytest.approx(np.array(GOLDEN["Python"]["dawid_skene"]), abs=2e-5)
    assert found.errors.sum(axis=2) == pytest.approx(np.ones((8, 3)))


def test_categories_are_those_of_crowd_kit_by_mace():
    found = fit_mace(Answers.of(read("answers.csv"))[0], np.random.default_rng(0))

    assert found.converged
    assert found.probabilities == pytest.approx(np.array(GOLDEN["Python"]["mace"]), abs=2e-5)


@pytest.mark.parametrize("fit", [fit_mixed, fit_weighed, fit_ordinal])
def test_the_names_of_items_and_people_change_nothing(fit):
    rated = world(seed=2)[0]
    generator = np.random.default_rng(5)
    items, raters, rows = generator.permutation(60), generator.permutation(12), generator.permutation(360)
    other = fit(Rated(items[rated.items[rows]], raters[rated.raters[rows]], rated.values[rows], 60, 12))
    found = fit(rated)

    assert other.scores[items] == pytest.approx(found.scores, abs=2e-3)
    assert other.shifts[raters] == pytest.approx(found.shifts, abs=2e-3)


def test_weighing_finds_who_is_careless_or_contrary_and_is_closer_to_the_truth():
    rated, truth, (shifts, stretches, _) = world(seed=1, items=150, raters=20, each=6, careless=3, contrary=2)
    found = fit_weighed(rated)
    means = np.bincount(rated.items, rated.values) / rated.ratings_of_items

    assert np.abs(found.stretches - stretches)[:5] == pytest.approx(np.zeros(5), abs=0.45)
    assert set(np.argsort(found.weights)[:3]) == {0, 1, 2}
    assert found.shifts[5:] - found.shifts[5:].mean() == pytest.approx(shifts[5:] - shifts[5:].mean(), abs=0.5)
    assert np.nanmean(found.weights) == pytest.approx(1)
    for scores in (found.scores, fit_ordinal(rated).scores):
        assert np.corrcoef(scores, truth)[0, 1] > np.corrcoef(means, truth)[0, 1] + 0.05


def test_errors_by_resampling_are_seeded_and_larger_than_with_known_people():
    rated = world(seed=4, items=40, raters=8, each=4)[0]
    for fit in (fit_weighed, fit_ordinal):
        known, one, again, other = (
            fit(rated, np.random.default_rng(seed), replicates=number).errors
            for seed, number in ((0, 0), (1, 4), (1, 4), (2, 4))
        )
        assert (one == again).all() and (one != other).any()
        assert one.mean() > known.mean()


def test_errors_are_as_large_as_the_deviations_from_the_truth():
    deviations, errors = [], []
    for seed in range(8):
        rated, truth, _ = world(seed=10 + seed, items=60, raters=10, each=5)
        found = fit_weighed(rated, np.random.default_rng(seed), replicates=5)
        difference = found.scores - 3 - truth
        deviations.append(difference - difference.mean())
        errors.append(found.errors)
    ratio = np.sqrt(np.mean(np.square(deviations)) / np.mean(np.square(errors)))
    assert 0.8 < ratio < 1.2


def test_people_who_agree_exactly_have_finite_scores_and_errors():
    items, raters = np.divmod(np.arange(120), 4)
    rated = Rated(items, raters, items % 5.0, 30, 4)
    for fit in (fit_weighed, fit_ordinal):
        found = fit(rated, np.random.default_rng(0), replicates=3)
        assert found.scores == pytest.approx(items[::4] % 5, abs=0.15)
        assert found.errors.max() < 0.4
    assert fit_mixed(rated).scores == pytest.approx(items[::4] % 5, abs=0.01)


def test_ratings_that_cannot_be_compared_are_left_out_or_refused():
    def reason(items, raters, values):
        found = comparable(Rated(*(np.array(own, int) for own in (items, raters)), np.array(values, float), 9, 9))
        return found.reason, len(found.rated.values), found.groups

    # Rater 3 shares no item; raters 0 to 2 do.
    assert reason([0, 0, 1, 1, 2, 2], [0, 1, 1, 2, 3, 3], range(6)) == ("", 4, 1)
    assert reason([0, 0, 1, 1], [0, 1, 2, 3], range(4)) == ("", 4, 2)
    assert reason([0, 1, 2], [0, 1, 2], range(3)) == (SINGLE, 0, 0)
    assert reason([0, 0, 1], [0, 1, 1], range(3)) == (FEW_PEOPLE, 3, 1)
    assert reason([0, 0, 0], [0, 1, 2], [2, 2, 2]) == (CONSTANT, 3, 1)
    assert reason([], [], []) == (SINGLE, 0, 0)


def test_impossible_input_is_refused():
    columns = np.array([0, 0, 1]), np.array([0, 1, 1])
    with pytest.raises(ValueError, match="a row for each rating"):
        Rated(*columns, np.zeros(2), 2, 2)
    with pytest.raises(ValueError, match="numbered from 0 to 0"):
        Rated(*columns, np.zeros(3), 1, 2)
    with pytest.raises(ValueError, match="finite"):
        Rated(*columns, np.array([0, 1, np.nan]), 2, 2)
    with pytest.raises(ValueError, match="cannot be told apart"):
        fit_mixed(Rated(*columns, np.arange(3.0), 2, 2, np.ones((3, 1))))
    with pytest.raises(ValueError, match="2 to 12 different"):
        fit_ordinal(Rated(*columns, np.ones(3), 2, 2))
    nobody = Answers(*(np.empty(0, np.int64),) * 3, 2, 2, 2)
    with pytest.raises(ValueError, match="at least one answer"):
        fit_dawid_skene(nobody)
    with pytest.raises(ValueError, match="at least one answer"):
        fit_mace(nobody, np.random.default_rng(0))


def test_people_and_items_without_answers_have_no_figures():
    rated = world(seed=2)[0]
    larger = Rated(rated.items, rated.raters, rated.values, 61, 13)
    answers, values = Answers.of(larger)
    dawid_skene, mace = fit_dawid_skene(answers), fit_mace(answers, np.random.default_rng(0), restarts=1)

    assert np.isnan(
        [
            dawid_skene.accuracies[12],
            mace.competences[12],
            *expected_values(mace.probabilities, values, answers.answered)[60:],
        ]
    ).all()
    for found in (fit_mixed(larger), fit_weighed(larger), fit_ordinal(larger)):
        assert np.isnan([found.scores[60], found.errors[60], found.shifts[12]]).all()
        assert not np.isnan([*found.scores[:60], *found.shifts[:12]]).any()


def test_who_knows_least_is_found():
    answers = Answers.of(read("answers.csv"))[0]  # r6 knew 60%, r7 35%, the others 75 to 95%
    assert set(np.argsort(fit_mace(answers, np.random.default_rng(0)).competences)[:2]) == {6, 7}
    assert set(np.argsort(fit_dawid_skene(answers).accuracies)[:2]) == {6, 7}


def test_errors_of_utilities_by_annotator_are_those_of_the_sandwich():
    choices = simulated(items=20, people=40, seed=3)
    fitted = fit_best_worst_annotators(choices)
    errors = annotator_errors(choices, fitted, np.random.default_rng(0), draws=2000)
    slopes, weights = _information(choices, fitted)
    slopes, weights = slopes.toarray(), weights.toarray()
    inverse = np.linalg.inv(np.diag(weights.sum(axis=1) + 0.01) - weights)
    # Drawing n of n: the slopes of the whole are nearly 0, so the variance of a sum is that of n independent people.
    moved = (slopes - slopes.mean(axis=0)) @ inverse
    moved -= moved.mean(axis=1, keepdims=True)
    expected = np.sqrt(np.square(moved).sum(axis=0) * 40 / 39)

    assert slopes.sum(axis=0) == pytest.approx(-0.01 * fitted.utilities.values / 1, abs=0.2)
    assert errors == pytest.approx(expected, rel=0.1)


def test_errors_of_utilities_need_annotators():
    choices = replace(simulated(items=8, appearances=2), annotators=None)
    with pytest.raises(ValueError, match="the annotator of every judgment"):
        annotator_errors(choices, None, np.random.default_rng(0))
