"""Figures from papers on the variation and duration of judgments."""

import math
from dataclasses import dataclass, replace

from annotation.protocols.scale import Scale
from scoring.forecasting.population import Variation


@dataclass(frozen=True)
class Printed:
    """variation: of ratings on a scale with these ends. reliability: split-half of `people` answers to each tuple, for
    `items` items. seconds: of one judgment, with all overhead; None if the paper has none. source: the paper, and the
    place of the figures."""

    source: str
    variation: Variation | None = None
    ends: tuple[float, float] = (0, 0)
    reliability: float | None = None
    people: int = 0
    items: int = 0
    seconds: float | None = None

    def variation_on(self, scale: Scale) -> Variation | None:
        """Return the variation of ratings on a scale, stretched from that of the paper if its ends are others."""
        if self.variation is None:
            return None
        first, last = self.ends
        factor = scale.length / (last - first)
        return Variation(
            self.variation.items * factor,
            self.variation.ratings * factor,
            float(scale.minimum) + (self.variation.mean - first) * factor,
        )


_MEANS, _RATINGS, _RATERS, _MEAN = 1.331, 0.750, 32, 2.023
_ENDS = (0, 4)

STSS131 = Printed(
    source="STSS-131: deviations of the 64 means, 1.33, and of the ratings of a pair, 0.75; mean 2.02 (table 1)",
    variation=Variation.of_means(_MEANS, _RATINGS, _RATERS, mean=_MEAN),
    ends=_ENDS,
)
_CZECH_MEAN, _CZECH_MEANS, _BOUND, _STACK = 2.66, 1.78, 0.1731, 9
CZECH_NEWS = Printed(
    source=(
        "Czech News: mean 2.66 and deviation 1.78 of the means of the test set (table 2), minimum mean squared error "
        "0.1731 (section 10); 141 hours for 216 annotators with 122 screens each (section 6)"
    ),
    # The bound is 8/6 * s^2 / n.
    variation=Variation.of_means(_CZECH_MEANS, math.sqrt(_BOUND * 6 / 8 * _STACK), _STACK, mean=_CZECH_MEAN),
    ends=(0, 6),
    seconds=19.3,
)
SEMREL = Printed(
    source=(
        "SemRel2024: split-half reliability 0.90 with four annotators per tuple (Amharic, table 3); a tuple could "
        "take more than a minute (3.2)"
    ),
    reliability=0.90,
    people=4,
    items=1258,
    seconds=60.0,
)


def usual_ratings(scale: Scale) -> Printed:
    """Return the figures to assume for ratings on a scale whose protocol has none of its own."""
    first, last = _ENDS
    return replace(
        STSS131,
        source=f"STSS-131, rescaled from a scale of length {last - first} to one of length {scale.length:g}",
    )
