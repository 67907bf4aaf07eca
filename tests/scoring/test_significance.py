"""p-values of correlations (STSS-131, appendix A, 2)."""

from math import isnan

import numpy as np
import pytest
from scipy import stats

from scoring.stats.correlation import pearson
from scoring.stats.intervals import correlations_with_intervals
from scoring.stats.significance import SMALLEST, of_t, significance


@pytest.mark.parametrize("rows", [3, 4, 20, 64, 1000])
@pytest.mark.parametrize("slope", [0.0, -0.4, 3.0])
def test_p_of_r_is_that_of_scipy(rows, slope):
    generator = np.random.default_rng(rows)
    x = generator.normal(size=rows)
    y = slope * x + generator.normal(size=rows)

    found = significance(pearson(x, y), rows)

    assert found.degrees == rows - 2
    assert found.p == pytest.approx(stats.pearsonr(x, y).pvalue, rel=1e-9)


def test_the_papers_correlations_of_64_pairs_are_significant():
    # STSS-131, appendix B: STASIS .636, LSA .693; 64 pairs leave 62 degrees of freedom.
    found = [significance(r, 64) for r in (0.636, 0.693)]

    assert [one.degrees for one in found] == [62, 62]
    assert [one.p for one in found] == pytest.approx([1.63e-8, 2.22e-10], rel=0.01)


def test_tiny_p_values_keep_their_digits_and_are_never_0():
    t = 0.9 * np.sqrt(198 / (1 - 0.9**2))

    assert significance(0.9, 200).p == pytest.approx(2 * stats.t.sf(t, 198), rel=1e-9)
    assert 0 < significance(0.9, 200).p < 1e-70
    assert significance(0.9, 6000).p == SMALLEST == significance(-0.9, 6000).p


def test_a_variable_held_constant_takes_a_degree_of_freedom():
    assert significance(0.5, 20, held=1) == significance(0.5, 19)


@pytest.mark.parametrize(("r", "rows"), [(float("nan"), 20), (1.0, 20), (-1.0, 20), (0.5, 2), (1 - 1e-14, 20)])
def test_what_has_no_p_value(r, rows):
    found = significance(r, rows)

    assert isnan(found.p)
    assert isnan(found.degrees)


def test_p_of_t_is_that_of_scipy():
    assert of_t(2.5, 12).p == pytest.approx(2 * stats.t.sf(2.5, 12))
    assert isnan(of_t(float("nan"), 12).p)


def test_ratings_of_a_pair_are_not_taken_as_independent():
    generator = np.random.default_rng(1)
    units, shared = np.repeat(np.arange(30), 10), np.repeat(generator.normal(size=(2, 30)), 10, axis=1)
    x, y = shared + generator.normal(0, 0.1, shared.shape)

    found = correlations_with_intervals(units, x, y, generator)["pearson"]

    assert found.test.degrees == 29
    assert found.test.p > 5 * significance(found.value, len(x)).p
    assert (found.test.p < 0.05) == (found.low > 0 or found.high < 0)
