"""Designs of rounds of ratings: each yields its scores after more and more ratings."""

from collections.abc import Callable, Iterator

import numpy as np

from annotation.protocols.stopping import TargetKind
from benchmarks.adaptive.choosing import Stage
from benchmarks.adaptive.worlds import TOP, Floats, Integers, World
from scoring.forecasting.stopping.allocation import Aim, Pool, allocate
from scoring.forecasting.stopping.precision import judged_ratings, precision_of
from scoring.forecasting.stopping.reliability import estimate_of

MOST = 16
"""Ratings per item of the largest collection."""
POINTS = np.arange(TOP + 1)
SHOWN, GAMMA = 5, 0.1
"""Items on one screen of EASL, and the spread of its matching quality (Sakaguchi and Van Durme 2018)."""


def equal(world: World) -> Iterator[Stage]:
    """Yield the means of equally many ratings of every item."""
    every = np.arange(world.items)
    sums = np.zeros(world.items)
    for number in range(1, MOST + 1):
        sums += world.rate(every)
        yield Stage(number, {"mean": sums / number})


def waves(world: World) -> Iterator[Stage]:
    """Yield the means of ratings in waves, which go to the items with the least precise scores (docs/stopping.md)."""
    every = np.arange(world.items)
    pool = Pool(every[:, np.newaxis], np.full(world.items, MOST * world.items))
    items = np.repeat(every, 3)
    values = world.rate(items)
    aim = Aim(TargetKind.ICC, 0.999)
    while True:
        judged = judged_ratings(items, values, world.items, POINTS)
        precision = precision_of(judged)
        yield Stage(len(items) / world.items, {"mean": precision.scores})
        if len(items) >= MOST * world.items:
            return
        found = estimate_of(precision, aim.kind)
        size = world.items
        further = allocate(precision, pool, aim, found, wave=size, most=size, generator=world.chance).further
        new = np.repeat(every, further)
        items, values = np.concatenate([items, new]), np.concatenate([values, world.rate(new)])


def easl(world: World) -> Iterator[Stage]:
    """Yield EASL (Sakaguchi and Van Durme 2018, arXiv 1806.01170), an iteration of one rating per item at a time.

    Each item has a Beta distribution, first uniform; a rating s in [0, 1] adds s to alpha and 1 - s to beta, and the
    mode is the score. After a first rating of each item, the items of the largest variance come, each on a screen with
    others that are drawn by their matching quality.
    """
    alpha, beta = np.ones(world.items), np.ones(world.items)
    shown = world.chance.permutation(world.items)
    for number in range(1, MOST + 1):
        values = world.rate(shown) / TOP
        np.add.at(alpha, shown, values)
        np.add.at(beta, shown, 1 - values)
        modes = (alpha - 1) / np.maximum(alpha + beta - 2, 1)
        yield Stage(number, {"mean": modes})
        shown = _screens(modes, alpha, beta, world)


def _screens(modes: Floats, alpha: Floats, beta: Floats, world: World) -> Integers:
    """Return the items of the next screens, one after the other."""
    total = alpha + beta
    variances = alpha * beta / (total**2 * (total + 1))
    order = world.chance.permutation(world.items)
    first = order[np.argsort(-variances[order], kind="stable")][: world.items // SHOWN]
    screens = []
    for item in first:
        spread = 2 * GAMMA**2 + variances[item] + variances
        quality = np.sqrt(2 * GAMMA**2 / spread) * np.exp(-((modes[item] - modes) ** 2) / (2 * spread))
        quality[item] = 0
        others = world.chance.choice(world.items, SHOWN - 1, replace=False, p=quality / quality.sum())
        screens.append(np.append(others, item))
    return np.concatenate(screens)


RATINGS: dict[str, Callable[[World], Iterator[Stage]]] = {"equal": equal, "waves": waves, "EASL": easl}
