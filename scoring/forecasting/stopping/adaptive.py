"""The reliability of the utilities of an adaptive round, and the judgments that are missing until its target."""

from math import ceil, nan

from annotation.protocols.stopping import TargetKind
from scoring.forecasting.stopping.allocation import Aim
from scoring.forecasting.stopping.reliability import Estimate


def reliability_of(reliability: float, kind: TargetKind) -> Estimate:
    """Return the reliability of utilities as a target is set for it, without an interval.

    Parameters: reliability, 1 - E / V of the utilities from all judgments, which is their ICC. With half of the
    judgments, the odds R / (1 - R) are half as large, so that the split-half reliability is R / (2 - R) (Spearman 1910;
    Brown 1910).
    """
    value = reliability if kind is TargetKind.ICC else reliability / (2 - reliability)
    return Estimate(value, nan, nan)


def missing_judgments(reliability: float, aim: Aim, judgments: int) -> int | None:
    """Return how many judgments are missing: the odds R / (1 - R) grow in proportion to their number. None if nothing
    is known of the utilities."""
    if not reliability > 0:
        return None
    goal = aim.value if aim.kind is TargetKind.ICC else 2 * aim.value / (1 + aim.value)
    factor = goal / (1 - goal) * (1 - reliability) / reliability
    return max(0, ceil(judgments * (factor - 1)))
