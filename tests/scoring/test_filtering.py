from itertools import product

import numpy as np
import pytest

from scoring.stats.filtering import contradicting_choices, contradicting_ratings, near_expected


@pytest.mark.parametrize(
    ("distance", "kept"),
    [
        # Czech News 5.2: at most so far from green 6, orange 3, red 0.
        (1, {6: [5, 6], 3: [2, 3, 4], 0: [0, 1]}),
        (2, {6: [4, 5, 6], 3: [1, 2, 3, 4, 5], 0: [0, 1, 2]}),
    ],
)
def test_near_expected_on_the_scale_of_the_paper(distance, kept):
    values, expected = np.array(list(product(range(7), (6, 3, 0))), dtype=float).T
    keep = near_expected(values, expected, distance)
    assert {colour: values[keep & (expected == colour)].tolist() for colour in kept} == kept


def test_near_expected_of_nothing():
    assert near_expected(np.array([]), np.array([]), 1).tolist() == []


@pytest.mark.parametrize(
    ("values", "similar", "share"),
    [
        ([5, 4, 0, 1], [True, True, False, False], 0.0),
        ([0, 1, 5, 4], [True, True, False, False], 1.0),
        ([2, 3, 2, 3], [True, True, False, False], 0.5),
        ([2.5, 2.5], [True, False], 0.0),  # the middle contradicts neither
        ([0, 0, 0, 0, 5], [True] * 5, 0.8),
        ([0, 5, float("nan")], [True] * 3, 0.5),
    ],
)
def test_contradiction_share(values, similar, share):
    against = contradicting_ratings(np.array(values, dtype=float), np.array(similar, dtype=float), 2.5)
    assert np.nanmean(against) == share


def test_choices_that_contradict_known_labels():
    unknown = np.nan
    shown = np.array([[1, 0, 1], [0, 0, unknown], [1, 0, unknown], [0, 1, unknown]])

    best = contradicting_choices(shown, np.array([0, 0, unknown, 1]), 1)
    worst = contradicting_choices(shown, np.array([1, 0, 0, unknown]), 0)

    # Nothing similar was shown in the second row; of what is chosen and not known nothing can be told.
    np.testing.assert_array_equal(best, [1, unknown, unknown, 0])
    np.testing.assert_array_equal(worst, [1, 0, 0, unknown])


def test_ratings_without_a_value_or_a_label_contradict_nothing():
    against = contradicting_ratings(np.array([np.nan, 0.0]), np.array([1.0, np.nan]), 2.5)
    assert np.isnan(against).all()
