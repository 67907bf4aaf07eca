"""How many people an open round takes, by the rule by which it gives out its items: fewest answers first."""

from hypothesis import given
from hypothesis import strategies as st

from annotation.planning.amounts import people_needed
from annotation.planning.dealing import draw_rank


def come_one_after_the_other(things: int, answers: int, most: int | None, seed: int) -> list[list[int]]:
    """What each person judges, if each takes all that they may before the next one comes."""
    given_to = [0] * things
    hands = []
    for _person in range(people_needed(things, answers, most)):
        hand: list[int] = []
        while len(hand) < (most or things):
            free = [thing for thing in range(things) if given_to[thing] < answers and thing not in hand]
            if not free:
                break
            taken = min(free, key=lambda thing: (given_to[thing], draw_rank(seed, thing, given_to[thing])))
            given_to[taken] += 1
            hand.append(taken)
        hands.append(hand)
    return hands


@given(
    things=st.integers(1, 25),
    answers=st.integers(1, 8),
    most=st.none() | st.integers(1, 30),
    seed=st.integers(0, 1000),
)
def test_the_people_needed_give_every_thing_its_answers_and_nobody_is_too_many(things, answers, most, seed):
    hands = come_one_after_the_other(things, answers, most, seed)

    judged = [thing for hand in hands for thing in hand]
    assert all(judged.count(thing) == answers for thing in range(things))
    assert all(hand and len(set(hand)) == len(hand) <= (most or things) for hand in hands)
    assert len(hands) >= answers


def test_nothing_needs_nobody():
    assert people_needed(0, 5, 10) == 0
