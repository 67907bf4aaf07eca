"""Pairwise comparisons, collected directly or implied by best-worst choices."""

from dataclasses import dataclass

import numpy as np

from scoring.stats.choices import NO_ITEM, Choices, Integers


@dataclass(frozen=True, eq=False)
class Pairs:
    """How often either item of a pair was preferred; shapes (pairs,), first < second, every pair once, in order.

    number: how many items there are.
    """

    first: Integers
    second: Integers
    first_wins: Integers
    second_wins: Integers
    number: int


def count_pairs(winners: Integers, losers: Integers, number: int) -> Pairs:
    """Collect comparisons, shapes (comparisons,), of items numbered from 0 to number - 1.

    Raises:
        ValueError: an item is out of range, or compared with itself.
    """
    if len(winners) and (min(winners.min(), losers.min()) < 0 or max(winners.max(), losers.max()) >= number):
        raise ValueError(f"Items must be numbered from 0 to {number - 1}.")
    if (winners == losers).any():
        raise ValueError("An item cannot be compared with itself.")
    keys = np.minimum(winners, losers).astype(np.int64)
    keys *= number
    keys += np.maximum(winners, losers)
    keys *= 2
    keys += winners > losers
    kinds, counts = np.unique(keys, return_counts=True)
    pairs, second_won = kinds // 2, kinds % 2 == 1
    starts = np.flatnonzero(np.diff(pairs, prepend=-1))
    first_wins, second_wins = (
        np.add.reduceat(np.where(won, counts, 0), starts) if len(starts) else counts
        for won in (~second_won, second_won)
    )
    return Pairs(pairs[starts] // number, pairs[starts] % number, first_wins, second_wins, number)


def implied_pairs(choices: Choices) -> Pairs:
    """Return best over every other item shown, and every other over worst: five pairs of a 4-tuple (SemRel2024 3.2).

    Raises:
        ValueError: a judgment is not valid, see `Choices.valid`.
    """
    if not choices.valid.all():
        raise ValueError("A judgment with a repeated item, or with the same item as best and worst, implies no pairs.")
    best, worst, shown = choices.best[:, None], choices.worst[:, None], choices.items
    beaten = (shown != NO_ITEM) & (shown != best)
    between = beaten & (shown != worst)
    winners = np.concatenate([np.broadcast_to(best, shown.shape)[beaten], shown[between]])
    losers = np.concatenate([shown[beaten], np.broadcast_to(worst, shown.shape)[between]])
    return count_pairs(winners, losers, choices.number)
