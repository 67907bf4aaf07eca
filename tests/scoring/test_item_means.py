"""Intervals of means of items, and the design effect of choices."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from scoring.stats.choices import Choices
from scoring.stats.design_effect import design_effect
from scoring.stats.item_means import mean_intervals


def test_interval_of_a_mean_has_the_variance_of_the_item_and_of_all():
    values = np.random.default_rng(1).normal(0, np.repeat([0.5, 2.0], 15)[:, None], (30, 4))

    half = mean_intervals(np.full(30, 4), values.std(axis=1, ddof=1))

    variances = values.var(axis=1, ddof=1)
    mean = variances.mean()
    spread = np.mean(variances**2) / (1 + 2 / 3) - mean**2
    prior = 2 * mean**2 / spread + 4
    own = (mean * (prior - 2) + 3 * variances) / (prior + 3)
    assert half == pytest.approx(stats.t.ppf(0.975, prior + 3) * np.sqrt(own / 4))


def test_equal_ratings_leave_an_interval_and_few_ratings_none():
    number, deviations = np.full(60, 2), np.full(60, 1.0)
    deviations[0], number[1], deviations[1] = 0.0, 1, np.nan

    half = mean_intervals(number, deviations)

    assert half[0] > 0.3 and np.isnan(half).tolist() == [place == 1 for place in range(60)]
    assert np.isnan(mean_intervals(number[:50], deviations[:50])).all()
    assert np.isnan(mean_intervals(np.full(60, 2), np.zeros(60))).all()


def choices(best, worst, people=None):
    """Choices among the items 0 to 3, and their reverse."""
    items = np.tile(np.arange(4), (len(best), 1))
    return Choices(items, np.array(best), np.array(worst), np.arange(len(best)), people, 4)


def test_people_who_repeat_themselves_count_once():
    alone = choices([0, 1, 2, 3, 1, 2] * 2, [3, 2, 1, 0, 3, 0] * 2)
    repeated = choices([0, 1, 2, 3, 1, 2] * 2, [3, 2, 1, 0, 3, 0] * 2, np.tile(np.arange(6), 2))

    assert design_effect(alone, of_tuples=False) == pytest.approx(1)
    # Six answers instead of twelve: twice the variance, times (6 / 5) / (12 / 11).
    assert design_effect(repeated, of_tuples=False) == pytest.approx(2 * (6 / 5) / (12 / 11))


def test_easier_and_harder_others_make_scores_vary_less():
    chance = np.random.default_rng(1)
    items = np.concatenate([chance.permutation(40).reshape(-1, 4) for _ in range(32)])
    ordered = np.sort(items, axis=1)
    found = Choices(items, ordered[:, 3], ordered[:, 0], np.arange(len(items)), None, 40)

    assert design_effect(found) < 0.8
    assert design_effect(found, of_tuples=False) == pytest.approx(1)
    assert design_effect(replace(found, annotators=np.arange(len(items)))) == pytest.approx(design_effect(found))
