"""Scores of items from best-worst choices, and their standard errors."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
import scipy

from scoring.stats.choices import Choices, Floats, Integers
from scoring.stats.design_effect import design_effect
from scoring.stats.sums import item_sums

REPLICATES_AT_ONCE = 16
FEWEST_UNITS = 5  # judgments of an item, or people who judged it, that have an error


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
    """Count the choices of each item, row by row, without checks: an item twice in a row was shown twice."""
    best, worst = (np.bincount(chosen, minlength=choices.number) for chosen in (choices.best, choices.worst))
    return Counts(best, worst, np.bincount(choices.shown()[1], minlength=choices.number))


def best_worst_scores(counts: Counts) -> Floats:
    """Return the counting score (#best - #worst) / #appearances, in [-1, 1] (SemRel2024 3.2, after Orme 2009).

    In SemRel's own words it is the fraction of times best minus the fraction of times worst. Of the 6,000 scores of
    Ruddit the first one printed, of comment cza1q49, is -0.083.

    Returns: shape (items,); NaN for an item that was never shown.
    """
    scores = np.full(len(counts.appearances), np.nan)
    np.divide(counts.difference, counts.appearances, out=scores, where=counts.appearances > 0)
    return scores


def unit(scores: Floats) -> Floats:
    """Return scores from -1 to 1 on the scale from 0 to 1 (SemRel2024 3.2)."""
    return (scores + 1) / 2


def exact_scores(counts: Counts, *, unit: bool = False) -> list[Fraction | None]:
    """Return the same scores as exact fractions, so that halves are rounded correctly.

    Parameters: unit, whether on the unit scale.
    Returns: a fraction for each item; None for an item that was never shown.
    """
    pairs = zip(counts.difference.tolist(), counts.appearances.tolist(), strict=True)
    if unit:
        return [Fraction(difference + shown, 2 * shown) if shown else None for difference, shown in pairs]
    return [Fraction(difference, shown) if shown else None for difference, shown in pairs]


def score_intervals(counts: Counts, effect: float = 1.0, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return an interval of each signed score, by the Jeffreys prior, within -1 and 1.

    Counts are divided by the design effect of the choices (Kish 1965; `scoring.stats.design_effect`): how much more
    the scores vary than those of independent appearances that are equally likely to be best in all tuples.

    An appearance is best, worst or neither. With half an appearance of each added (the Jeffreys prior of a multinomial
    distribution, as Agresti and Min 2005, Biometrics 61, 515-523, compare proportions), a score has the mean
    m = (b - w) / A and the variance ((b + w) / A - m^2) / (A + 1); the bounds are the quantiles of the beta
    distribution from -1 to 1 with these. An item that was always best has no upper bound but 1, one that was always
    worst no lower one but -1 (Brown, Cai and DasGupta 2001, Statistical Science 16, 101-133).

    Returns: lower and upper bounds, shapes (items,); NaN for an item that was never shown.
    """
    shown = np.where(counts.appearances > 0, counts.appearances, np.nan)
    best, worst, number = counts.best / effect + 0.5, counts.worst / effect + 0.5, shown / effect + 1.5
    mean = (best - worst) / number
    size = (1 - mean**2) * (number + 1) / ((best + worst) / number - mean**2) - 1
    shape = (1 + mean) / 2 * size, (1 - mean) / 2 * size
    low, high = (2 * scipy.special.betaincinv(*shape, part) - 1 for part in ((1 - level) / 2, (1 + level) / 2))
    return np.where(counts.worst == shown, -1, low), np.where(counts.best == shown, 1, high)


@dataclass(frozen=True, eq=False)
class BootstrapErrors:
    """errors: shape (items,), standard errors of the signed scores; half of them on the unit scale.
    replicates: shape (items,), the number of replicates in which the item was shown at all.
    degrees: shape (items,), degrees of freedom of the error: judgments, or people, that showed the item, less 1."""

    errors: Floats
    replicates: Integers
    degrees: Integers


def bootstrap_errors(
    choices: Choices,
    generator: np.random.Generator,
    *,
    replicates: int = 1000,
    by: Literal["judgment", "annotator"] = "judgment",
) -> BootstrapErrors:
    """Return standard errors of the counting scores: their standard deviation (n - 1) over resamples with replacement.

    By judgment, rows are drawn; by annotator, people with all their rows, which includes what is specific to a person.
    A replicate counts for the items it shows. The variance among resamples of n rows or people is on average
    (n - 1) / n of that of a mean over them: the errors of an item are multiplied by sqrt(n / (n - 1)) for the n
    judgments or people that it was shown to (Rao and Wu 1988, Journal of the American Statistical Association 83,
    231-241). Choices of one person may depend on each other, so errors by judgment are multiplied by the square root of
    the design effect of people (`scoring.stats.design_effect`), if that is above 1. An interval is the score -+ t
    errors, with Student's t for n - 1 degrees of freedom.

    Returns: NaN if an item was shown in fewer than two replicates, or in fewer than `FEWEST_UNITS` judgments or to
        fewer people: such errors do not have the stated coverage (`benchmarks.coverage`).

    Raises:
        ValueError: by annotator without annotators; no judgments.
    """
    if not choices.judgments:
        raise ValueError("Resampling needs at least one judgment.")
    sums = item_sums(choices, _resampled_units(choices, by))
    moments = np.zeros((3, choices.number))
    for start in range(0, replicates, REPLICATES_AT_ONCE):
        weights = _draw_weights(generator, sums.units, min(REPLICATES_AT_ONCE, replicates - start))
        difference, appearances = sums.of(weights, maximum=int(weights.max()))
        shown = appearances > 0
        scores = np.zeros(difference.shape)
        np.divide(difference, appearances, out=scores, where=shown)
        moments += shown.sum(axis=1), scores.sum(axis=1), np.square(scores).sum(axis=1)
    number = np.asarray((sums.appearances > 0).sum(axis=1), dtype=np.int64).ravel()
    factor = np.full(choices.number, np.nan)
    np.divide(number, number - 1, out=factor, where=number >= FEWEST_UNITS)
    if by == "judgment":
        factor *= max(1.0, design_effect(choices, of_tuples=False))
    return BootstrapErrors(_deviations(*moments) * np.sqrt(factor), moments[0].astype(np.int64), number - 1)


def _resampled_units(choices: Choices, by: str) -> Integers:
    if by == "judgment":
        return np.arange(choices.judgments)
    if choices.annotators is None:
        raise ValueError("Standard errors by annotator need the annotator of every judgment.")
    return np.unique(choices.annotators, return_inverse=True)[1]


def _draw_weights(generator: np.random.Generator, units: int, replicates: int) -> Integers:
    """Return how often each unit is drawn, shape (units, replicates)."""
    # Of few units none can be drawn 2^15 times, and of many none ever is.
    weights = np.empty((replicates, units), np.int16)
    for row in weights:
        row[:] = np.bincount(generator.integers(0, units, units, dtype=np.uint32), minlength=units)
    return np.ascontiguousarray(weights.T)


def _deviations(numbers: Floats, totals: Floats, squares: Floats) -> Floats:
    defined = numbers > 1
    spread = np.full(len(numbers), np.nan)
    # Equal replicates leave a rounding error, possibly below zero.
    squared = np.maximum(squares[defined] - totals[defined] ** 2 / numbers[defined], 0)
    spread[defined] = np.sqrt(squared / (numbers[defined] - 1))
    return spread
