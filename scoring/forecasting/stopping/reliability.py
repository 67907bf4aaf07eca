"""The reliability of the scores of a round, with its interval, from the precision of each score."""

from dataclasses import dataclass

import numpy as np
import scipy

from annotation.protocols.stopping import TargetKind
from scoring.forecasting.stopping.precision import Precision
from scoring.stats.choices import Floats, Integers


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % interval; NaN if it is not defined."""

    value: float
    low: float
    high: float

    @property
    def without_interval(self) -> "Estimate":
        """Return the figure alone, for a design with which the interval would cover too seldom."""
        return Estimate(self.value, float("nan"), float("nan"))


UNDEFINED = Estimate(float("nan"), float("nan"), float("nan"))


@dataclass(frozen=True)
class Parts:
    """The variance of scores, and what of it is error, with the standard errors of both."""

    scores: float
    error: float
    scores_error: float
    error_error: float

    @property
    def true(self) -> float:
        """Return the variance of the true scores; it may be negative."""
        return self.scores - self.error


def parts_of(precision: Precision) -> Parts:
    """Return the parts of the variance of the scores of these items.

    The items are those of the dataset, no sample of others: the true scores are fixed. Then the variance of N scores
    varies by sum(4 t² e + 2 e²) / (N - 1)², t being the distance of a true score from the mean, e its error variance,
    and E by sum(2 sigma⁴ / (d n²)) / N².
    """
    known = precision.scored
    errors, scores = precision.errors[known], precision.scores[known]
    number = len(scores)
    squares = (scores - scores.mean()) ** 2
    between = np.maximum(squares - errors, 0)
    varied = float(np.sum(4 * between * errors + 2 * errors**2)) / (number - 1) ** 2
    fourth = precision.chances[known] @ precision.levels**2
    each = 2 * fourth / np.maximum(precision.degrees[known], 1) / precision.counts[known] ** 2
    mistaken = float(each.sum()) / number**2
    return Parts(float(scores.var(ddof=1)), float(errors.mean()), float(np.sqrt(varied)), float(np.sqrt(mistaken)))


def icc_of(precision: Precision) -> Estimate:
    """Return the ICC of the scores: the share of their variance that is not error, 1 - E / V.

    With equal numbers of judgments this is ICC(1,k) (Shrout and Fleiss 1979); with unequal ones E is the mean of the
    error variances of all items. The interval is that of log(1 - ICC) = log E - log V by the
    delta method, with as many degrees of freedom as a variance of the scores has.
    """
    if precision.scored.sum() < 3:
        return UNDEFINED
    parts = parts_of(precision)
    if not parts.scores > 0:
        return UNDEFINED
    quantile = float(scipy.special.stdtrit(precision.scored.sum() - 1, 0.975))
    deviation = quantile * float(np.hypot(parts.scores_error / parts.scores, parts.error_error / parts.error))
    noise = parts.error / parts.scores
    return Estimate(1 - noise, 1 - noise * float(np.exp(deviation)), 1 - noise * float(np.exp(-deviation)))


def split_half_of(precision: Precision) -> Estimate:
    """Return the expected correlation (Pearson) of the scores from two random halves of each item's judgments.

    It has the same true variance as the ICC and the errors of halves, so that its interval follows from that of the
    ICC. Items with a single judgment have no halves and are left out.
    """
    halved = precision.counts > 1
    if halved.sum() < 3:
        return UNDEFINED
    icc = icc_of(precision)
    ratio = half_error(precision.variances[halved], precision.counts[halved]) / float(precision.errors[halved].mean())

    def halves(whole: float) -> float:
        return whole / (whole + ratio * (1 - whole)) if whole > 0 else min(whole, 0.0)

    return Estimate(*(halves(limit) for limit in (icc.value, icc.low, icc.high)))


def half_error(variances: Floats, counts: Integers) -> float:
    """Return the mean error variance of the score of half of the judgments, the smaller or the larger one."""
    small = counts // 2
    return float(np.mean(variances * (1 / small + 1 / (counts - small)) / 2))


def estimate_of(precision: Precision, kind: TargetKind) -> Estimate:
    """Return the figure that a target is set for; the width of the widest interval has none itself."""
    if kind is TargetKind.WIDTH:
        widest = float(np.max(precision.widths, initial=0.0))
        return Estimate(widest, widest, widest)
    return icc_of(precision) if kind is TargetKind.ICC else split_half_of(precision)
