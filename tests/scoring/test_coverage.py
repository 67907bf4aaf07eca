"""Intervals of 95 % have the true figure: a small version of `python -m benchmarks.coverage`.

Its few collections leave a standard error of some per cent; what was wrong before is farther off.
"""

import numpy as np
import pytest

from benchmarks.coverage import choices, ratings
from benchmarks.coverage.choices import Chosen, cover_choices
from benchmarks.coverage.ratings import VARIED, Rated, cover_people, cover_ratings, cover_repeated


@pytest.fixture(autouse=True)
def _few(monkeypatch):
    for name, number in {"TRUTH_RATINGS": 100_000, "TRUTH_COLLECTIONS": 40, "RESAMPLES": 50}.items():
        monkeypatch.setattr(ratings, name, number)
    monkeypatch.setattr(choices, "RESAMPLES", 50)


def test_intervals_of_utilities_have_the_true_ones():
    found = cover_choices(Chosen(40, 8, 4, 1.0), 4, np.random.default_rng(4))

    assert np.mean(found["Bradley-Terry utility"]) == pytest.approx(0.95, abs=0.035)
    assert np.mean(found["best-worst utility"]) == pytest.approx(0.95, abs=0.035)
    assert np.mean(found["Bradley-Terry utility, assuming independent pairs"]) < 0.9


def test_intervals_of_agreement_have_the_true_one():
    found = cover_ratings(Rated(64, 6), 40, np.random.default_rng(1))

    assert np.mean(found["inter, pearson"]) == pytest.approx(0.95, abs=0.08)
    assert np.mean(found["leave-one-out, pearson"]) == pytest.approx(0.95, abs=0.08)
    assert np.mean(found["inter, pearson, assuming independence"]) < 0.85


def test_intervals_of_the_average_rater_have_the_true_one():
    found = cover_people(30, 12, VARIED, 200, np.random.default_rng(2))

    assert np.mean(found["average rater"]) == pytest.approx(0.95, abs=0.03)
    assert np.mean(found["average rater, assuming independent annotators"]) < 0.93


def test_intervals_of_spearmans_correlation_have_the_true_one():
    found = cover_ratings(Rated(64, 15), 150, np.random.default_rng(6))

    assert np.mean(found["leave-one-out, spearman"]) == pytest.approx(0.95, abs=0.035)


def test_intervals_of_intra_annotator_agreement_have_the_true_one():
    found = cover_repeated(12, 10, 150, np.random.default_rng(6))

    assert np.mean(found["intra, pearson"]) == pytest.approx(0.95, abs=0.04)
    assert np.mean(found["intra, pearson, assuming independence"]) < 0.85


@pytest.mark.parametrize("spread", [0.5, 1.5])
def test_intervals_of_scores_have_the_true_ones_with_few_appearances(spread):
    found = cover_choices(Chosen(40, 8, 1, spread), 12, np.random.default_rng(4))

    assert np.mean(found["score by counting, interval"]) == pytest.approx(0.95, abs=0.02)
