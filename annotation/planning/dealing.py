"""Tuples dealt to people: everybody gets some, nobody one of them twice (SemRel2024 3.2; GiCCS, data annotation)."""

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from annotation.planning.errors import PlanningError

Hand = NDArray[np.int64]


def deal_tuples(tuples: NDArray[np.int64], *, people: int, answers: int, generator: np.random.Generator) -> list[Hand]:
    """A hand of tuples for each person, so that every tuple is in as many hands as it needs answers.

    Hands are equally large, or one larger. In a hand two tuples that follow each other share no item, as far as the
    hand allows it.

    Parameters: tuples, item indexes, shape (tuples, size); people and answers, counts.
    Returns: for each person the indexes of their tuples in the order of their screens.

    Raises:
        PlanningError: fewer people than answers are wanted, or more people than answers in all.
    """
    wanted = len(tuples) * answers
    if people < answers:
        raise PlanningError(f"Every tuple is answered by {answers} different people; {people} would be too few.")
    if people > wanted:
        raise PlanningError(f"{wanted} answers are wanted in all; {people} people would be too many.")
    ends = np.arange(1, people + 1) * wanted // people
    hands = np.split(_decks(len(tuples), answers, ends, generator), ends[:-1])
    members = [frozenset(row) for row in tuples.tolist()]
    return [np.array(keep_apart(hand.tolist(), members), dtype=np.int64) for hand in hands]


def _decks(size: int, copies: int, ends: NDArray[np.int64], generator: np.random.Generator) -> Hand:
    """Shuffled decks, one after the other; a hand that begins in one and ends in the next holds nothing twice."""
    dealt = generator.permutation(size)
    for copy in range(1, copies):
        border = copy * size
        end = int(ends[np.searchsorted(ends, border)])
        begun = dealt[max([0, *ends[ends <= border].tolist()[-1:]]) :]
        deck = generator.permutation(size)
        met = np.isin(deck, begun)
        first = deck[~met][: end - border]
        rest = deck[~np.isin(deck, first)]
        dealt = np.concatenate([dealt, first, rest])
    return dealt


def keep_apart(hand: Sequence[int], members: Sequence[frozenset[int]]) -> list[int]:
    """The hand in nearly its order, changed so that neighbours share no item; what fits nowhere stands at the end.

    Parameters: hand, tuple indexes; members, the items of each tuple.
    """
    ordered: list[int] = []
    waiting: list[int] = []
    for candidate in hand:
        _place(candidate, ordered, waiting, members)
        for earlier in list(waiting):
            if _fits(earlier, ordered[-1:], members):
                waiting.remove(earlier)
                ordered.append(earlier)
    return _work_in(waiting, ordered, members)


def _place(candidate: int, ordered: list[int], waiting: list[int], members: Sequence[frozenset[int]]) -> None:
    (ordered if _fits(candidate, ordered[-1:], members) else waiting).append(candidate)


def _work_in(waiting: list[int], ordered: list[int], members: Sequence[frozenset[int]]) -> list[int]:
    """Those that wait put among the others; each one that finds a place may make one for another."""
    left: list[int] = []
    while waiting != left:
        left, waiting = waiting, []
        for one in left:
            found = _inserted(one, ordered, members) or _turned(one, ordered, members)
            ordered = found or ordered
            waiting += [] if found else [one]
    return ordered + waiting


def _inserted(one: int, ordered: list[int], members: Sequence[frozenset[int]]) -> list[int] | None:
    """The order with one more between two that it fits beside."""
    for gap in range(len(ordered) + 1):
        if _fits(one, ordered[max(gap - 1, 0) : gap + 1], members):
            return [*ordered[:gap], one, *ordered[gap:]]
    return None


def _turned(one: int, ordered: list[int], members: Sequence[frozenset[int]]) -> list[int] | None:
    """The order with its end, or its beginning, turned round so that one more fits there."""
    for line in (ordered, ordered[::-1]):
        for last in range(len(line) - 1):
            if _fits(line[last], line[-1:], members) and _fits(one, line[last + 1 : last + 2], members):
                return [*line[: last + 1], *line[:last:-1], one]
    return None


def _fits(candidate: int, neighbours: Sequence[int], members: Sequence[frozenset[int]]) -> bool:
    return all(members[candidate].isdisjoint(members[neighbour]) for neighbour in neighbours)


def draw_rank(seed: int, position: int, given: int) -> int:
    """A tuple's place among those with as few answers: chance by seed, drawn anew with every answer."""
    return zlib.crc32(f"{seed} {position} {given}".encode()) >> 1


def draw_order(size: int, generator: np.random.Generator) -> str:
    """The order in which the items of a tuple are shown to one person: its places, as digits."""
    return "".join(map(str, generator.permutation(size) + 1))
