"""A model's predictions against human scores."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.stats.comparing import Comparison, Interval, confidence_interval, meng, spearman_interval
from scoring.stats.correlation import pearson, spearman
from scoring.stats.missing import rows_of_each

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
DECIMALS = 3  # STSS-131, appendix A, 4: round the ratings of the algorithm, then r, to three decimals


@dataclass(frozen=True)
class Evaluation:
    """How well predictions follow the scores; correlations rounded to three decimals, as STSS-131 asks."""

    pairs: int
    pearson: float
    pearson_interval: Interval
    spearman: float
    spearman_interval: Interval
    mse: float


def evaluate(predictions: Floats, scores: Floats) -> Evaluation:
    """Correlations with 95 % intervals, and the mean squared error (STSS-131, appendix A, 4).

    Predictions are rounded to three decimals first, so that studies agree in the last digit; the mean squared error is
    of the predictions as they are, to be held against `agreement.mse_bound`.

    Parameters: predictions and scores, shape (pairs,).

    Raises:
        ValueError: fewer than four pairs, a value that is not finite, or a column without variance.
    """
    if len(predictions) < 4:
        raise ValueError(f"An evaluation needs at least four pairs, not {len(predictions)}.")
    if not (np.isfinite(predictions).all() and np.isfinite(scores).all()):
        raise ValueError("Every pair needs a prediction and a score that are numbers.")
    rounded = np.round(predictions, DECIMALS)
    r, rho = pearson(rounded, scores), spearman(rounded, scores)
    if np.isnan(r):
        raise ValueError("Predictions or scores that are all the same have no correlation.")
    return Evaluation(
        pairs=len(scores),
        pearson=round(r, DECIMALS),
        pearson_interval=confidence_interval(r, len(scores)),
        spearman=round(rho, DECIMALS),
        spearman_interval=spearman_interval(rho, len(scores)),
        mse=float(np.mean((predictions - scores) ** 2)),
    )


def compare_models(one: Floats, other: Floats, scores: Floats) -> Comparison:
    """Whether one model follows the scores better than another, by Meng's z (STSS-131, appendix B).

    Parameters: predictions of both models, rounded as `evaluate` does, and the scores, shape (pairs,).

    Raises:
        ValueError: fewer than four pairs, or a column with missing values or without variance.
    """
    if not (np.isfinite(one).all() and np.isfinite(other).all() and np.isfinite(scores).all()):
        raise ValueError("Every pair needs two predictions and a score that are numbers.")
    one, other = np.round(one, DECIMALS), np.round(other, DECIMALS)
    return meng(pearson(one, scores), pearson(other, scores), pearson(one, other), len(scores))


def multiple_choice_accuracy(predictions: Floats, scores: Floats, groups: Integers) -> float:
    """The share of groups whose best item is the one that the predictions put first (GiCCS, multiple-choice STS).

    A group in which several predictions share the first place counts as the part of them that is right.

    Parameters: predictions, scores and groups (from 0), shape (items,).

    Raises:
        ValueError: no groups, or a value that is not finite.
    """
    rows = rows_of_each(groups)
    if not rows:
        raise ValueError("Without groups there is nothing to choose from.")
    if not (np.isfinite(predictions).all() and np.isfinite(scores).all()):
        raise ValueError("Every item needs a prediction and a score that are numbers.")
    return float(np.mean([_right(predictions[own], scores[own]) for own in rows.values()]))


def _right(predictions: Floats, scores: Floats) -> float:
    chosen = predictions == predictions.max()
    return float(np.mean(scores[chosen] == scores.max()))
