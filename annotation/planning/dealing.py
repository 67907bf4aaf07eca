"""Dealing tuples to people: everybody gets some, nobody gets a tuple twice (SemRel2024 3.2; GiCCS, data annotation)."""

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from annotation.planning.errors import PlanningError

Hand = NDArray[np.int64]


def deal_tuples(tuples: NDArray[np.int64], *, people: int, answers: int, generator: np.random.Generator) -> list[Hand]:
    """Return a hand of tuples for each person, so that every tuple is in as many hands as it needs answers.

    Hands are equally large, or one larger. In a hand two tuples that follow each other share no item, as far as the
    hand allows it.

    Parameters: tuples, item indexes, shape (tuples, size); people and answers, counts.
    Returns: for each person the indexes of their tuples in the order of their screens.

    Raises:
        PlanningError: there are fewer people than answers per tuple, or more people than answers in all.
    """
    wanted = len(tuples) * answers
    if people < answers:
        raise PlanningError(
            "Too few people (%(people)s): each tuple is answered by %(answers)s different people.",
            answers=answers,
            people=people,
        )
    if people > wanted:
        raise PlanningError(
            "Too many people (%(people)s): the plan needs only %(wanted)s answers in all.",
            wanted=wanted,
            people=people,
        )
    ends = np.arange(1, people + 1) * wanted // people
    hands = np.split(_decks(len(tuples), answers, ends, generator), ends[:-1])
    members = [frozenset(row) for row in tuples.tolist()]
    return [np.array(keep_apart(hand.tolist(), members), dtype=np.int64) for hand in hands]


def _decks(size: int, copies: int, ends: NDArray[np.int64], generator: np.random.Generator) -> Hand:
    """Return shuffled decks in sequence; a hand that begins in one and ends in the next holds nothing twice."""
    dealt = generator.permutation(size)
    for copy in range(1, copies):
        border = copy * size
        end = int(ends[np.searchsorted(ends, border)])
        unfinished = dealt[max([0, *ends[ends <= border].tolist()[-1:]]) :]
        deck = generator.permutation(size)
        repeated = np.isin(deck, unfinished)
        first = deck[~repeated][: end - border]
        rest = deck[~np.isin(deck, first)]
        dealt = np.concatenate([dealt, first, rest])
    return dealt


def keep_apart(hand: Sequence[int], members: Sequence[frozenset[int]]) -> list[int]:
    """Return the hand in nearly its order, changed so that neighbours share no item; what fits nowhere comes last.

    Parameters: hand, tuple indexes; members, the items of each tuple.
    """
    ordered: list[int] = []
    postponed: list[int] = []
    for candidate in hand:
        _place(candidate, ordered, postponed, members)
        for earlier in list(postponed):
            if _fits(earlier, ordered[-1:], members):
                postponed.remove(earlier)
                ordered.append(earlier)
    return _insert_postponed(postponed, ordered, members)


def _place(candidate: int, ordered: list[int], postponed: list[int], members: Sequence[frozenset[int]]) -> None:
    (ordered if _fits(candidate, ordered[-1:], members) else postponed).append(candidate)


def _insert_postponed(postponed: list[int], ordered: list[int], members: Sequence[frozenset[int]]) -> list[int]:
    """Return the order with the postponed tuples inserted; each one that finds a place may make one for another."""
    previous: list[int] = []
    while postponed != previous:
        previous, postponed = postponed, []
        for candidate in previous:
            found = _insert(candidate, ordered, members) or _reverse_to_fit(candidate, ordered, members)
            ordered = found or ordered
            postponed += [] if found else [candidate]
    return ordered + postponed


def _insert(candidate: int, ordered: list[int], members: Sequence[frozenset[int]]) -> list[int] | None:
    """Return the order with the tuple inserted between two that it shares no item with; None if there are none."""
    for gap in range(len(ordered) + 1):
        if _fits(candidate, ordered[max(gap - 1, 0) : gap + 1], members):
            return [*ordered[:gap], candidate, *ordered[gap:]]
    return None


def _reverse_to_fit(candidate: int, ordered: list[int], members: Sequence[frozenset[int]]) -> list[int] | None:
    """Return the order with its end, or its beginning, reversed so that the tuple fits there; None if it cannot."""
    for line in (ordered, ordered[::-1]):
        for last in range(len(line) - 1):
            if _fits(line[last], line[-1:], members) and _fits(candidate, line[last + 1 : last + 2], members):
                return [*line[: last + 1], *line[:last:-1], candidate]
    return None


def _fits(candidate: int, neighbours: Sequence[int], members: Sequence[frozenset[int]]) -> bool:
    return all(members[candidate].isdisjoint(members[neighbour]) for neighbour in neighbours)


def draw_rank(seed: int, position: int, answers: int) -> int:
    """Return a tuple's rank among those with equally few answers: random by seed, drawn again with every answer."""
    return zlib.crc32(f"{seed} {position} {answers}".encode()) >> 1


def draw_order(size: int, generator: np.random.Generator) -> str:
    """Return the order in which the items of a tuple are shown to one person: its places, as digits."""
    return "".join(map(str, generator.permutation(size) + 1))
