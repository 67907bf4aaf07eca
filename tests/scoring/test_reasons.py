"""An undefined figure has the reason that applies to its data, and no other."""

from math import nan

import numpy as np
import pytest

from scoring.stats.agreement import with_stack
from scoring.stats.reasons import (
    first_reason,
    reasons_of_some,
    why_no_agreement,
    why_no_alpha,
    why_no_bounds,
    why_no_correlation,
    why_no_icc,
)

FEW = "fewer than two pairs"


@pytest.mark.parametrize(
    ("items", "values", "alpha", "icc"),
    [
        ([0, 1], [1.0, 2.0], "no item has two ratings", "no item has two ratings"),
        ([0, 0], [2.0, 2.0], "all ratings are the same", "fewer than two items"),
        ([0, 0, 1], [-1.0, 2.0, 0.0], "a ratio scale has no negative values", "all item means are the same"),
    ],
)
def test_ratings_without_a_figure_say_what_they_lack(items, values, alpha, icc):
    items, values = np.array(items), np.array(values)

    assert (why_no_alpha(items, values), why_no_icc(items, values)) == (alpha, icc)
    if len(set(items.tolist())) == len(items):
        assert why_no_agreement(with_stack(items, values), "item means") == "no item has two ratings"


def test_rows_with_equal_values_are_not_called_too_few():
    same, few = np.array([1.0, 1.0, nan]), np.array([1.0, nan, 3.0])

    assert why_no_correlation(same, same, FEW) == "all values are the same"
    assert why_no_correlation(same, few, FEW) == FEW


@pytest.mark.parametrize(
    ("r", "reason"),
    [(nan, "the correlation is not defined"), (0.5, "fewer than 30 items"), (1.0, "fewer than 30 items")],
)
def test_few_values_come_before_a_perfect_correlation(r, reason):
    assert why_no_bounds(r, (True, "fewer than 30 items")) == reason
    assert why_no_bounds(1.0, (False, "fewer than 30 items")) == "the correlation is 1 or -1"


def test_reasons_that_do_not_apply_are_left_out():
    assert first_reason((False, "a"), (True, "b"), (True, "c")) == "b"
    assert reasons_of_some((True, "a"), (False, "b")) == "a"
    assert reasons_of_some((True, "a"), (True, "b")) == "a or b"
