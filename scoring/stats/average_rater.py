"""The correlation of an average person with the others, and its interval."""

import numpy as np

from scoring.stats.intervals import Interval
from scoring.stats.jackknife import MOST_GROUPS, ROUNDING, fisher_jackknife
from scoring.stats.people import FEWEST_SHARED, Floats, Integers

FEWEST_ITEMS = 20


def average_rater(units: Integers, people: Integers, values: Floats, pools: Integers, pool: int) -> Interval:
    """Return the mean of the correlations of a pool's people with the means of the others, with a 95 % interval.

    The interval is for these people and other items of the same kind, as the other intervals of agreement are. One for
    other people cannot have a stated coverage: if one person in ten is careless, 28 % of the collections by 12 people
    have nobody careless, and nothing in them shows that such people exist.

    The mean is computed again without each item, or each of 100 groups of items (`fisher_jackknife`).

    Parameters: units, from 0, what the value is about, people, from 0, and values without NaN, shape (answers,); pools,
        of each person, -1 for whoever has no answer, shape (people,).
    Returns: NaN without a correlation; no bounds for fewer than 20 items that several people rated, or for a mean of 1
        or -1.
    """
    values, own = values - values.mean() if len(values) else values, pools == pool
    mean, groups = _mean(_correlations(units, people, values, len(pools))[own]), _groups(units)
    if not groups or not abs(mean) < 1 - ROUNDING:
        return Interval(mean, np.nan, np.nan)
    parts = [_mean(_correlations(*_without(part, units, people, values), len(pools))[own]) for part in groups]
    with np.errstate(divide="ignore", invalid="ignore"):
        each = np.arctanh(np.where(np.abs(parts) < 1 - ROUNDING, parts, np.nan))
    return Interval(mean, *fisher_jackknife(float(np.arctanh(mean)), each))


def _groups(units: Integers) -> list[Integers]:
    """Return the items that are left out together, one each or groups of nearly the same size; none of few items."""
    shared = np.flatnonzero(np.bincount(units) > 1)
    if len(shared) < FEWEST_ITEMS:
        return []
    return [shared[at::MOST_GROUPS] for at in range(min(len(shared), MOST_GROUPS))]


def _without(part: Integers, units: Integers, people: Integers, values: Floats) -> tuple[Integers, Integers, Floats]:
    kept = ~np.isin(units, part)
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
