"""Tuples dealt to people: everybody gets some, nobody one of them twice, neighbours share nothing."""

import re
from collections import Counter
from decimal import Decimal
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from annotation.planning.dealing import deal_tuples, draw_order, draw_rank, keep_apart
from annotation.planning.errors import PlanningError
from annotation.planning.tuples import design_groups, design_tuples, search
from tests.properties import examples

SPACIOUS = 80  # items of a semrel design from which neighbours can always be kept apart


@pytest.fixture(autouse=True, scope="module")
def short_search():
    """How the tuples are dealt does not depend on how good their design is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "PATIENCE", 1)
        yield


def design(items, size=4, factor=2, seed=0):
    return design_tuples(items, size=size, factor=factor, generator=np.random.default_rng(seed))


def deal(tuples, people, answers, seed=0):
    return deal_tuples(tuples, people=people, answers=answers, generator=np.random.default_rng(seed))


def clashes(tuples, hand):
    """Neighbours in a hand that share an item."""
    return sum(bool(set(tuples[one]) & set(tuples[other])) for one, other in pairwise(hand))


@settings(max_examples=examples(0.8))
@given(
    items=st.integers(16, 40),
    size=st.integers(3, 8),
    factor=st.sampled_from([Decimal("0.75"), 1, Decimal("1.5"), 2]),
    answers=st.integers(1, 6),
    people=st.integers(1, 60),
    seed=st.integers(0, 2**32),
)
def test_every_tuple_is_in_as_many_hands_as_it_needs_answers(items, size, factor, answers, people, seed):
    tuples = design(items, size, factor)
    assume(answers <= people <= len(tuples) * answers)

    hands = deal(tuples, people, answers, seed)

    sizes = {len(hand) for hand in hands}
    assert len(hands) == people
    assert max(sizes) - min(sizes) <= 1
    assert all(len(set(hand.tolist())) == len(hand) for hand in hands)
    assert Counter(np.concatenate(hands).tolist()) == dict.fromkeys(range(len(tuples)), answers)


@settings(max_examples=examples(0.25))
@given(people=st.integers(4, 30), seed=st.integers(0, 2**32))
def test_the_same_seed_deals_the_same_hands(people, seed):
    tuples = design(20)

    first, again = (deal(tuples, people, 4, seed) for _ in range(2))

    assert [hand.tolist() for hand in first] == [hand.tolist() for hand in again]


def test_another_seed_deals_other_hands():
    tuples = design(20)

    assert len({deal(tuples, 4, 2, seed)[0].tobytes() for seed in range(20)}) == 20


@settings(max_examples=examples(0.25))
@given(items=st.integers(SPACIOUS, 200), answers=st.integers(1, 4), seed=st.integers(0, 2**32))
def test_neighbours_share_no_item_where_there_is_room(items, answers, seed):
    tuples = design(items, seed=seed)

    hands = deal(tuples, answers, answers, seed)  # each hand holds every tuple

    assert [clashes(tuples, hand) for hand in hands] == [0] * answers


def test_neighbours_share_no_item_in_any_hand_of_a_large_design():
    tuples = design(5_500)

    hands = deal(tuples, 440, 4) + deal(tuples, 4, 4)

    assert {clashes(tuples, hand) for hand in hands} == {0}


@pytest.mark.parametrize(("dialogues", "people"), [(2, 5), (6, 15), (60, 5), (60, 60)])
def test_neighbours_come_from_different_dialogues(dialogues, people):
    generator = np.random.default_rng(0)
    tuples = design_groups(np.repeat(np.arange(dialogues), 5), size=3, factor=2, generator=generator)

    hands = deal(tuples, people, 5)

    assert {clashes(tuples, hand) for hand in hands} == {0}  # any two tuples of one dialogue share an utterance


def test_neighbours_share_as_little_as_a_small_hand_allows():
    tuples = design(24)

    shared = [clashes(tuples, hand) for seed in range(10) for hand in deal(tuples, 8, 2, seed)]

    assert sum(shared) <= 15  # of 880 neighbours


@pytest.mark.parametrize(
    ("members", "hand", "expected"),
    [
        (["ab", "cd", "ef"], [0, 1, 2], [0, 1, 2]),  # nothing to change
        (["ab", "ac", "de"], [0, 1, 2], [0, 2, 1]),  # one waits for the next
        (["ab", "de", "ac", "ad"], [0, 2, 1, 3], [0, 1, 2, 3]),  # what fits nowhere stands at the end
        (["ab", "cd", "de", "ac"], [0, 1, 2, 3], [3, 2, 0, 1]),  # put in where it fits
        (["ap", "bq", "ar", "cs", "ac"], [0, 1, 2, 3, 4], [0, 3, 2, 1, 4]),  # the end turned round
        ([], [], []),
    ],
)
def test_keep_apart_changes_what_it_must(members, hand, expected):
    assert keep_apart(hand, [frozenset(one) for one in members]) == expected


@pytest.mark.parametrize(
    ("people", "reason"),
    [
        (3, "Too few people (3): each tuple is answered by 4 different people."),
        (81, "Too many people (81): the plan needs only 80 answers in all."),
    ],
)
def test_too_few_or_too_many_people_are_refused(people, reason):
    with pytest.raises(PlanningError, match=re.escape(reason)):
        deal(design(10), people, 4)


def test_rank_is_drawn_anew_with_every_answer_and_seed():
    ranks = {draw_rank(seed, position, given) for seed in range(5) for position in range(20) for given in range(5)}

    assert len(ranks) == 500
    assert max(ranks) < 2**31
    assert draw_rank(1, 2, 3) == draw_rank(1, 2, 3)


def test_order_is_every_place_once_in_any_order():
    generator = np.random.default_rng(0)

    orders = {draw_order(3, generator) for _ in range(100)}

    assert orders == {"123", "132", "213", "231", "312", "321"}
