"""Signs that somebody's answers want a look: each from a few figures of the person, beside a limit.

A flag accuses nobody. It says what was measured, and only where there is enough to measure it by.
"""

from dataclasses import dataclass, fields

import numpy as np

from scoring.stats.limits import Kind, Thresholds
from scoring.stats.people import Booleans, Floats

FEWEST = 3  # pairs with an expected answer, or pairs seen again, to judge by
BY_CHANCE = 0.001  # what comes by chance less often than this is taken for a habit


@dataclass(frozen=True, eq=False)
class PeopleFigures:
    """What flags are raised by; shapes (people,), NaN where there was nothing to measure."""

    answers: Floats
    median_seconds: Floats
    """Of thinking, an item on the screen."""
    quick_share: Floats
    """Of answers under one second an item."""
    longest_run: Floats
    run_expected: Floats
    position_share: Floats
    """The larger one of the best and the worst choices."""
    position_chance: Floats
    labelled: Floats
    """Answers to what has a known label."""
    contradictions: Floats
    practised: Floats
    practice_right: Floats
    calibrated: Floats
    calibration_distance: Floats
    repeated: Floats
    repeat_distance: Floats
    shared: Floats
    """Answers to what others answered as well."""
    agreement: Floats
    """Correlation of ratings with the mean of the others; of choices, agreement with the others above chance."""

    def of(self, person: int) -> dict[str, float | None]:
        """One person's figures, None for what is not defined."""
        columns = {one.name: float(getattr(self, one.name)[person]) for one in fields(self)}
        return {name: None if np.isnan(value) else value for name, value in columns.items()}


EVIDENCE: dict[Kind, tuple[str, ...]] = {
    Kind.SPEED: ("median_seconds", "quick_share", "answers"),
    Kind.STRAIGHT: ("longest_run", "position_share", "answers"),
    Kind.GOLD: ("contradictions", "labelled", "practice_right", "practised"),
    Kind.CALIBRATION: ("calibration_distance", "calibrated"),
    Kind.REPEATS: ("repeat_distance", "repeated"),
    Kind.APART: ("agreement", "shared"),
}
"""The figures that a flag shows with it."""


def raise_flags(figures: PeopleFigures, limits: Thresholds) -> list[dict[Kind, dict[str, float | None]]]:
    """The flags of each person, with the figures that raised them."""
    raised = {kind: np.flatnonzero(hit) for kind, hit in _hits(figures, limits).items()}
    flags: list[dict[Kind, dict[str, float | None]]] = [{} for _ in figures.answers]
    for kind, people in raised.items():
        for person in people.tolist():
            own = figures.of(person)
            flags[person][kind] = {name: own[name] for name in EVIDENCE[kind]}
    return flags


def _hits(own: PeopleFigures, limits: Thresholds) -> dict[Kind, Booleans]:
    """Whom each flag is raised for; nothing is raised by a figure that is not defined."""
    with np.errstate(invalid="ignore"):
        enough = own.answers >= limits.least_answers
        run = (own.longest_run >= limits.longest_run) & (own.run_expected < BY_CHANCE)
        habit = (own.position_share >= limits.position_share) & (own.position_chance < BY_CHANCE)
        against = (own.labelled >= limits.least_answers) & (own.contradictions > limits.contradictions)
        unlearned = (own.practised >= FEWEST) & (own.practice_right < limits.practice_right)
        return {
            Kind.SPEED: enough
            & ((own.median_seconds < limits.median_seconds) | (own.quick_share > limits.quick_share)),
            Kind.STRAIGHT: enough & (run | habit),
            Kind.GOLD: against | unlearned,
            Kind.CALIBRATION: (own.calibrated >= FEWEST) & (own.calibration_distance > limits.calibration_distance),
            Kind.REPEATS: (own.repeated >= FEWEST) & (own.repeat_distance > limits.repeat_distance),
            Kind.APART: (own.shared >= limits.least_answers) & (own.agreement < limits.agreement),
        }
