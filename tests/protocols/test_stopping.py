"""The target of a round in waves: where its reliability has an interval, and what replaces one."""

import pytest

from annotation.presets.best_worst.protocol import PROTOCOL as BEST_WORST
from annotation.presets.rating.protocol import PROTOCOL as RATING
from annotation.protocols.errors import ProtocolError
from annotation.protocols.settings import with_settings

OPEN = {"main.open": "true"}
RATED = OPEN | {"main.items_a_person": "0"}
SLIDER = RATED | {"scale.maximum": "100"}


@pytest.mark.parametrize(
    ("protocol", "settings", "goal"),
    [
        (RATING, SLIDER | {"stopping.icc": "0.9"}, 0.9),
        (RATING, SLIDER | {"scale.maximum": "99", "stopping.icc": "0.9"}, 0.91),
        (RATING, RATED | {"stopping.split_half": "0.8"}, 0.82),
        (RATING, RATED | {"stopping.width": "0.5"}, 0.5),
        (BEST_WORST, OPEN | {"stopping.split_half": "0.9"}, 0.91),
    ],
)
def test_an_estimate_without_an_interval_needs_a_margin(protocol, settings, goal):
    protocol = with_settings(protocol, settings)
    assert protocol.goal_of(protocol.round("main").design) == pytest.approx(goal)


@pytest.mark.parametrize(("protocol", "settings"), [(RATING, RATED), (BEST_WORST, OPEN)])
def test_a_lower_limit_that_is_not_known_is_no_target(protocol, settings):
    with pytest.raises(ProtocolError, match="Turn off “lower limit”"):
        with_settings(protocol, settings | {"stopping.icc": "0.9", "stopping.lower_limit": "true"})


def test_the_lower_limit_on_a_slider_is_a_target():
    protocol = with_settings(RATING, SLIDER | {"stopping.icc": "0.9", "stopping.lower_limit": "true"})
    assert protocol.knows_interval_of(protocol.round("main").design)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"adaptive": "true"}, "needs a reliability as its target"),
        ({"adaptive": "true", "stopping.width": "0.5"}, "needs a reliability as its target"),
        ({"uneven": "true", "stopping.icc": "0.9"}, "Only adaptive rounds"),
        ({"adaptive": "true", "stopping.icc": "0.9", "grouped": "true"}, "of their own group"),
    ],
)
def test_adaptive_waves_need_a_reliability_and_no_groups(settings, message):
    with pytest.raises(ProtocolError, match=message):
        with_settings(BEST_WORST, OPEN | settings)
