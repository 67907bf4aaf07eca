"""Flags for answers that need review: each from a few figures of the person, compared with a limit and with chance.

A flag accuses nobody. It says what was measured and what was expected, and only if there is enough data to measure it.
"""

from dataclasses import dataclass, fields

import numpy as np

from scoring.stats.limits import Kind, Thresholds
from scoring.stats.people import Booleans, Floats

MINIMUM_EVIDENCE = 3  # pairs with an expected answer, or repeated pairs, needed for a flag
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class PeopleFigures:
    """The figures that raise flags; shapes (people,), NaN if there was nothing to measure.

    A bound is the lowest or greatest value of the figure before it that chance gives, for the person's number of
    answers; NaN if it is not known.
    """

    answers: Floats
    median_seconds: Floats
    """Median thinking time per item on the screen."""
    median_seconds_bound: Floats
    quick_share: Floats
    """Share of answers under one second per item."""
    quick_share_bound: Floats
    longest_run: Floats
    longest_run_bound: Floats
    position_share: Floats
    """The larger one of the best and the worst choices."""
    position_share_bound: Floats
    labelled: Floats
    """Number of answers to items with a known label."""
    contradictions: Floats
    contradictions_bound: Floats
    practised: Floats
    practice_right: Floats
    practice_right_bound: Floats
    calibrated: Floats
    calibration_distance: Floats
    calibration_distance_bound: Floats
    repeated: Floats
    repeat_distance: Floats
    repeat_distance_bound: Floats
    shared: Floats
    """Number of answers to items that others answered as well."""
    agreement: Floats
    """Correlation of ratings with the mean of the others; for choices, agreement with the others above chance."""
    agreement_bound: Floats

    def of(self, person: int) -> dict[str, float | None]:
        """Return one person's figures, None for those that are not defined."""
        columns = {field.name: float(getattr(self, field.name)[person]) for field in fields(self)}
        return {name: None if np.isnan(value) else value for name, value in columns.items()}


EVIDENCE: dict[Kind, tuple[str, ...]] = {
    Kind.SPEED: ("median_seconds", "median_seconds_bound", "quick_share", "quick_share_bound", "answers"),
    Kind.STRAIGHT: ("longest_run", "longest_run_bound", "position_share", "position_share_bound", "answers"),
    Kind.GOLD: (
        *("contradictions", "contradictions_bound", "labelled"),
        *("practice_right", "practice_right_bound", "practised"),
    ),
    Kind.CALIBRATION: ("calibration_distance", "calibration_distance_bound", "calibrated"),
    Kind.REPEATS: ("repeat_distance", "repeat_distance_bound", "repeated"),
    Kind.APART: ("agreement", "agreement_bound", "shared"),
}
"""The figures that a flag shows with it."""


def raise_flags(figures: PeopleFigures, limits: Thresholds) -> list[dict[Kind, dict[str, float | None]]]:
    """Return the flags of each person, with the figures that raised them."""
    raised = {kind: np.flatnonzero(hit) for kind, hit in _hits(figures, limits).items()}
    flags: list[dict[Kind, dict[str, float | None]]] = [{} for _ in figures.answers]
    for kind, people in raised.items():
        for person in people.tolist():
            values = figures.of(person)
            flags[person][kind] = {name: values[name] for name in EVIDENCE[kind]}
    return flags


def _hits(figures: PeopleFigures, limits: Thresholds) -> dict[Kind, Booleans]:
    """Return the people for whom each flag is raised; a figure or a bound that is not known raises none."""

    def below(name: str) -> Booleans:
        value, bound = getattr(figures, name), getattr(figures, f"{name}_bound")
        return np.asarray((value < getattr(limits, name)) & (value < bound - ROUNDING))

    def above(name: str) -> Booleans:
        value, bound = getattr(figures, name), getattr(figures, f"{name}_bound")
        return np.asarray((value > getattr(limits, name)) & (value > bound + ROUNDING))

    with np.errstate(invalid="ignore"):
        enough = figures.answers >= limits.least_answers
        run = (figures.longest_run >= limits.longest_run) & (figures.longest_run > figures.longest_run_bound)
        habit = figures.position_share > figures.position_share_bound + ROUNDING
        habit &= figures.position_share >= limits.position_share
        against = (figures.labelled >= limits.least_answers) & above("contradictions")
        unlearned = (figures.practised >= MINIMUM_EVIDENCE) & below("practice_right")
        return {
            Kind.SPEED: enough & (below("median_seconds") | above("quick_share")),
            Kind.STRAIGHT: enough & (run | habit),
            Kind.GOLD: against | unlearned,
            Kind.CALIBRATION: (figures.calibrated >= MINIMUM_EVIDENCE) & above("calibration_distance"),
            Kind.REPEATS: (figures.repeated >= MINIMUM_EVIDENCE) & above("repeat_distance"),
            Kind.APART: (figures.shared >= limits.least_answers) & below("agreement"),
        }
