"""Intervals of 95 % have the true figure: a small version of `python -m benchmarks.coverage`.

Its few collections leave a standard error of some per cent; what was wrong before is farther off.
"""

import numpy as np
import pytest

from benchmarks.coverage import choices, pairs, ratings
from benchmarks.coverage.choices import Chosen, cover_errors, cover_intervals
from benchmarks.coverage.pairs import KINDS, cover_means, cover_order, cover_pairs
from benchmarks.coverage.ratings import CARELESS, Panel, Rated, cover_panel, cover_ratings, cover_repeated


@pytest.fixture(autouse=True)
def _few(monkeypatch):
    for name, number in {"TRUTH_RATINGS": 100_000, "RESAMPLES": 50}.items():
        monkeypatch.setattr(ratings, name, number)
    monkeypatch.setattr(choices, "RESAMPLES", 50)
    monkeypatch.setattr(choices, "OTHERS", 50)
    monkeypatch.setattr(pairs, "TRUTH", 100_000)


def test_intervals_of_utilities_have_the_true_ones():
    found = cover_errors(Chosen(40, 8, 4, 1.0), 4, np.random.default_rng(4))

    assert np.mean(found["Bradley-Terry utility"]) == pytest.approx(0.95, abs=0.035)
    assert np.mean(found["best-worst utility"]) == pytest.approx(0.95, abs=0.035)
    assert np.mean(found["Bradley-Terry utility, assuming independent pairs"]) < 0.9


def test_intervals_of_agreement_have_the_true_one():
    found = cover_ratings(Rated(64, 6), 40, np.random.default_rng(1))

    assert np.mean(found["inter, pearson"]) == pytest.approx(0.95, abs=0.08)
    assert np.mean(found["leave-one-out, pearson"]) == pytest.approx(0.95, abs=0.08)
    assert np.mean(found["inter, pearson, assuming independence"]) < 0.85


def test_intervals_of_the_average_rater_have_the_true_one_with_careless_people():
    found = cover_panel(Panel(20, 10, "one in ten careless", CARELESS), 150, np.random.default_rng(2))

    assert np.mean(found["average rater"]) == pytest.approx(0.95, abs=0.04)


def test_intervals_of_means_have_the_true_ones_with_few_ratings():
    found = cover_means(50, 2, 300, np.random.default_rng(2))

    assert np.mean(found["mean of an item"]) == pytest.approx(0.95, abs=0.02)
    assert np.mean(found["mean of an item, assuming Student's t"]) < 0.7


def test_intervals_of_spearmans_correlation_have_the_true_one_on_a_bounded_scale():
    found = cover_pairs(20, KINDS[1], 300, np.random.default_rng(2))

    assert np.mean(found["Spearman's ρ, jackknife"]) == pytest.approx(0.95, abs=0.035)


def test_effects_of_order_have_the_true_one():
    found = cover_order(5, 40, 300, np.random.default_rng(2))

    assert np.mean(found["effect of order, by annotator"]) == pytest.approx(0.95, abs=0.035)


def test_errors_of_scores_cover_the_true_ones_with_few_people_who_differ():
    found = cover_errors(Chosen(40, 8, 4, 1.0, 5, 0.7), 20, np.random.default_rng(4))

    for by in ("judgment", "annotator"):
        assert np.mean(found[f"score by counting ± t standard errors by {by}"]) == pytest.approx(0.95, abs=0.03)


@pytest.mark.parametrize(("judgments", "people"), [(2, 5), (4, 10)])
def test_intervals_of_scores_have_the_true_ones_with_few_people_who_differ(judgments, people):
    found = cover_intervals(Chosen(40, 8, judgments, 1.0, people, 0.7), 60, np.random.default_rng(4))

    assert np.mean(found["score by counting, interval"]) == pytest.approx(0.95, abs=0.025)


def test_intervals_of_spearmans_correlation_have_the_true_one():
    found = cover_ratings(Rated(64, 15), 150, np.random.default_rng(6))

    assert np.mean(found["leave-one-out, spearman"]) == pytest.approx(0.95, abs=0.035)


def test_intervals_of_intra_annotator_agreement_have_the_true_one():
    found = cover_repeated(12, 10, 150, np.random.default_rng(6))

    assert np.mean(found["intra, pearson"]) == pytest.approx(0.95, abs=0.04)
    assert np.mean(found["intra, pearson, assuming independence"]) < 0.85


@pytest.mark.parametrize("spread", [0.5, 2.0])
def test_intervals_of_scores_have_the_true_ones_with_few_appearances(spread):
    found = cover_intervals(Chosen(40, 8, 1, spread), 24, np.random.default_rng(4))

    assert np.mean(found["score by counting, interval"]) == pytest.approx(0.95, abs=0.02)
