from itertools import permutations
from math import comb

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from annotation.planning.errors import PlanningError
from annotation.planning.stacks import identical_stacks, random_stacks

SEEDS = st.integers(0, 2**32)
PAPER = {"tuples": 50, "stack_size": 9, "roles": 3}  # Czech News 4.2.2: N = 50, stacks of nine


def stacks(seed=0, **sizes):
    return random_stacks(**sizes, generator=np.random.default_rng(seed))


def sizes_of(chosen, roles):
    """How many validators each pair has, shape (tuples, roles)."""
    return np.array([np.bincount(column, minlength=roles) for column in chosen.T])


def possible_splits(forbidden, stack_size):
    """Every split of one tuple that gives nobody a forbidden pair, by trying all of them."""
    validators, roles = forbidden.shape
    splits = set(permutations(np.repeat(np.arange(roles), stack_size).tolist()))
    return {split for split in splits if not forbidden[np.arange(validators), split].any()}


def least_repeats(tuples, stack_size, roles):
    """Stacks that must repeat: the different ones can all be used up, split by split (Baranyai's theorem, 1975)."""
    return max(tuples * roles - comb(stack_size * roles, stack_size), 0)


@given(tuples=st.integers(1, 12), stack_size=st.integers(1, 6), roles=st.integers(1, 4), seed=SEEDS)
@settings(deadline=None)
def test_stacks_give_every_pair_its_validators(tuples, stack_size, roles, seed):
    chosen = stacks(seed, tuples=tuples, stack_size=stack_size, roles=roles)
    assert chosen.shape == (stack_size * roles, tuples)
    assert (sizes_of(chosen, roles) == stack_size).all()


def test_stacks_of_the_paper():
    # Czech News 4.2.2: 27 people with 50 pairs each are 150 pairs with nine people each.
    chosen = stacks(**PAPER)
    assert chosen.shape == (27, 50)
    assert sizes_of(chosen, 3).shape == (50, 3)
    assert (sizes_of(chosen, 3) == 9).all()


@pytest.mark.parametrize("seed", range(20))
def test_stacks_of_the_paper_are_all_different(seed):
    # 150 of C(27, 9) = 4,686,825 stacks: chance alone repeats one in a thousand plans or so; the paper has one in 1200.
    assert identical_stacks(stacks(seed, **PAPER), 3) == 0


@pytest.mark.parametrize(
    ("tuples", "stack_size", "roles"),
    [(1, 1, 3), (5, 1, 3), (3, 2, 2), (6, 2, 2), (10, 3, 2), (12, 3, 2), (4, 2, 3), (5, 2, 3), (8, 2, 3), (15, 3, 3)],
)
def test_stacks_repeat_no_more_than_the_numbers_force(tuples, stack_size, roles):
    found = {
        identical_stacks(stacks(seed, tuples=tuples, stack_size=stack_size, roles=roles), roles) for seed in range(20)
    }
    assert found == {least_repeats(tuples, stack_size, roles)}


def test_stacks_where_luck_finds_no_perfect_plan():
    # Seven splits of eight people into pairs use all 28 pairs once: few orders of drawing get there.
    found = [identical_stacks(stacks(seed, tuples=7, stack_size=2, roles=4), 4) for seed in range(20)]
    assert min(found) == least_repeats(7, 2, 4) == 0
    assert max(found) <= 2


def test_identical_stacks_counts_those_that_stood_before():
    chosen = np.array([[0, 0, 1], [0, 0, 1], [1, 1, 0], [1, 1, 0]])  # {1, 2} and {3, 4}, three times over
    assert identical_stacks(chosen, 2) == 4


@given(seed=SEEDS, share=st.floats(0, 0.5))
@settings(deadline=None)
def test_stacks_never_give_a_forbidden_pair(seed, share):
    generator = np.random.default_rng(seed)
    hidden = stacks(seed, **PAPER)
    forbidden = generator.random((27, 50, 3)) < share
    np.put_along_axis(forbidden, hidden[:, :, None], False, axis=2)
    chosen = random_stacks(**PAPER, forbidden=forbidden, generator=generator)
    assert not np.take_along_axis(forbidden, chosen[:, :, None], axis=2).any()
    assert (sizes_of(chosen, 3) == 9).all()


def test_stacks_with_one_possible_split_find_it():
    # Drawing would have to hit one of 27! / 9!^3 splits, fifty times.
    hidden = stacks(1, **PAPER)
    forbidden = np.ones((27, 50, 3), dtype=bool)
    np.put_along_axis(forbidden, hidden[:, :, None], False, axis=2)
    assert (random_stacks(**PAPER, forbidden=forbidden, generator=np.random.default_rng(2)) == hidden).all()


def test_stacks_of_people_who_met_one_pair_of_each_tuple():
    # As in R3 after R2: every validator has rated one pair of the first 30 tuples.
    met = np.zeros((27, 50, 3), dtype=bool)
    np.put_along_axis(met[:, :30], np.random.default_rng(3).integers(3, size=(27, 30, 1)), True, axis=2)
    chosen = random_stacks(**PAPER, forbidden=met, generator=np.random.default_rng(4))
    assert not np.take_along_axis(met, chosen[:, :, None], axis=2).any()
    assert identical_stacks(chosen, 3) == 0


@given(
    seed=SEEDS,
    sizes=st.sampled_from([(1, 2), (1, 3), (2, 2), (2, 3), (3, 2), (1, 4)]),
    share=st.sampled_from([0.2, 0.4, 0.6, 0.8]),
)
@settings(deadline=None)
def test_stacks_are_refused_exactly_where_no_split_exists(seed, sizes, share):
    stack_size, roles = sizes
    generator = np.random.default_rng(seed)
    forbidden = generator.random((stack_size * roles, 1, roles)) < share
    possible = possible_splits(forbidden[:, 0], stack_size)
    arguments = {"tuples": 1, "stack_size": stack_size, "roles": roles, "forbidden": forbidden, "generator": generator}
    if possible:
        assert tuple(random_stacks(**arguments)[:, 0].tolist()) in possible
    else:
        with pytest.raises(PlanningError, match="The pairs can't be split into"):
            random_stacks(**arguments)


@given(seed=SEEDS, tuples=st.integers(1, 6), other=SEEDS)
@settings(deadline=None)
def test_stacks_same_seed_same_plan(seed, tuples, other):
    assume(seed != other)
    sizes = {"tuples": tuples + 10, "stack_size": 9, "roles": 3}
    assert (stacks(seed, **sizes) == stacks(seed, **sizes)).all()
    assert (stacks(seed, **sizes) != stacks(other, **sizes)).any()
