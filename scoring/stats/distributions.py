"""The distribution of the answers to each item: counts, soft labels, entropy, spread, and whether people disagree."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from scoring.stats.choices import Choices
from scoring.stats.context import benjamini_hochberg
from scoring.stats.dip import dip, p_of_dip, spread_ties

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
MOST_LEVELS = 21
FEWEST = 5  # judgments of an item that is tested, or called contested or not
LEVEL = 0.05  # the false discovery rate of the bimodality test
PRIOR_WEIGHT = 1.0  # judgments that the prior of a smoothed soft label counts for, all levels together
CHOSEN = ("best", "middle", "worst")
"""The names of the levels of best-worst choices."""
DECIMALS = 9  # to which the place on a scale is rounded, so that 0.3 / 0.1 is 3


@dataclass(frozen=True)
class Levels:
    """The values of a scale, or 21 bins of equal width where it has more values.

    number: how many there are. width: of a bin, or the step between two values. first: the first value, or the middle
    of the first bin. binned: whether they are bins.
    """

    number: int
    width: float
    first: float
    binned: bool

    @classmethod
    def of(cls, minimum: float, maximum: float, step: float) -> "Levels":
        """Return the levels of a scale from minimum to maximum.

        Raises:
            ValueError: the scale has no length, or the step is not above 0.
        """
        if not (maximum > minimum and step > 0):
            raise ValueError("The levels of a scale need a maximum above the minimum and a step above 0.")
        values = round((maximum - minimum) / step) + 1
        if values <= MOST_LEVELS:
            return cls(values, step, minimum, False)
        width = (maximum - minimum) / MOST_LEVELS
        return cls(MOST_LEVELS, width, minimum + width / 2, True)

    @property
    def values(self) -> Floats:
        """Return the value of each level, or the middle of each bin, shape (levels,)."""
        return np.asarray(self.first + self.width * np.arange(self.number), dtype=np.float64)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the name of each level: its value, or the middle of its bin, with up to four decimals."""
        return tuple(f"{value:.4f}".rstrip("0").rstrip(".") for value in (self.values + 0.0).tolist())

    def index(self, values: Floats) -> Integers:
        """Return the level of each value, from 0; a value between two bins is in the upper one."""
        places = np.round((values - self.first) / self.width, DECIMALS)
        nearest = np.floor(places + 0.5) if self.binned else np.rint(places)
        return np.clip(nearest, 0, self.number - 1).astype(np.int64)


def level_counts(levels: Levels, items: Integers, values: Floats, number: int) -> Integers:
    """Return how often each level was answered for each item, shape (number, levels).

    Parameters: items, from 0 to number - 1, and values, shape (ratings,).
    """
    keys = items * levels.number + levels.index(values)
    return np.bincount(keys, minlength=number * levels.number).reshape(number, levels.number).astype(np.int64)


def choice_counts(choices: Choices) -> Integers:
    """Return how often each item was best, neither, and worst, shape (items, 3), in choices that are valid."""
    valid = choices.keep(choices.valid)
    best, worst, shown = (
        np.bincount(items, minlength=choices.number) for items in (valid.best, valid.worst, valid.shown()[1])
    )
    return np.stack([best, shown - best - worst, worst], axis=1).astype(np.int64)


def soft_labels(counts: Integers, weight: float = 0.0) -> Floats:
    """Return the share of each level, shape (items, levels); NaN for an item without judgments if the weight is 0.

    With a weight, it is the mean of the posterior of a Dirichlet prior that counts for so many judgments, spread evenly
    over the levels: (n_k + w / K) / (n + w). With w = 1 it is the prior of Perks (1947), and no share is 0.
    """
    raised = counts + weight / counts.shape[1]
    sums = raised.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(raised, sums, out=np.full(raised.shape, np.nan), where=sums > 0))


def normalised_entropy(counts: Integers) -> Floats:
    """Return - sum p log p / log K of the shares of K levels: 0 if all answers agree, 1 if all levels are equally
    frequent; shape (items,). NaN for an item judged once or never, since a single judgment cannot disagree."""
    shares = soft_labels(counts)
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    entropies = np.abs((np.nan_to_num(shares) * logs).sum(axis=1)) / np.log(counts.shape[1])
    return np.where(counts.sum(axis=1) > 1, entropies, np.nan)


@dataclass(frozen=True, eq=False)
class Bimodality:
    """The dip of each item's answers, its p-value, and the p-value adjusted for the number of items; shapes (items,).

    NaN for an item with fewer than five judgments.
    """

    dips: Floats
    p_values: Floats
    adjusted: Floats


def bimodality(answers: Sequence[Sequence[float] | Floats], step: float) -> Bimodality:
    """Test for each item whether its answers have one mode (Hartigan's dip test), and adjust by Benjamini-Hochberg.

    Parameters: answers of each item; step of the scale, over which equal answers are spread (`spread_ties`).
    """
    tested = [len(own) >= FEWEST for own in answers]
    dips = np.array(
        [dip(spread_ties(own, step)) if enough else np.nan for own, enough in zip(answers, tested, strict=True)],
        dtype=np.float64,
    )
    p_values = np.array(
        [
            p_of_dip(found, len(own)) if enough else np.nan
            for found, own, enough in zip(dips.tolist(), answers, tested, strict=True)
        ],
        dtype=np.float64,
    )
    return Bimodality(dips, p_values, benjamini_hochberg(p_values))


def even_deviation(minimum: float, maximum: float, step: float) -> float:
    """Return the standard deviation of answers that are spread evenly over all values of a scale."""
    values = round((maximum - minimum) / step) + 1
    return step * sqrt((values**2 - 1) / 12)


def contested_ratings(number: Integers, deviations: Floats, adjusted: Floats, even: float) -> Floats:
    """Return which items people disagree about: 1 or 0, NaN for one with fewer than five judgments; shape (items,).

    An item is contested if its answers deviate at least as much as answers spread evenly over the whole scale, or if
    they have more than one mode at a false discovery rate of 5 %.

    Parameters: judgments, standard deviations (n - 1) and adjusted p-values of the items; even, `even_deviation`.
    """
    with np.errstate(invalid="ignore"):
        contested = (deviations >= even) | (adjusted <= LEVEL)
    return np.where(number >= FEWEST, contested.astype(np.float64), np.nan)


def contested_choices(choices: Choices, counts: Integers) -> Floats:
    """Return which items people disagree about: 1 or 0, NaN for one shown fewer than five times; shape (items,).

    An item is contested if it was best and was worst, each at least as often as by chance: once in as many screens as
    items were shown on them. An item that all find middling is best or worst only among others of its kind, half as
    often or less.

    Parameters: counts, as `choice_counts` returns them.
    """
    valid = choices.keep(choices.valid)
    rows, items = valid.shown()
    sizes = np.bincount(rows, minlength=valid.judgments)
    by_chance = np.bincount(items, weights=1 / sizes[rows], minlength=choices.number)
    contested = np.minimum(counts[:, 0], counts[:, 2]) >= np.round(by_chance, DECIMALS)
    return np.where(counts.sum(axis=1) >= FEWEST, contested.astype(np.float64), np.nan)
