"""The correlation of an average person with the others, and its interval."""

import numpy as np
import scipy

from scoring.stats.intervals import Interval
from scoring.stats.people import FEWEST_SHARED, Floats, Integers

MOST_GROUPS = 100  # of people who are left out together
ROUNDING = 1e-12


def average_rater(units: Integers, people: Integers, values: Floats, pools: Integers, pool: int) -> Interval:
    """Return the mean of the correlations of a pool's people with the means of the others, with a 95 % interval.

    The correlations depend on each other, since everybody is in the means that the others are compared with: Student's
    t of the correlations alone has the true figure in 90 % of collections by 12 people (`benchmarks.coverage`). So the
    mean is computed again without each person, and of these comes the standard deviation of its Fisher's Z, pool by
    pool: tanh(Z -+ t s), s^2 = sum_pools (g - 1) / g sum_j (Z_j - mean)^2 (the jackknife of Tukey 1958 on a transformed
    figure, as in Miller 1974, Biometrika 61, 1-15). Of more than 100 people of a pool, groups are left out (Kott 2001,
    Journal of Official Statistics 17, 521-526). t has one degree of freedom less than the pool has people, or groups.

    Parameters: units, from 0, what the value is about, people, from 0, and values without NaN, shape (answers,); pools,
        of each person, -1 for whoever has no answer, shape (people,).
    Returns: NaN without a correlation; no bounds for fewer than two people of the pool with one or fewer than three
        people in all, if the correlations are all the same, or for a mean of 1 or -1.
    """
    values, own = values - values.mean() if len(values) else values, pools == pool
    correlations = _correlations(units, people, values, len(pools))
    mean = _mean(correlations[own])
    variance, groups = 0.0, _groups(pools)
    for members in groups.values():
        parts = [_mean(_correlations(*_without(part, units, people, values), len(pools))[own]) for part in members]
        with np.errstate(divide="ignore", invalid="ignore"):
            each = np.arctanh(np.where(np.abs(parts) < 1 - ROUNDING, parts, np.nan))
        variance += float((len(each) - 1) / len(each) * ((each - each.mean()) ** 2).sum())
    degrees = len(groups.get(pool, ())) - 1
    if degrees < 1 or not abs(mean) < 1 - ROUNDING or not variance > ROUNDING**2:
        return Interval(mean, np.nan, np.nan)
    reach = float(scipy.special.stdtrit(degrees, 0.975)) * np.sqrt(variance)
    return Interval(mean, float(np.tanh(np.arctanh(mean) - reach)), float(np.tanh(np.arctanh(mean) + reach)))


def _groups(pools: Integers) -> dict[int, list[Integers]]:
    """Return the people who are left out together, by pool: one person each, or groups of nearly the same size."""
    members = {int(pool): np.flatnonzero(pools == pool) for pool in np.unique(pools[pools >= 0])}
    return {pool: [own[at::MOST_GROUPS] for at in range(min(len(own), MOST_GROUPS))] for pool, own in members.items()}


def _without(part: Integers, units: Integers, people: Integers, values: Floats) -> tuple[Integers, Integers, Floats]:
    kept = ~np.isin(people, part)
    return units[kept], people[kept], values[kept]


def _mean(correlations: Floats) -> float:
    known = correlations[~np.isnan(correlations)]
    return float(known.mean()) if len(known) else float("nan")


def _correlations(units: Integers, people: Integers, values: Floats, number: int) -> Floats:
    """Return Pearson's r of each person with the mean of the others, shape (number,), from sums alone."""
    counts = np.bincount(units)[units]
    sums = np.bincount(units, weights=values)[units]
    shared = counts > 1
    people, x = people[shared], values[shared]
    y = (sums[shared] - x) / (counts[shared] - 1)

    def total(column: Floats) -> Floats:
        return np.bincount(people, weights=column, minlength=number).astype(np.float64)

    n = np.maximum(np.bincount(people, minlength=number), 1)
    x, y = x - (total(x) / n)[people], y - (total(y) / n)[people]
    squares = np.stack([total(x * x), total(y * y)])
    some = (squares > ROUNDING).all(axis=0) & (n >= FEWEST_SHARED)
    r: Floats = np.full(number, np.nan)
    np.divide(total(x * y), np.sqrt(squares.prod(axis=0)), out=r, where=some)
    return r.clip(-1, 1)
