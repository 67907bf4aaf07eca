"""What is asked of a paper's figures."""

import math

import pytest

from annotation.protocols.presets import PRESETS
from scoring.forecasting.papers import PAPERS

pytestmark = pytest.mark.once


def test_every_preset_has_its_figures():
    assert PAPERS.keys() == PRESETS.keys()
    for key, preset in PRESETS.items():
        assert (PAPERS[key].variation is None) == (preset.scale is None)
        assert (PAPERS[key].reliability is None) == (preset.scale is not None)


def test_czech_news_means_of_nine_have_the_deviation_that_is_printed():
    found = PAPERS["czech_news"].variation
    assert math.sqrt(found.items**2 + found.ratings**2 / 9) == pytest.approx(1.78)  # table 2
    assert 8 / 6 * found.ratings**2 / 9 == pytest.approx(0.1731)  # section 10


def test_stss131_means_of_32_have_the_deviation_of_the_table():
    found = PAPERS["stss131"].variation
    assert math.sqrt(found.items**2 + found.ratings**2 / 32) == pytest.approx(1.331)
