"""Limits of chance: how far the figure of somebody who is like the others may lie from theirs.

A figure is compared with its distribution for a person's number of answers, in the units in which it is nearly normal,
and with the spread of the others (funnel plots: Spiegelhalter 2005, Statistics in Medicine 24, 1185-1202). `level` is
the probability with which the figure of one person lies beyond the bound by chance.
"""

import numpy as np
import scipy
from numpy.typing import NDArray

from scoring.stats.correlation import pearson

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

FEWEST_PEOPLE = 3  # if two people disagree, nobody can say which of them is the outlier
NORMAL_SHARE = 0.516058550961133  # E min(z^2, 1) of a standard normal z
HALF_NORMAL = np.pi / 2 - 1  # variance / mean^2 of an absolute normal deviation
MEDIAN_ERROR = np.pi / 2  # the variance of a median, as a multiple of that of a mean


def level_of_each(rate: float, compared: Booleans) -> float:
    """Return the level at which at most `rate` of the rounds have a false alarm: rate / people (Bonferroni)."""
    return rate / max(1, int(compared.sum()))


def most_by_chance(answers: Floats, share: Floats | float, level: float) -> Floats:
    """Return the greatest number of answers of a kind that chance gives: the least k with P(X > k) <= level.

    Parameters: answers, shape (people,), NaN or 0 for none; share, the probability of this kind of answer, of which
        there are X, a binomial variable.
    Returns: shape (people,), NaN without answers.
    """
    number = np.where(answers > 0, answers, 1).astype(np.int64)
    found = np.ceil(scipy.special.bdtrik(1 - level, number, share))
    less = np.maximum(found - 1, 0)
    found = np.where(scipy.special.bdtr(less, number, share) >= 1 - level, less, found)
    return np.where(answers > 0, found, np.nan)


def independent_answers(first: Floats, second: Floats) -> float:
    """Return how many of two answers of the same screen count as independent of each other, as a share: 1 / (1 + r).

    Who is wrong about the best item of a screen has fewer items left to be right about the worst: the number of wrong
    answers varies more than a binomial variable does.

    Parameters: first and second, 1 wrong, 0 right, NaN unknown; shape (screens,).
    Returns: 1 / 2 to 1; 1 if r is negative or not defined.
    """
    return 1 / (1 + max(0.0, float(np.nan_to_num(pearson(first, second)))))


def longest_by_chance(answers: Floats, share: Floats, level: float) -> Floats:
    """Return the longest run of an answer that chance gives, where others give it in this share of their answers.

    Among n independent answers p^L (1 + (n - L) (1 - p)) runs of the length L or more are expected; solved for L with n
    in place of n - L, so never too short.

    Parameters: answers and share, between 0 and 1, shape (people,), NaN for unknown.
    """
    return np.asarray(np.log(level / (1 + answers * (1 - share))) / np.log(share))


def median_by_chance(answers: Floats, limit: float, spread: float, level: float) -> Floats:
    """Return the lowest median that chance gives to somebody whose true median is `limit`.

    Parameters: answers, shape (people,); spread, the standard deviation of the logarithms of one person's values, which
        are taken for normal.
    """
    errors = spread * np.sqrt(MEDIAN_ERROR / np.where(answers > 0, answers, np.nan))
    return np.asarray(limit * np.exp(scipy.special.ndtri(level) * errors))


def correlation_bounds(correlations: Floats, answers: Floats, compared: Booleans, level: float) -> Floats:
    """Return the lowest correlation that chance gives, for each person's number of pairs of values.

    Fisher's z has the standard error 1 / sqrt(n - 3). Shapes (people,); compared, whose correlations make the others'
    distribution.
    """
    errors = 1 / np.sqrt(np.where(answers > 3, answers - 3, np.nan))
    found = _bounds(np.arctanh(np.clip(correlations, -0.9999, 0.9999)), errors, compared, scipy.special.ndtri(level))
    return np.tanh(found)


def share_bounds(
    shares: Floats, answers: Floats, variance: float, step: float, compared: Booleans, level: float
) -> Floats:
    """Return the lowest mean of values from 0 to 1 that chance gives, for each person's number of values.

    The arc sine of the root has the standard error sqrt(variance / (4 n m (1 - m))), m the mean of all. Half a step of
    the sum is left for continuity: of few values in large steps a normal distribution has too short a tail.

    Parameters: shares and answers, shape (people,); variance, of one person's values; step, the least distance between
        two of the values; compared, as above.
    """
    mean = float(np.mean(shares[compared])) if compared.any() else np.nan
    with np.errstate(invalid="ignore", divide="ignore"):
        errors = np.sqrt(variance / (4 * answers * mean * (1 - mean)))
    found = _bounds(np.arcsin(np.sqrt(np.clip(shares, 0, 1))), errors, compared, scipy.special.ndtri(level))
    return np.asarray(np.sin(np.clip(found, 0, np.pi / 2)) ** 2 - step / (2 * np.where(answers > 0, answers, np.nan)))


def distance_bounds(
    distances: Floats, answers: Floats, usual: float, variance: float, compared: Booleans, level: float
) -> Floats:
    """Return the greatest mean distance that chance gives, for each person's number of distances.

    The cube root of a mean of n distances, nearly a gamma variable, is nearly normal with the standard error
    m^(1/3) / (3 sqrt(n / v)) (Wilson and Hilferty 1931), where v is the variance of a distance over the square of the
    mean: .571 for absolute normal deviations, more on a coarse scale, where many distances are 0.

    Parameters: distances and answers, shape (people,); usual, the mean distance to go by with fewer than three people;
        variance, of one person's distances; compared, as above.
    """
    few = compared.sum() < FEWEST_PEOPLE
    relative = HALF_NORMAL if few else _relative_variance(variance, float(distances[compared].mean()))
    shape = np.where(answers > 0, answers, np.nan) / relative
    typical = usual if few else float(np.median(distances[compared]))
    exact = not few and typical == 0  # where most repeat exactly, the mean is what is known of their variation
    centre = np.cbrt(float(distances[compared].mean()) if exact else typical)
    errors, quantile = centre / (3 * np.sqrt(shape)), -scipy.special.ndtri(level)
    found = centre + quantile * errors if few or exact else _bounds(np.cbrt(distances), errors, compared, quantile)
    return np.asarray(found**3)


def _relative_variance(variance: float, mean: float) -> float:
    return max(HALF_NORMAL, variance / mean**2) if mean > 0 and not np.isnan(variance) else HALF_NORMAL


def _bounds(values: Floats, errors: Floats, compared: Booleans, quantile: float) -> Floats:
    """Return centre + quantile * sqrt(e^2 + t^2 + error of the centre^2), shape (people,); NaN for fewer than three.

    The centre is the median, and t the spread of people beyond their errors e: neither is moved far by the few whom a
    flag is to find.
    """
    some = compared & ~np.isnan(values) & ~np.isnan(errors)
    if some.sum() < FEWEST_PEOPLE:
        return np.full(len(values), np.nan)
    centre, variances = np.median(values[some]), errors[some] ** 2
    between = _between_people(values[some] - centre, variances)
    centre_error = MEDIAN_ERROR * (variances.mean() + between) / some.sum()
    return np.asarray(centre + quantile * np.sqrt(errors**2 + between + centre_error))


def _between_people(deviations: Floats, variances: Floats) -> float:
    """Return the variance of people beyond their errors: the t^2 >= 0 with mean min(d^2 / (e^2 + t^2), 1) = .516.

    Deviations of more than one standard error count as one (an M-estimate of scale), so it takes half of the people to
    make it as large as one likes.
    """
    squares = deviations**2

    def share(between: float) -> float:
        return float(np.minimum(squares / np.maximum(variances + between, 1e-300), 1).mean())

    if share(0.0) <= NORMAL_SHARE:
        return 0.0
    low, high = 0.0, float(squares.max()) / NORMAL_SHARE
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if share(middle) > NORMAL_SHARE else (low, middle)
    return high
