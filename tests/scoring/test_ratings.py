import csv
import statistics
from decimal import Decimal
from fractions import Fraction
from math import isclose
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats.ratings import MeanAndDeviation, mean_and_deviation, rounded, weighted_mean

TENTHS = st.lists(st.integers(0, 40).map(lambda tenth: tenth / 10), min_size=1, max_size=40)


@given(values=TENTHS)
def test_mean_is_exact(values):
    exact = [Fraction(round(value * 10), 10) for value in values]
    assert mean_and_deviation(values).mean == statistics.mean(exact)


@given(values=TENTHS.filter(lambda values: len(values) > 1))
def test_deviation_divides_by_n_less_one(values):
    exact = [Fraction(round(value * 10), 10) for value in values]
    assert isclose(mean_and_deviation(values).deviation, statistics.stdev(exact), abs_tol=1e-12)


@given(values=st.lists(st.integers(0, 5).map(float), min_size=1, max_size=15))
def test_mean_is_the_weighted_mean_of_dscs(values):
    # DSCS 4.1, eq. (2)-(3): w_i is the share of the responses with score i.
    weights = [values.count(score) for score in range(6)]
    assert weighted_mean(range(6), weights) == mean_and_deviation(values).mean
    assert float(weighted_mean(range(6), [weight / len(values) for weight in weights])) == pytest.approx(
        float(mean_and_deviation(values).mean)
    )


@pytest.mark.parametrize("weights", [[0, 0], [], [2, -1]])
def test_weights_without_weight(weights):
    with pytest.raises(ValueError, match="positive sum"):
        weighted_mean([1, 2][: len(weights)], weights)


def test_single_rating_has_no_deviation():
    assert mean_and_deviation([2.5]) == MeanAndDeviation(Fraction(5, 2), None)


def test_no_ratings():
    with pytest.raises(ValueError, match="An item without ratings has no mean"):
        mean_and_deviation([])


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (2.675, 2, "2.68"),  # the float lies below, the decimal number is a half
        (2.665, 2, "2.66"),
        (0.125, 2, "0.12"),
        (0.375, 2, "0.38"),
        (Fraction(535, 200), 2, "2.68"),
        (Fraction(533, 200), 2, "2.66"),
        (Fraction(2, 3), 4, "0.6667"),
        (Fraction(3), 2, "3.00"),
        (-0.125, 2, "-0.12"),
        (2.5, 0, "2"),
        (3.5, 0, "4"),
        (0.0001, 2, "0.00"),
        (1e-7, 2, "0.00"),
    ],
)
def test_rounded_half_to_even(value, decimals, text):
    assert str(rounded(value, decimals)) == text


@given(value=st.fractions(-1000, 1000, max_denominator=1000), decimals=st.integers(0, 6))
def test_rounded_is_the_nearest_number_with_those_decimals(value, decimals):
    result = rounded(value, decimals)
    assert -result.as_tuple().exponent == decimals
    assert abs(Fraction(result) - value) <= Fraction(1, 2 * 10**decimals)
    assert result == Decimal(result)


def test_mean_of_the_paper():
    # DSCS, table 5: scores with two decimals are means of 15; 54 / 15 = 3.60 is the first of them.
    values = [4.0] * 9 + [3.0] * 6
    assert rounded(mean_and_deviation(values).mean, 2) == Decimal("3.60")


def test_every_score_of_dscs_is_a_mean_of_fifteen(outside_data):
    with (Path(outside_data) / "dscs.csv").open(encoding="utf-8", newline="") as file:
        scores = [Decimal(row["similarity"]) for row in csv.DictReader(file)]
    fifteenths = {rounded(Fraction(sum_of_values, 15), 2) for sum_of_values in range(76)}
    assert len(scores) == 50 and set(scores) <= fifteenths


def test_mean_of_stss131_without_its_calibration_pairs(outside_data):
    with (Path(outside_data) / "stss131.csv").open(encoding="utf-8", newline="") as file:
        means = [float(row["mean"]) for row in csv.DictReader(file) if row["calibration"] == "0"]
    assert (len(means), mean_and_deviation(means).mean) == (64, Fraction("2.023125"))
