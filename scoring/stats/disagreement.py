"""Where annotators disagree in best-worst choices."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from scoring.stats.choices import Choices, Floats, Integers

MOST_PARTS = 10**6  # a share has at most so many


@dataclass(frozen=True, eq=False)
class TupleDisagreement:
    """Entropy, in bits, of the best and of the worst choices of each tuple, shapes (tuples,); NaN without judgments."""

    best: Floats
    worst: Floats


@dataclass(frozen=True)
class StrongAgreement:
    """Shares of tuples, from 0 to 1. single: how many of the tuples have one judgment, which agrees with itself."""

    best: float
    worst: float
    tuples: int
    single: int


def tuple_disagreement(choices: Choices) -> TupleDisagreement:
    """- sum p log2 p over the items chosen in a tuple: 0 where all agree, 2 bits where four items have equal shares.

    SemRel2024 3.2 takes disagreement about a tuple as a sign that its items are close.
    """
    return TupleDisagreement(_entropies(choices, choices.best), _entropies(choices, choices.worst))


def item_disagreement(choices: Choices, entropies: Floats) -> Floats:
    """Mean entropy of the tuples that each item occurs in, shape (items,); NaN for an item that was never shown.

    An item that keeps occurring in disputed tuples is likely their source (SemRel2024 3.2).

    Parameters: entropies, shape (tuples,), of the best or the worst choices.
    """
    rows, shown = choices.shown()
    occurrences = np.unique(choices.tuples[rows] * choices.number + shown)
    tuples, items = occurrences // choices.number, occurrences % choices.number
    sums = np.bincount(items, weights=entropies[tuples], minlength=choices.number)
    counts = np.bincount(items, minlength=choices.number)
    return np.asarray(np.divide(sums, counts, out=np.full(choices.number, np.nan), where=counts > 0))


def strong_agreement(choices: Choices, share: float = 0.8) -> StrongAgreement:
    """Share of tuples in which at least `share` of the judgments chose the same item (GiCCS: four of five).

    GiCCS prints 99 % for best and 100 % for worst of BAS SmartKom, 3-turn.

    Raises:
        ValueError: no judgments, or a share outside of 0 to 1.
    """
    if not choices.judgments or not 0 < share <= 1:
        raise ValueError("Strong agreement needs judgments and a share above 0 and up to 1.")
    sizes = np.bincount(choices.tuples)
    judged = sizes > 0
    # As a fraction, for 0.07 of 100 judgments is 7 and no rounding error more; a short one, for integers run over.
    needed = Fraction(repr(float(share))).limit_denominator(MOST_PARTS)
    agreeing = [
        (most[judged] * needed.denominator >= sizes[judged] * needed.numerator).mean()
        for most in (_most_chosen(choices, choices.best), _most_chosen(choices, choices.worst))
    ]
    return StrongAgreement(float(agreeing[0]), float(agreeing[1]), int(judged.sum()), int((sizes == 1).sum()))


def _chosen_counts(choices: Choices, chosen: Integers) -> tuple[Integers, Integers]:
    """Tuple and count of each item chosen in a tuple, shapes (chosen items,), in the order of tuples."""
    keys, counts = np.unique(choices.tuples * choices.number + chosen, return_counts=True)
    return keys // choices.number, counts


def _most_chosen(choices: Choices, chosen: Integers) -> Integers:
    tuples, counts = _chosen_counts(choices, chosen)
    most = np.zeros(choices.tuple_number, np.int64)
    np.maximum.at(most, tuples, counts)
    return most


def _entropies(choices: Choices, chosen: Integers) -> Floats:
    tuples, counts = _chosen_counts(choices, chosen)
    sizes = np.bincount(choices.tuples)
    shares = counts / sizes[tuples]
    entropies = np.bincount(tuples, weights=-shares * np.log2(shares), minlength=choices.tuple_number)
    return np.where(sizes > 0, np.abs(entropies), np.nan)
