"""Evaluation of a model's predictions against human scores."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.stats.comparing import Comparison, Interval, confidence_interval, meng
from scoring.stats.correlation import pearson, spearman
from scoring.stats.missing import rows_of_each
from scoring.stats.rank_intervals import spearman_interval
from scoring.stats.significance import Significance, significance

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
DECIMALS = 3  # STSS-131, appendix A, 4: round the ratings of the algorithm, then r, to three decimals


@dataclass(frozen=True)
class Evaluation:
    """How well predictions follow the scores; correlations rounded to three decimals, as STSS-131 asks."""

    pairs: int
    pearson: float
    pearson_interval: Interval
    pearson_test: Significance
    spearman: float
    spearman_interval: Interval
    spearman_test: Significance
    mse: float


def rounded(predictions: Floats) -> Floats:
    """Return predictions as STSS-131, appendix A, 4, asks for them."""
    return np.round(predictions, DECIMALS)


def evaluate(predictions: Floats, scores: Floats) -> Evaluation:
    """Return correlations with 95 % intervals and p-values, and the mean squared error (STSS-131, appendix A, 2 and 4).

    Predictions are rounded to three decimals first, so that studies agree in the last digit; the mean squared error is
    of the unrounded predictions, to be compared with `agreement.mse_oracle`.

    Parameters: predictions and scores, shape (pairs,).

    Raises:
        ValueError: there are fewer than four pairs, a value is not finite, or a column has no variance.
    """
    if len(predictions) < 4:
        raise ValueError(f"An evaluation needs at least four pairs, not {len(predictions)}.")
    if not (np.isfinite(predictions).all() and np.isfinite(scores).all()):
        raise ValueError("Every pair needs a numeric prediction and a numeric score.")
    written = rounded(predictions)
    r, rho = pearson(written, scores), spearman(written, scores)
    if np.isnan(r):
        raise ValueError("The correlation is not defined, because all predictions or all scores are equal.")
    return Evaluation(
        pairs=len(scores),
        pearson=round(r, DECIMALS),
        pearson_interval=confidence_interval(r, len(scores)),
        pearson_test=significance(r, len(scores)),
        spearman=round(rho, DECIMALS),
        spearman_interval=spearman_interval(written, scores),
        spearman_test=significance(rho, len(scores)),
        mse=float(np.mean((predictions - scores) ** 2)),
    )


def compare_models(first: Floats, second: Floats, scores: Floats) -> Comparison:
    """Test whether one model follows the scores better than another, by Meng's z (STSS-131, appendix B).

    Parameters: predictions of both models, rounded as `evaluate` does, and the scores, shape (pairs,).

    Raises:
        ValueError: there are fewer than four pairs, or a column has missing values or no variance.
    """
    if not (np.isfinite(first).all() and np.isfinite(second).all() and np.isfinite(scores).all()):
        raise ValueError("Every pair needs two numeric predictions and a numeric score.")
    first, second = rounded(first), rounded(second)
    return meng(pearson(first, scores), pearson(second, scores), pearson(first, second), len(scores))


def multiple_choice_accuracy(predictions: Floats, scores: Floats, groups: Integers) -> float:
    """Return the share of groups whose best item is the one with the highest prediction (GiCCS, multiple-choice STS).

    A group in which several predictions share the first place counts as the part of them that is right.

    Parameters: predictions, scores and groups (from 0), shape (items,).

    Raises:
        ValueError: there are no groups, or a value is not finite.
    """
    rows = rows_of_each(groups)
    if not rows:
        raise ValueError("Accuracy within groups needs at least one group.")
    if not (np.isfinite(predictions).all() and np.isfinite(scores).all()):
        raise ValueError("Every item needs a numeric prediction and a numeric score.")
    return float(np.mean([_right(predictions[group], scores[group]) for group in rows.values()]))


def _right(predictions: Floats, scores: Floats) -> float:
    chosen = predictions == predictions.max()
    return float(np.mean(scores[chosen] == scores.max()))
