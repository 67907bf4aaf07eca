"""Scores of items from best-worst choices, and what is known about their errors."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from scoring.stats.choices import Choices, Floats, Integers
from scoring.stats.sums import item_sums

REPLICATES_AT_ONCE = 16


@dataclass(frozen=True, eq=False)
class Counts:
    """How often each item was best, was worst, and was shown; shapes (items,)."""

    best: Integers
    worst: Integers
    appearances: Integers

    @property
    def difference(self) -> Integers:
        return self.best - self.worst


def count_choices(choices: Choices) -> Counts:
    """Count the choices of each item, row by row as they stand: an item twice in a row was shown twice."""
    best, worst = (np.bincount(chosen, minlength=choices.number) for chosen in (choices.best, choices.worst))
    return Counts(best, worst, np.bincount(choices.shown()[1], minlength=choices.number))


def best_worst_scores(counts: Counts) -> Floats:
    """The counting score (#best - #worst) / #appearances, in [-1, 1] (SemRel2024 3.2, after Orme 2009).

    In SemRel's own words the fraction of times best minus the fraction of times worst. Of the 6,000 scores of Ruddit
    the first one printed, of comment cza1q49, is -0.083.

    Returns: shape (items,); NaN for an item that was never shown.
    """
    scores = np.full(len(counts.appearances), np.nan)
    np.divide(counts.difference, counts.appearances, out=scores, where=counts.appearances > 0)
    return scores


def exact_scores(counts: Counts, *, unit: bool = False) -> list[Fraction | None]:
    """The same scores as exact fractions, so that rounding sees a half where there is one.

    Parameters: unit, whether on the unit scale.
    Returns: a fraction for each item; None for an item that was never shown.
    """
    pairs = zip(counts.difference.tolist(), counts.appearances.tolist(), strict=True)
    if unit:
        return [Fraction(difference + shown, 2 * shown) if shown else None for difference, shown in pairs]
    return [Fraction(difference, shown) if shown else None for difference, shown in pairs]


@dataclass(frozen=True, eq=False)
class BootstrapErrors:
    """errors: shape (items,), standard errors of the signed scores; half of them on the unit scale.
    replicates: shape (items,), in how many replicates the item was shown at all."""

    errors: Floats
    replicates: Integers


def bootstrap_errors(
    choices: Choices,
    generator: np.random.Generator,
    *,
    replicates: int = 1000,
    by: Literal["judgment", "annotator"] = "judgment",
) -> BootstrapErrors:
    """Standard errors of the counting scores: their standard deviation (n - 1) over resamples with replacement.

    By judgment, rows are drawn; by annotator, people with all their rows, which also holds what one person always
    does. A replicate counts for the items it shows.

    Returns: NaN where an item was shown in fewer than two replicates.

    Raises:
        ValueError: by annotator without annotators; no judgments.
    """
    if not choices.judgments:
        raise ValueError("Without judgments there is nothing to draw from.")
    sums = item_sums(choices, _resampled_units(choices, by))
    moments = np.zeros((3, choices.number))
    for start in range(0, replicates, REPLICATES_AT_ONCE):
        weights = _draw_weights(generator, sums.units, min(REPLICATES_AT_ONCE, replicates - start))
        difference, appearances = sums.of(weights, most=int(weights.max()))
        shown = appearances > 0
        scores = np.zeros(difference.shape)
        np.divide(difference, appearances, out=scores, where=shown)
        moments += shown.sum(axis=1), scores.sum(axis=1), np.square(scores).sum(axis=1)
    return BootstrapErrors(_deviations(*moments), moments[0].astype(np.int64))


def _resampled_units(choices: Choices, by: str) -> Integers:
    if by == "judgment":
        return np.arange(choices.judgments)
    if choices.annotators is None:
        raise ValueError("Errors by annotator need to know who judged.")
    return np.unique(choices.annotators, return_inverse=True)[1]


def _draw_weights(generator: np.random.Generator, units: int, replicates: int) -> Integers:
    """How often each unit is drawn, shape (units, replicates)."""
    weights = np.empty((replicates, units), np.int16 if units < 2**15 else np.int32)
    for row in weights:
        row[:] = np.bincount(generator.integers(0, units, units, dtype=np.uint32), minlength=units)
    return np.ascontiguousarray(weights.T)


def _deviations(numbers: Floats, totals: Floats, squares: Floats) -> Floats:
    known = numbers > 1
    spread = np.full(len(numbers), np.nan)
    # One replicate like the other leaves a rounding error, possibly below zero.
    left = np.maximum(squares[known] - totals[known] ** 2 / numbers[known], 0)
    spread[known] = np.sqrt(left / (numbers[known] - 1))
    return spread
