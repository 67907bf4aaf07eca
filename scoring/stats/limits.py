"""What flags are about, and the limits beyond which they are raised; loads nothing, as the tables need it at start."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a flag is about."""

    SPEED = "speed"
    STRAIGHT = "straight"
    GOLD = "gold"
    CALIBRATION = "calibration"
    REPEATS = "repeats"
    APART = "apart"


@dataclass(frozen=True)
class Thresholds:
    """The limits of the flags; shares from 0 to 1, distances as shares of the scale's length."""

    least_answers: int = 10
    """Fewer answers raise no flag for speed, straight lines, contradiction or standing apart."""
    median_seconds: float = 2.0
    """An item: less thinking in the middle of the answers is too fast."""
    quick_share: float = 0.2
    """A greater share of answers under one second an item is too fast."""
    longest_run: int = 12
    """So many equal answers one after the other are a straight line."""
    position_share: float = 0.6
    """The same place on the screen in such a share of the choices is a habit."""
    contradictions: float = 0.8
    """A greater share against the known labels is too much (DSCS 4.1)."""
    practice_right: float = 0.5
    """A smaller share of right first answers in practice and check is too little."""
    calibration_distance: float = 0.25
    """A greater mean distance from the expected ratings misses the calibration."""
    repeat_distance: float = 0.25
    """A greater mean distance from the own earlier rating is a bad repeat."""
    agreement: float = 0.2
    """A smaller correlation with the others, or agreement above chance, stands apart."""
