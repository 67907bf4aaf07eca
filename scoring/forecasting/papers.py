"""What the five papers, or data released with them, tell about how much judgments vary and how long they take."""

import math
from dataclasses import dataclass

from scoring.forecasting.ratings import Variation


@dataclass(frozen=True)
class Printed:
    """variation: of ratings. reliability: split-half of `people` answers to each tuple, for `items` items. seconds: of
    one judgment, with everything around it; None where the paper tells nothing. source: where the figures stand."""

    source: str
    variation: Variation | None = None
    reliability: float | None = None
    people: int = 0
    items: int = 0
    seconds: float | None = None


_CZECH_NEWS_MEANS, _CZECH_NEWS_BOUND, _CZECH_NEWS_STACK = 1.78, 0.1731, 9
_STSS131_MEANS, _STSS131_RATINGS, _STSS131_RATERS = 1.331, 0.750, 32
_STSS131 = Variation.of_means(_STSS131_MEANS, _STSS131_RATINGS, _STSS131_RATERS)
_STSS131_LENGTH, _DSCS_LENGTH = 4, 5

PAPERS = {
    "czech_news": Printed(
        source=(
            "Czech News: deviation of the means of the test set 1.78 (table 2), least mean squared error 0.1731 "
            "(section 10); 141 hours for 216 people with 122 screens each (section 6)"
        ),
        # The bound is 8/6 * s^2 / n.
        variation=Variation.of_means(
            _CZECH_NEWS_MEANS, math.sqrt(_CZECH_NEWS_BOUND * 6 / 8 * _CZECH_NEWS_STACK), _CZECH_NEWS_STACK
        ),
        seconds=19.3,
    ),
    "stss131": Printed(
        source="STSS-131: deviations of the 64 means, 1.33, and of the ratings of a pair, 0.75 (table 1)",
        variation=_STSS131,
    ),
    "dscs": Printed(
        source="STSS-131, stretched to a scale of 0 to 5: DSCS prints no deviations",
        variation=Variation(
            _STSS131.items * _DSCS_LENGTH / _STSS131_LENGTH, _STSS131.ratings * _DSCS_LENGTH / _STSS131_LENGTH
        ),
    ),
    "semrel": Printed(
        source=(
            "SemRel2024: split-half reliability 0.90 with four people a tuple (Amharic, table 3); a tuple could take "
            "more than a minute (3.2)"
        ),
        reliability=0.90,
        people=4,
        items=1258,
        seconds=60.0,
    ),
    "giccs": Printed(
        source="GiCCS: split-half reliability 0.975 with five people a tuple (BAS SmartKom, 3-turn)",
        reliability=0.975,
        people=5,
        items=90,
    ),
}
"""By the key of a preset."""
