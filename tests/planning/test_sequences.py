import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.planning.errors import PlanningError
from annotation.planning.stacks import disjoint_sequences, overlapping_roles

SEEDS = st.integers(0, 2**32)


@given(tuples=st.integers(1, 40), groups=st.integers(1, 5), roles=st.integers(1, 5), seed=SEEDS)
def test_sequences_of_a_group_are_disjoint_and_cover_every_pair(tuples, groups, roles, seed):
    chosen = disjoint_sequences(
        tuples=tuples, validators=groups * roles, roles=roles, generator=np.random.default_rng(seed)
    )
    assert chosen.shape == (groups * roles, tuples)
    for group in chosen.reshape(groups, roles, tuples):
        assert (np.sort(group, axis=0) == np.arange(roles)[:, None]).all()


@given(seed=SEEDS)
def test_sequences_same_seed_same_plan(seed):
    one, other = (
        disjoint_sequences(tuples=30, validators=3, roles=3, generator=np.random.default_rng(seed)) for _ in range(2)
    )
    assert (one == other).all()


def test_sequences_differ_between_seeds():
    plans = {
        disjoint_sequences(tuples=30, validators=3, roles=3, generator=np.random.default_rng(seed)).tobytes()
        for seed in range(20)
    }
    assert len(plans) == 20


@given(tuples=st.integers(1, 30), groups=st.integers(1, 4), roles=st.integers(2, 5), seed=SEEDS, data=st.data())
def test_pairs_of_the_overlap_are_rated_by_two_validators_of_the_group(tuples, groups, roles, seed, data):
    overlap, generator = data.draw(st.integers(1, tuples)), np.random.default_rng(seed)
    chosen = disjoint_sequences(tuples=tuples, validators=groups * roles, roles=roles, generator=generator)

    drawn, second = overlapping_roles(chosen, overlap=overlap, roles=roles, generator=generator)

    assert len(np.unique(drawn)) == overlap and (np.sort(drawn) == drawn).all()
    assert second.shape == (groups * roles, overlap)
    assert (second != chosen[:, drawn]).all()  # nobody rates a pair twice
    for group in second.reshape(groups, roles, overlap):
        assert (np.sort(group, axis=0) == np.arange(roles)[:, None]).all()


def test_sequences_refuse_broken_groups():
    with pytest.raises(PlanningError, match=r"validators \(4\) must be a multiple of 3"):
        disjoint_sequences(tuples=30, validators=4, roles=3, generator=np.random.default_rng(0))
