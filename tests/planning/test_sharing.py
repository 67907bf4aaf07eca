import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.planning.errors import PlanningError
from annotation.planning.sharing import deal_incidents, shared_out


def deal(incidents, people, per_person, seed=0):
    return deal_incidents(incidents, people=people, per_person=per_person, generator=np.random.default_rng(seed))


@given(people=st.integers(0, 10), per_person=st.integers(1, 6), spare=st.integers(0, 10), seed=st.integers(0, 2**32))
def test_incidents_go_to_one_person_only(people, per_person, spare, seed):
    incidents = np.arange(1000, 1000 + people * per_person + spare)
    dealt = deal(incidents, people, per_person, seed)
    assert dealt.shape == (people, per_person)
    assert len(np.unique(dealt)) == people * per_person
    assert np.isin(dealt, incidents).all()
    assert (dealt == deal(incidents, people, per_person, seed)).all()


def test_incidents_are_dealt_at_random():
    assert len({deal(np.arange(30), 5, 6, seed).tobytes() for seed in range(20)}) == 20


def test_incidents_too_few():
    with pytest.raises(PlanningError, match="3 people with 6 incidents each need 18 incidents"):
        deal(np.arange(17), 3, 6)


@given(sizes=st.lists(st.integers(1, 50), min_size=1, max_size=5), further=st.integers(0, 200))
def test_people_are_shared_out_in_proportion(sizes, further):
    groups = {str(number): size for number, size in enumerate(sizes)}
    people = sum(sizes) + further

    shares = shared_out(people, groups)

    assert sum(shares.values()) == people
    assert all(0 <= shares[key] - people * size // sum(sizes) <= 1 for key, size in groups.items())
    assert all(shares[key] >= size for key, size in groups.items())
