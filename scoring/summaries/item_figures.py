"""The figures of every judged item of a running round: answers, mean or score, standard deviation and interval."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.stats.bws import best_worst_scores, count_choices, score_intervals, unit
from scoring.stats.design_effect import design_effect
from scoring.stats.item_means import mean_intervals
from scoring.summaries.work import Floats, Integers, Work, units


@dataclass(frozen=True, eq=False)
class ItemColumns:
    """Columns of shape (judged items in a context,); NaN where a figure is not defined.

    items, contexts: indexes as those of `Answers`. values: means of ratings, or best-worst scores from 0 to 1.
    """

    items: Integers
    contexts: Integers
    answers: Integers
    values: Floats
    deviations: Floats
    low: Floats
    high: Floats


def item_columns(work: Work) -> ItemColumns:
    """Return the figures of all items that have answers that count.

    Of ratings the interval of the mean is that of `mean_intervals`, within the scale; of choices `score_intervals`.
    """
    return _of_choices(work) if work.choices.judgments else _of_ratings(work)


def _of_ratings(work: Work) -> ItemColumns:
    rated = work.rated.keep(work.rated.counted)
    place, index = np.unique(units(rated), return_inverse=True)
    number = np.bincount(index, minlength=len(place))
    mean = np.bincount(index, weights=rated.values, minlength=len(place)) / np.maximum(number, 1)
    squares = np.bincount(index, weights=(rated.values - mean[index]) ** 2, minlength=len(place))
    deviation = _deviation(squares, number)
    half = mean_intervals(number, deviation)
    low, high = np.maximum(mean - half, work.minimum), np.minimum(mean + half, work.maximum)
    return ItemColumns(place // 2, place % 2, number, mean, deviation, low, high)


def _of_choices(work: Work) -> ItemColumns:
    counts = count_choices(work.choices)
    low, high = score_intervals(counts, design_effect(work.choices))
    shown, score = counts.appearances, best_worst_scores(counts)
    squares = counts.best + counts.worst - shown * np.nan_to_num(score) ** 2
    deviation, items = _deviation(np.maximum(squares, 0), shown), np.flatnonzero(shown)
    figures = (column[items] for column in (unit(score), deviation / 2, unit(low), unit(high)))
    return ItemColumns(items, np.zeros_like(items), shown[items], *figures)


def _deviation(squares: Any, number: Any) -> Floats:
    """Return the sample standard deviations (n - 1), NaN for a single answer."""
    found = np.full(len(number), np.nan)
    np.divide(squares, number - 1, out=found, where=number > 1)
    return np.asarray(np.sqrt(found))
