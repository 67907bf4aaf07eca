"""Disagreement of annotators in best-worst choices."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from scoring.stats.choices import Choices, Floats, Integers

MAXIMUM_DENOMINATOR = 10**6  # the largest denominator of a share


@dataclass(frozen=True, eq=False)
class TupleDisagreement:
    """Entropy, in bits, of the best and of the worst choices of each tuple, shapes (tuples,).

    NaN for a tuple judged once or never: a single judgment cannot disagree.
    """

    best: Floats
    worst: Floats


@dataclass(frozen=True)
class StrongAgreement:
    """Shares of the tuples judged at least twice, from 0 to 1; NaN if there are none.

    tuples: how many were judged. single: how many of them were judged once, and are left out.
    """

    best: float
    worst: float
    tuples: int
    single: int


def tuple_disagreement(choices: Choices) -> TupleDisagreement:
    """Return - sum p log2 p over the items chosen in a tuple: 0 if all agree, 2 bits if four items have equal shares.

    SemRel2024 3.2 takes disagreement about a tuple as a sign that its items are close.
    """
    return TupleDisagreement(_entropies(choices, choices.best), _entropies(choices, choices.worst))


def item_disagreement(choices: Choices, entropies: Floats) -> Floats:
    """Return the mean entropy of the tuples that each item occurs in, shape (items,).

    Tuples without an entropy are left out; NaN for an item of which none is left.

    An item that keeps occurring in disputed tuples is likely their source (SemRel2024 3.2).

    Parameters: entropies, shape (tuples,), of the best or the worst choices.
    """
    rows, shown = choices.shown()
    occurrences = np.unique(choices.keys(shown, rows))
    occurrences = occurrences[~np.isnan(entropies[occurrences // choices.number])]
    tuples, items = occurrences // choices.number, occurrences % choices.number
    sums = np.bincount(items, weights=entropies[tuples], minlength=choices.number)
    counts = np.bincount(items, minlength=choices.number)
    return np.asarray(np.divide(sums, counts, out=np.full(choices.number, np.nan), where=counts > 0))


def strong_agreement(choices: Choices, share: float = 0.8) -> StrongAgreement:
    """Return the share of tuples in which at least `share` of the judgments chose the same item (GiCCS: four of five).

    A single judgment agrees with itself, so tuples judged once are left out. GiCCS prints 99 % for best and 100 % for
    worst of BAS SmartKom, 3-turn.

    Raises:
        ValueError: there are no judgments, or the share is not above 0 and up to 1.
    """
    if not choices.judgments or not 0 < share <= 1:
        raise ValueError("Strong agreement needs at least one judgment and a share greater than 0 and at most 1.")
    sizes = np.bincount(choices.tuples)
    shared = sizes > 1
    # As a fraction, since 0.07 of 100 judgments is 7 without a rounding error; a short one, as integers may overflow.
    needed = Fraction(repr(float(share))).limit_denominator(MAXIMUM_DENOMINATOR)
    agreeing = [
        float((largest[shared] * needed.denominator >= sizes[shared] * needed.numerator).mean())
        if shared.any()
        else float("nan")
        for largest in (_largest_counts(choices, choices.best), _largest_counts(choices, choices.worst))
    ]
    return StrongAgreement(agreeing[0], agreeing[1], int((sizes > 0).sum()), int((sizes == 1).sum()))


def _chosen_counts(choices: Choices, chosen: Integers) -> tuple[Integers, Integers]:
    """Return tuple and count of each item chosen in a tuple, shapes (chosen items,), in the order of tuples."""
    keys, counts = np.unique(choices.keys(chosen), return_counts=True)
    return keys // choices.number, counts


def _largest_counts(choices: Choices, chosen: Integers) -> Integers:
    tuples, counts = _chosen_counts(choices, chosen)
    largest = np.zeros(choices.tuple_number, np.int64)
    np.maximum.at(largest, tuples, counts)
    return largest


def _entropies(choices: Choices, chosen: Integers) -> Floats:
    tuples, counts = _chosen_counts(choices, chosen)
    sizes = np.bincount(choices.tuples)
    shares = counts / sizes[tuples]
    entropies = np.bincount(tuples, weights=-shares * np.log2(shares), minlength=choices.tuple_number)
    return np.where(sizes > 1, np.abs(entropies), np.nan)
