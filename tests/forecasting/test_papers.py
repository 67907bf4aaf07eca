"""What is asked of a paper's figures."""

import math

import pytest

from scoring.forecasting.papers import usual_ratings
from scoring.forecasting.population import population_with
from scoring.presets.registry import publication_of, publications
from tests.presets import DSCS, PRESETS


def test_what_is_printed_fits_the_design():
    for key, publication in publications().items():
        if printed := publication.printed:
            assert (printed.variation is None) == (PRESETS[key].scale is None)
            assert (printed.reliability is None) == (PRESETS[key].scale is not None)


def test_czech_news_means_of_nine_have_the_deviation_that_is_printed():
    found = publications()["czech_news"].printed.variation
    assert math.sqrt(found.items**2 + found.ratings**2 / 9) == pytest.approx(1.78)  # table 2
    assert 8 / 6 * found.ratings**2 / 9 == pytest.approx(0.1731)  # section 10


def test_stss131_means_of_32_have_the_deviation_of_the_table():
    found = publications()["stss131"].printed.variation
    assert math.sqrt(found.items**2 + found.ratings**2 / 32) == pytest.approx(1.331)


def test_ratings_without_figures_of_their_own_have_those_of_stss131_on_their_scale():
    assert publication_of(DSCS).printed is None  # DSCS prints no deviations
    found, known = usual_ratings(DSCS.scale).variation_on(DSCS.scale), publications()["stss131"].printed.variation
    stretched = (known.items * 5 / 4, known.ratings * 5 / 4, known.mean * 5 / 4)
    assert (found.items, found.ratings, found.mean) == pytest.approx(stretched)


@pytest.mark.parametrize("key", ["czech_news", "stss131"])
def test_printed_figures_fit_the_scale_of_their_paper(key):
    printed, scale = publications()[key].printed, PRESETS[key].scale
    assert printed.ends == (scale.minimum, scale.maximum)
    assert printed.variation_on(scale) == printed.variation
    population_with(printed.variation, scale)
