from math import isnan

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control, ttest_ind

from scoring.stats.context import benjamini_hochberg, shift_p_value

RATINGS = st.lists(st.integers(0, 6).map(float), min_size=2, max_size=9)


@pytest.mark.filterwarnings("ignore:Precision loss")  # of scipy, where one side has no variance
@given(free=RATINGS, dependent=RATINGS)
def test_shift_is_the_t_test(free, dependent):
    assume(np.ptp(free) or np.ptp(dependent))
    assert shift_p_value(free, dependent) == pytest.approx(ttest_ind(free, dependent).pvalue, nan_ok=False)


def test_shift_by_hand():
    # Means 1 and 3, both variances 1, n = 3: t = 2 / sqrt(2 / 3) with 4 degrees of freedom, p = 0.0705.
    assert shift_p_value([0, 1, 2], [2, 3, 4]) == pytest.approx(0.0705, abs=1e-4)


@pytest.mark.parametrize(("free", "dependent"), [([3], [1, 2]), ([1, 2], []), ([3, 3], [3, 3, 3])])
def test_shift_undefined(free, dependent):
    assert isnan(shift_p_value(free, dependent))


def test_shift_without_variance():
    assert shift_p_value([3, 3], [4, 4, 4]) == 0.0


@given(st.lists(st.floats(0, 1), max_size=30))
def test_corrected_p_values_are_those_of_scipy(p_values):
    found = benjamini_hochberg(np.array(p_values, dtype=np.float64))
    assert found == pytest.approx(false_discovery_control(p_values) if p_values else [])


def test_a_test_that_is_not_defined_is_none():
    assert benjamini_hochberg(np.array([0.04, np.nan, 0.01])) == pytest.approx([0.04, np.nan, 0.02], nan_ok=True)
