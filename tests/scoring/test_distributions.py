"""Distributions of answers: levels, soft labels, entropy, Hartigan's dip test, and contested items."""

import json
from pathlib import Path

import numpy as np
import pytest

from scoring.stats.choices import Choices
from scoring.stats.dip import dip, p_of_dip, spread_ties
from scoring.stats.distributions import (
    Levels,
    bimodality,
    choice_counts,
    contested_choices,
    contested_ratings,
    even_deviation,
    level_counts,
    normalised_entropy,
    soft_labels,
)

GOLDEN = json.loads((Path(__file__).parent / "golden" / "dip.json").read_text())["cases"]
"""Dips and p-values by the package diptest, whose p-values come from a table."""


def test_levels_are_the_values_of_a_short_scale():
    levels = Levels.of(0.0, 1.0, 0.1)

    assert levels.values == pytest.approx(np.arange(11) / 10)
    assert levels.index(np.array([0.0, 0.3, 0.7, 1.0])).tolist() == [0, 3, 7, 10]


def test_a_long_scale_has_21_bins_of_equal_width():
    levels = Levels.of(0.0, 105.0, 1.0)

    assert (levels.number, levels.width, levels.binned) == (21, 5.0, True)
    assert levels.values[[0, 20]].tolist() == [2.5, 102.5]
    assert levels.index(np.array([0.0, 4.0, 5.0, 99.0, 100.0, 105.0])).tolist() == [0, 0, 1, 19, 20, 20]


def test_levels_need_a_scale_with_a_length():
    with pytest.raises(ValueError, match="a maximum above the minimum"):
        Levels.of(1.0, 1.0, 1.0)


def test_counts_and_soft_labels():
    items, values = np.array([0, 0, 0, 0, 2]), np.array([1.0, 1.0, 3.0, 2.0, 3.0])

    counts = level_counts(Levels.of(1.0, 3.0, 1.0), items, values, 3)

    assert counts.tolist() == [[2, 1, 1], [0, 0, 0], [0, 0, 1]]
    assert soft_labels(counts)[[0, 2]].tolist() == [[0.5, 0.25, 0.25], [0, 0, 1]]
    assert np.isnan(soft_labels(counts)[1]).all()
    third = 1 / 3
    smoothed = [
        [(2 + third) / 5, (1 + third) / 5, (1 + third) / 5],
        [third] * 3,
        [third / 2, third / 2, (1 + third) / 2],
    ]
    assert soft_labels(counts, 1.0) == pytest.approx(np.array(smoothed))


def test_entropy_is_from_0_to_1_and_undefined_for_a_single_judgment():
    found = normalised_entropy(np.array([[4, 0, 0], [3, 3, 3], [2, 2, 0], [1, 0, 0], [0, 0, 0]]))

    assert found == pytest.approx([0, 1, np.log(2) / np.log(3), np.nan, np.nan], nan_ok=True)


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: str(len(case["values"])))
def test_dip_is_that_of_diptest(case):
    assert dip(case["values"]) == pytest.approx(case["dip"], abs=1e-12)


def test_p_values_are_close_to_those_of_a_table():
    cases = [case for case in GOLDEN if len(case["values"]) == 13]

    found = [p_of_dip(case["dip"], 13) for case in cases]

    assert found == pytest.approx([case["p"] for case in cases], abs=0.04)
    assert min(found) < 0.05 < max(found)


def test_dip_of_equal_values_is_the_smallest_and_of_none_an_error():
    assert dip([2.0, 2.0, 2.0, 2.0]) == 1 / 8
    with pytest.raises(ValueError, match="at least one value"):
        dip([])


def test_neighbouring_values_are_one_mode_and_distant_ones_two():
    near, far, few = [3.0] * 6 + [4.0] * 7, [1.0] * 6 + [5.0] * 7, [1.0, 1.0, 5.0, 5.0]

    assert spread_ties([4.0, 3.0, 3.0], 1.0).tolist() == [2.75, 3.25, 4.0]
    found = bimodality([near, far, few], 1.0)

    assert found.p_values[0] > 0.5
    assert found.p_values[1] < 0.01
    assert found.adjusted[1] == 2 * found.p_values[1]
    assert np.isnan([found.dips[2], found.p_values[2], found.adjusted[2]]).all()


def test_contested_ratings_are_as_wide_as_the_scale_or_have_two_modes():
    even = even_deviation(1.0, 5.0, 1.0)
    number, deviations = np.array([5, 5, 5, 5, 4]), np.array([even, 1.0, 1.0, 1.0, 3.0])

    found = contested_ratings(number, deviations, np.array([0.9, 0.05, 0.06, np.nan, np.nan]), even)

    assert even == pytest.approx(np.std([1, 2, 3, 4, 5]))
    assert found == pytest.approx([1, 1, 0, 0, np.nan], nan_ok=True)


def test_contested_choices_are_best_and_worst_as_often_as_by_chance():
    # Item 0 is best in 2 of 5 screens of three and worst in 2; item 1 is best in 3; item 3 is shown once, invalidly.
    items = np.array([[0, 1, 2]] * 5 + [[0, 1, 3]])
    choices = Choices(items, np.array([0, 0, 1, 1, 1, 0]), np.array([1, 2, 0, 0, 2, 0]), np.arange(6), None, 4)

    counts = choice_counts(choices)

    assert counts.tolist() == [[2, 1, 2], [3, 1, 1], [0, 3, 2], [0, 0, 0]]
    assert contested_choices(choices, counts) == pytest.approx([1, 0, 0, np.nan], nan_ok=True)
