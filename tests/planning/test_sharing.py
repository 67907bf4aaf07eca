import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.planning.errors import PlanningError
from annotation.planning.sharing import deal_incidents

pytestmark = pytest.mark.once


def deal(incidents, people, each, seed=0):
    return deal_incidents(incidents, people=people, each=each, generator=np.random.default_rng(seed))


@given(people=st.integers(0, 10), each=st.integers(1, 6), spare=st.integers(0, 10), seed=st.integers(0, 2**32))
def test_incidents_go_to_one_person_only(people, each, spare, seed):
    incidents = np.arange(1000, 1000 + people * each + spare)
    dealt = deal(incidents, people, each, seed)
    assert dealt.shape == (people, each)
    assert len(np.unique(dealt)) == people * each
    assert np.isin(dealt, incidents).all()
    assert (dealt == deal(incidents, people, each, seed)).all()


def test_incidents_are_dealt_at_random():
    assert len({deal(np.arange(30), 5, 6, seed).tobytes() for seed in range(20)}) == 20


def test_incidents_too_few():
    with pytest.raises(
        PlanningError, match="3 people with 6 incidents each need 18 incidents; there are 17, enough for 2 people"
    ):
        deal(np.arange(17), 3, 6)
