"""How good the scores of a design are after more and more judgments, as means over simulated collections."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata, spearmanr

from benchmarks.adaptive.choosing import Stage
from benchmarks.adaptive.worlds import Floats, World, world

EXTREME = 0.05
"""The share of items at either end of the scale that count as extreme."""


@dataclass(frozen=True, eq=False)
class Curve:
    """One kind of scores of one design; shapes (stages,). spearman: with the true scores. moved: by how many percent of
    all ranks the extreme items are ranked nearer to the middle than they are. stretched: how much farther from the mean
    extreme items are than they should be, in standard deviations of the scores."""

    judgments: Floats
    spearman: Floats
    moved: Floats
    stretched: Floats
    estimated: Floats
    reliability: Floats

    def needed(self, spearman: float) -> float:
        """Return how many judgments per item give this correlation, between stages by powers of the numbers; infinite
        beyond the last stage."""
        better = np.flatnonzero(self.spearman >= spearman)
        if not len(better) or not better[0]:
            return float(self.judgments[0]) if len(better) else float("inf")
        at = slice(better[0] - 1, better[0] + 1)
        errors, numbers = -np.log(1 - self.spearman[at]), np.log(self.judgments[at])
        return float(np.exp(np.interp(-np.log(1 - spearman), errors, numbers)))

    def at(self, judgments: float, figure: str) -> float:
        return float(np.interp(judgments, self.judgments, getattr(self, figure)))


def curves(
    design: Callable[[World], Iterator[Stage]], items: int, noise: float, seed: list[int], unequal: float = 0.0
) -> dict[str, NDArray[np.float64]]:
    """Return the figures of each kind of scores of one collection, shapes (stages, figures)."""
    simulated = world(items, noise, seed, unequal)
    found: dict[str, list[list[float]]] = {}
    for stage in design(simulated):
        for name, scores in stage.scores.items():
            figures = [stage.judgments, float(spearmanr(scores, simulated.truth).statistic)]
            figures += _of_extremes(scores, simulated.truth)
            figures += [stage.reliability, float(np.corrcoef(scores, simulated.truth)[0, 1] ** 2)]
            found.setdefault(name, []).append(figures)
    return {name: np.array(rows) for name, rows in found.items()}


def mean_curve(collections: list[NDArray[np.float64]]) -> Curve:
    return Curve(*np.mean(collections, axis=0).T)


def _of_extremes(scores: Floats, truth: Floats) -> list[float]:
    number = round(EXTREME * len(truth))
    order = np.argsort(truth)
    ends, outward = np.concatenate([order[:number], order[-number:]]), np.repeat([-1, 1], number)
    ranks, standard = 100 * rankdata(scores) / len(scores), (scores - scores.mean()) / scores.std()
    true_ranks, true_standard = 100 * rankdata(truth) / len(truth), (truth - truth.mean()) / truth.std()
    moved = (outward * (true_ranks - ranks)[ends]).mean()
    return [float(moved), float((outward * (standard - true_standard)[ends]).mean())]
