"""When a round with a common pool has enough judgments, as a part of its protocol."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from annotation.protocols.errors import require
from annotation.protocols.limits import Limited, between

RELIABILITY = between(0, 0.99)
FINE_SCALE = 101
"""Points of a scale from which the interval of the reliability covers about as often as it says (docs/stopping.md)."""
MARGIN = 0.1
"""The share of 1 - target by which the estimate has to exceed the target where the reliability has no interval."""


class TargetKind(StrEnum):
    """The figure that tells whether a round has enough judgments."""

    SPLIT_HALF = "split-half"
    ICC = "icc"
    WIDTH = "width"


@dataclass(frozen=True)
class Stopping(Limited):
    """When a round with a common pool has enough judgments. Without a target it ends after its planned judgments.

    With one, its pool is opened in waves. After each of them the precision of every score is computed, until the target
    is reached or the budget is spent. An entry is an item to rate, or a tuple to choose from.
    """

    split_half: Annotated[float, RELIABILITY] = 0.0
    """The target: the split-half reliability of the scores; 0: not this target."""
    icc: Annotated[float, RELIABILITY] = 0.0
    """The target: the ICC of the scores; 0: not this target."""
    width: Annotated[float, between(0, 1000)] = 0.0
    """The target: the width of the 95 % interval of every score, in points of the scale; 0: not this target."""
    lower_limit: bool = False
    """Whether the lower limit of the reliability's 95 % interval has to reach the target, or the reliability itself."""
    first: Annotated[int, between(1, 100)] = 3
    """Judgments of each entry in the first wave."""
    wave: Annotated[float, between(0.01, 100)] = 0.25
    """Judgments for each entry, on average, that a later wave has at least."""
    looks: Annotated[int, between(1, 1000)] = 50
    """The maximum number of waves."""
    budget: Annotated[float, between(0, 10_000)] = 0.0
    """The maximum number of judgments for each entry, on average; 0: as many as the design plans without a target."""
    most: Annotated[int, between(0, 1000)] = 0
    """The maximum number of judgments of one entry; 0: no maximum."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require(sum(map(bool, self.targets.values())) <= 1, "A round can have only one target. Set the others to 0.")
        require(not self.most or self.most >= self.first, "The first wave exceeds the maximum of judgments.")

    @property
    def targets(self) -> dict[TargetKind, float]:
        """Return the value of each target; 0 where it is not set."""
        values = (self.split_half, self.icc, self.width)
        return dict(zip(TargetKind, values, strict=True))

    @property
    def target(self) -> TargetKind | None:
        """Return the target; None if the round is not opened in waves."""
        return next((kind for kind, value in self.targets.items() if value), None)


FIXED = Stopping()
