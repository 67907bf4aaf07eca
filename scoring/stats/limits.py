"""The kinds of flags and their limits; imports nothing, as the tables need it at start."""

from dataclasses import dataclass, fields
from enum import StrEnum


class Kind(StrEnum):
    """The kind of a flag."""

    SPEED = "speed"
    STRAIGHT = "straight"
    GOLD = "gold"
    CALIBRATION = "calibration"
    REPEATS = "repeats"
    APART = "apart"


@dataclass(frozen=True)
class Thresholds:
    """The limits of the flags; shares from 0 to 1, distances as shares of the scale's length.

    A flag needs a figure beyond its limit and beyond what chance gives.
    """

    false_alarms: float = 0.01
    """The share of rounds in which chance alone raises a flag of one kind, whatever the number of people."""

    least_answers: int = 10
    """Fewer answers raise no flag for speed, straight lines, contradiction or low agreement."""
    median_seconds: float = 2.0
    """A lower median of thinking time per item is too fast."""
    quick_share: float = 0.2
    """A greater share of answers under one second per item is too fast."""
    longest_run: int = 12
    """This many equal answers in a row are a straight line."""
    position_share: float = 0.6
    """The same position on the screen in this share of the choices is a habit."""
    contradictions: float = 0.8
    """A greater share of answers that contradict the known labels is too much (DSCS 4.1)."""
    practice_right: float = 0.5
    """A smaller share of right first answers in practice and check is too little."""
    calibration_distance: float = 0.25
    """A greater mean distance from the expected ratings misses the calibration."""
    repeat_distance: float = 0.25
    """A greater mean distance from the own earlier rating is a bad repeat."""
    agreement: float = 0.2
    """A smaller correlation with the others, or agreement above chance, is low."""


LIMITS = tuple(limit.name for limit in fields(Thresholds))
