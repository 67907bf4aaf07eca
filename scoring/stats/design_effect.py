"""How much scores by counting vary, compared with scores of independent and equal appearances."""

import numpy as np

from scoring.stats.choices import Choices, Floats, Integers


def design_effect(choices: Choices, *, of_tuples: bool = True) -> float:
    """Return the variance of scores by counting divided by that of independent appearances (Kish 1965).

    Two things make these differ. An item in tuples with easier and harder others varies less: its chance of being best
    is not the same in all of them. So what the others' scores explain is taken out of each appearance, by a regression
    within items on the mean score of the other items, without this judgment. And choices of one person may depend on
    each other: residuals are summed by person before they are squared, times G / (G - 1) for the G people who judged
    the item. Both variances are sums over all items, so that the effect is one number.

    Parameters: of_tuples, whether to take out what the other items explain; otherwise the effect is that of people.
    Returns: 1 if nothing varies within items; without annotators, each judgment is a person of its own.
    """
    rows, items = choices.shown()
    marks = (choices.best[rows] == items).astype(np.float64) - (choices.worst[rows] == items)
    number = choices.number
    shown, totals = np.bincount(items, minlength=number), np.bincount(items, marks, number)
    off = marks - (totals / np.maximum(shown, 1))[items]
    left = off
    if of_tuples:
        left = off - _explained(rows, items, (totals[items] - marks) / np.maximum(shown[items] - 1, 1), off)
    people = rows if choices.annotators is None else choices.annotators[rows]
    units, place = np.unique(people.astype(np.int64) * number + items, return_inverse=True)
    own, sums = units % number, np.bincount(place, left)
    judged = np.bincount(own, minlength=number)
    several = (judged > 1)[own]
    varied = (sums**2 * _unbiased(judged)[own] / shown[own] ** 2)[several].sum()
    alone = (off**2 * _unbiased(shown)[items] / shown[items] ** 2)[(judged > 1)[items]].sum()
    return float(varied / alone) if alone > 0 and varied > 0 else 1.0


def _unbiased(number: Integers) -> Floats:
    return np.asarray(number / np.maximum(number - 1, 1))


def _explained(rows: Integers, items: Integers, scores: Floats, off: Floats) -> Floats:
    """Return what the mean score of the other items of the judgment explains of each appearance, within items."""
    sums, sizes = np.bincount(rows, scores)[rows], np.bincount(rows)[rows]
    others = (sums - scores) / np.maximum(sizes - 1, 1)
    others = others - (np.bincount(items, others) / np.maximum(np.bincount(items), 1))[items]
    spread = float(others @ others)
    return others * (others @ off / spread) if spread > 0 else np.zeros(len(off))
