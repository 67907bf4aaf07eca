"""The same items scored twice: agreement of the scores, drift, and the items that moved."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan, sqrt
from statistics import NormalDist

import numpy as np
import scipy
from numpy.typing import NDArray

from scoring.stats.comparing import Interval, confidence_interval
from scoring.stats.context import benjamini_hochberg
from scoring.stats.correlation import pearson, spearman
from scoring.stats.means import Mean, half_width, one_sample_t_test
from scoring.stats.rank_intervals import spearman_interval

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
LIMITS = NormalDist().inv_cdf(0.975)  # standard deviations on both sides of the mean difference
FEWEST_PAIRS = 4  # for Fisher's Z
FEWEST_ITEMS = 64  # for the interval of a mean: with fewer, those of skewed values are too short
NOT_KNOWN = Interval(nan, nan)


@dataclass(frozen=True)
class TwoWay:
    """ICC(2,1), absolute agreement, and ICC(3,1), consistency, of single scores."""

    absolute: float
    consistency: float


@dataclass(frozen=True)
class ScoreAgreement:
    """Two scores of each item compared. shift: the mean of second minus first, with its interval and the two-sided
    p-value of the paired t-test. limits: of agreement, between which 95 % of differences lie if they are normal.
    difference: the root mean squared difference; by_sampling: what it would be if only the people's judgments varied.

    A figure that is not defined is NaN.
    """

    items: int
    pearson: float
    pearson_interval: Interval
    spearman: float
    spearman_interval: Interval
    icc: TwoWay
    shift: float
    shift_interval: Interval
    shift_p: float
    limits: Interval
    difference: float
    by_sampling: float


@dataclass(frozen=True, eq=False)
class Sample:
    """The judgments of each item: number, mean and variance (n - 1, NaN for a single one); shapes (items,)."""

    numbers: Integers
    means: Floats
    variances: Floats

    @classmethod
    def of(cls, items: Integers, values: Floats, number: int) -> "Sample":
        """Return the samples of items 0 to number - 1. Parameters: items and values, shape (judgments,), no NaN."""
        numbers = np.bincount(items, minlength=number).astype(np.int64)
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.bincount(items, weights=values, minlength=number) / numbers
            squares = np.bincount(items, weights=(values - means[items]) ** 2, minlength=number)
            variances = np.where(numbers > 1, squares / (numbers - 1), np.nan)
        return cls(numbers, means, variances)

    def keep(self, items: Integers) -> "Sample":
        """Return the samples of these items, in this order."""
        return Sample(self.numbers[items], self.means[items], self.variances[items])


@dataclass(frozen=True, eq=False)
class Movement:
    """How far each item moved. differences: second minus first. p_values: of Welch's t-test; adjusted: for the number
    of items, by Benjamini and Hochberg. Shapes (items,); NaN where a side has fewer than two judgments, or neither
    varies."""

    differences: Floats
    p_values: Floats
    adjusted: Floats


def agreement_of_scores(first: Sample, second: Sample) -> ScoreAgreement:
    """Return how well two scores of the same items agree (Bland and Altman 1986; Shrout and Fleiss 1979).

    Parameters: first and second, of the same items, each with a judgment in both.
    """
    x, y = first.means, second.means
    r, differences = pearson(x, y), y - x
    mean = Mean.of(differences) if len(x) > 1 else None
    reach = half_width(mean) if mean and len(x) >= FEWEST_ITEMS else nan
    shift = mean.value if mean else float(differences.sum()) if len(x) else nan
    wide = LIMITS * float(np.std(differences, ddof=1)) if len(x) > 1 else nan
    errors = first.variances / first.numbers + second.variances / second.numbers
    known = errors[~np.isnan(errors)]
    return ScoreAgreement(
        items=len(x),
        pearson=r,
        pearson_interval=confidence_interval(r, len(x)) if len(x) >= FEWEST_PAIRS and r == r else NOT_KNOWN,
        spearman=spearman(x, y),
        spearman_interval=spearman_interval(x, y),
        icc=two_way(x, y),
        shift=shift,
        shift_interval=Interval(shift - reach, shift + reach),
        shift_p=one_sample_t_test(mean, 0).p_two_sided if mean else nan,
        limits=Interval(shift - wide, shift + wide),
        difference=sqrt(float(np.mean(differences**2))) if len(x) else nan,
        by_sampling=sqrt(float(known.mean())) if len(known) else nan,
    )


def two_way(x: Floats, y: Floats) -> TwoWay:
    """Return ICC(2,1) and ICC(3,1) of two columns (Shrout and Fleiss 1979, with k = 2).

    With the mean squares B of items, J of columns and E of the rest: (B - E) / (B + E + 2 (J - E) / n) and
    (B - E) / (B + E).

    Parameters: x and y, shape (items,), none missing.
    Returns: NaN for fewer than two items, or without variance.
    """
    n = len(x)
    if n < 2:
        return TwoWay(nan, nan)
    table = np.stack([x, y], axis=1)
    grand, rows, columns = table.mean(), table.mean(axis=1), table.mean(axis=0)
    between = 2 * float(((rows - grand) ** 2).sum()) / (n - 1)
    judges = n * float(((columns - grand) ** 2).sum())
    rest = float(((table - rows[:, None] - columns[None, :] + grand) ** 2).sum()) / (n - 1)
    return TwoWay(
        _ratio(between - rest, between + rest + 2 * (judges - rest) / n), _ratio(between - rest, between + rest)
    )


def movement(first: Sample, second: Sample) -> Movement:
    """Return how far each item moved, and whether further than by chance: Welch's t-test of its judgments.

    Judgments of the same person in both are taken as independent, so the test is cautious if people answer alike.

    Parameters: first and second, of the same items.
    """
    errors = [side.variances / side.numbers for side in (first, second)]
    both = errors[0] + errors[1]
    with np.errstate(invalid="ignore", divide="ignore"):
        t = (second.means - first.means) / np.sqrt(both)
        parts = [
            error**2 / np.maximum(side.numbers - 1, 1) for error, side in zip(errors, (first, second), strict=True)
        ]
        degrees = both**2 / (parts[0] + parts[1])
        p_values = np.where(both > 0, 2 * scipy.special.stdtr(degrees, -np.abs(t)), np.nan)
    return Movement(second.means - first.means, p_values, benjamini_hochberg(p_values))


@dataclass(frozen=True)
class Retest:
    """One person's answers to the same things in both. answers: their number. pearson: NaN for fewer than three, or
    without variance. shift: the mean of second minus first; rmse: the root mean squared difference."""

    answers: int
    pearson: float
    shift: float
    rmse: float


def retest(first: Floats, second: Floats) -> Retest:
    """Return how one person answered again. Parameters: first and second, of the same items, shape (answers,)."""
    differences = second - first
    r = pearson(first, second) if len(first) > 2 else nan
    return Retest(len(first), r, float(differences.mean()), sqrt(float(np.mean(differences**2))))


def choices_repeated(first: Sequence[tuple[str, str]], second: Sequence[tuple[str, str]]) -> tuple[float, float]:
    """Return the shares of tuples of which one person chose the same best, and the same worst, again.

    Parameters: first and second, best and worst of the same tuples; at least one.
    """
    best, worst = (sum(before[at] == after[at] for before, after in zip(first, second, strict=True)) for at in (0, 1))
    return best / len(first), worst / len(first)


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator > 0 else nan
