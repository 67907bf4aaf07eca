"""How closely predicted distributions follow the answers that people gave."""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from scoring.stats.correlation import pearson
from scoring.stats.distributions import Levels, soft_labels

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class DistributionScores:
    """Means over the items that were judged. items: their number. impossible: items with an answer on a level that was
    predicted to be impossible.

    cross_entropy: in nats, NaN if any item is impossible. entropy: of the answers themselves, the least possible cross
    entropy. uniform: the cross entropy of a model for which all levels are equally likely. wasserstein: distance of the
    two distributions, in points of the scale. spread: Pearson's r of predicted and observed standard deviations, over
    items judged at least twice.
    """

    items: int
    impossible: int
    cross_entropy: float
    entropy: float
    uniform: float
    wasserstein: float
    spread: float


def compare_distributions(predicted: Floats, counts: Integers, values: Floats) -> DistributionScores:
    """Return how closely predicted distributions follow the answers of people.

    Cross entropy is - sum_k q_k log p_k, with the share q of the answers at each level (Uma et al. 2021, Learning from
    Disagreement, section 5); the Wasserstein distance is the area between the two cumulative distributions (Ramdas,
    Garcia and Cuturi 2017, proposition 1).

    Parameters: predicted, probabilities, each row with the sum 1, and counts of answers, shape (items, levels); values
        of the levels, evenly spaced, shape (levels,).
    Returns: NaN for what is not defined, as without judged items.
    """
    judged = counts.sum(axis=1) > 0
    predicted, counts = predicted[judged], counts[judged]
    shares = soft_labels(counts)
    impossible = int(((counts > 0) & (predicted <= 0)).any(axis=1).sum())
    area = np.abs(np.cumsum(predicted - shares, axis=1)[:, :-1]).sum(axis=1) * abs(float(values[1] - values[0]))
    repeated = counts.sum(axis=1) > 1
    spreads = (spread_of(rows, values)[repeated] for rows in (predicted, shares))
    own, people = spreads
    number = counts.sum(axis=1)[repeated]
    return DistributionScores(
        items=len(counts),
        impossible=impossible,
        cross_entropy=float("nan") if impossible else _mean(_cross_entropy(shares, predicted)),
        entropy=_mean(_cross_entropy(shares, shares)),
        uniform=float(np.log(counts.shape[1])),
        wasserstein=_mean(area),
        spread=pearson(own, people * np.sqrt(number / np.maximum(number - 1, 1))),
    )


def spread_of(shares: Floats, values: Floats) -> Floats:
    """Return the standard deviation of each distribution over the values of the levels, shape (items,)."""
    means = shares @ values
    return np.asarray(np.sqrt(np.maximum(shares @ values**2 - means**2, 0.0)))


def normal_shares(means: Floats, deviations: Floats, levels: Levels) -> Floats:
    """Return the probability of each level if answers are normal and rounded to the nearest level, those beyond the
    ends to the ends; shape (items, levels). With a deviation of 0, the level of the mean has probability 1."""
    edges = levels.values[:-1] + levels.width / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        below = scipy.special.ndtr((edges[None, :] - means[:, None]) / deviations[:, None])
    certain = np.eye(levels.number)[levels.index(means)]
    cumulative = np.concatenate([np.zeros((len(means), 1)), below, np.ones((len(means), 1))], axis=1)
    return np.where(deviations[:, None] > 0, np.diff(cumulative, axis=1), certain)


def _cross_entropy(shares: Floats, predicted: Floats) -> Floats:
    logs = np.log(predicted, out=np.zeros_like(predicted), where=predicted > 0)
    return np.asarray(-(shares * logs).sum(axis=1) + 0.0)


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else float("nan")
