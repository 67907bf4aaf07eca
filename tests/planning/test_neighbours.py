"""The next tuples of an adaptive round."""

from math import comb

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from annotation.planning.errors import PlanningError
from annotation.planning.tuples import certificate, design_tuples
from annotation.planning.tuples.neighbours import next_tuples

ITEMS = 200


def first_wave(items: int = ITEMS, size: int = 4, seed: int = 1) -> np.ndarray:
    return design_tuples(items, size=size, factor=1, generator=np.random.default_rng(seed))


def further(existing: np.ndarray, utilities: np.ndarray, number: int, *, seed: int = 2, **settings) -> np.ndarray:
    errors, limits = np.full(len(utilities), 0.2), {"together": 2} | settings
    return next_tuples(existing, utilities, errors, number=number, generator=np.random.default_rng(seed), **limits)


@given(
    st.integers(60, 150),
    st.integers(3, 5),
    st.floats(0.3, 1.5),
    st.integers(1, 3),
    st.integers(0, 2**32),
    st.booleans(),
)
@settings(max_examples=15, deadline=None)
def test_next_tuples_keep_the_properties_of_the_design(items, size, factor, together, seed, ties):
    # Not all pairs can be used: a design that needs more than a third of them may be refused.
    assume(3 * (1 + factor) * items * comb(size, 2) <= together * comb(items, 2))
    existing = first_wave(items, size, seed)
    utilities = np.zeros(items) if ties else np.random.default_rng(seed).normal(size=items)
    new = further(existing, utilities, round(factor * items), together=together, seed=seed)
    found = certificate(np.concatenate([existing, new]), items)

    assert new.shape == (round(factor * items), size)
    assert found.appearances_max - found.appearances_min <= 1
    assert (found.items_twice, found.tuples_twice) == (0, 0)
    assert max(found.pairs_together) <= together
    assert found.connected


def test_items_meet_others_with_similar_scores():
    utilities = np.random.default_rng(3).permutation(np.linspace(-3, 3, ITEMS))
    existing = first_wave()
    new = further(existing, utilities, ITEMS)

    assert np.ptp(utilities[new], axis=1).mean() < 0.2 * np.ptp(utilities[existing], axis=1).mean()


def test_the_seed_repeats_the_tuples_and_another_seed_does_not():
    utilities, existing = np.random.default_rng(3).normal(size=ITEMS), first_wave()

    assert (further(existing, utilities, 80) == further(existing, utilities, 80)).all()
    assert (further(existing, utilities, 80) != further(existing, utilities, 80, seed=5)).any()


def test_items_with_fewer_appearances_get_more():
    existing = first_wave()
    existing = existing[~(existing == 7).any(axis=1)]
    new = further(existing, np.random.default_rng(3).normal(size=ITEMS), 2 * ITEMS)
    appearances = np.bincount(np.concatenate([existing, new]).ravel())

    assert np.ptp(appearances) <= 1


def test_shares_of_appearances_are_met_within_one():
    utilities = np.random.default_rng(3).normal(size=ITEMS)
    shares = np.where(utilities > 0, 2.0, 1.0)
    existing = first_wave()
    new = further(existing, utilities, 3 * ITEMS, shares=shares, together=6)
    appearances = np.bincount(np.concatenate([existing, new]).ravel())

    assert np.abs(appearances - shares / shares.sum() * appearances.sum()).max() <= 1


def test_too_many_tuples_for_the_limit_are_refused():
    with pytest.raises(PlanningError, match="may share 1 tuples"):
        further(first_wave(20), np.zeros(20), 40, together=1)


def test_no_tuple_is_repeated_where_items_keep_meeting():
    """Four of the items are far above the others: without a check, they would be the same tuple again and again."""
    utilities = np.repeat([0.0, 5.0, 9.0], 4)
    existing = first_wave(12, 4)
    new = next_tuples(existing, utilities, np.zeros(12), number=9, together=8, generator=np.random.default_rng(1))

    assert certificate(np.concatenate([existing, new]), 12).tuples_twice == 0
