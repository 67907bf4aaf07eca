from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.planning.errors import PlanningError
from annotation.planning.people import PREVIOUSLY_RATED, SELF, draw_calibration, draw_intra, draw_repeats, seat_people

SEEDS = st.integers(0, 2**32)
EXPECTED = (0, 3, 6, 0, 3, 6)  # Czech News 4.2.2, R3_C


def generator(seed=0):
    return np.random.default_rng(seed)


def least_cost(costs, seats):
    """The lowest cost of seating everybody, by trying every order of places."""
    people, annotators = costs.shape
    places = np.repeat(np.arange(annotators), seats)
    return min(costs[np.arange(people), list(order)].sum() for order in permutations(places, people))


@st.composite
def small_costs(draw):
    """Costs of at most six people, each of whom may be one of the annotators, and seats enough."""
    annotators, seats = draw(st.integers(1, 3)), draw(st.integers(1, 2))
    people = draw(st.integers(1, annotators * seats))
    shape = (people, annotators)
    values = draw(
        st.lists(
            st.sampled_from([0, 0, PREVIOUSLY_RATED, SELF]), min_size=people * annotators, max_size=people * annotators
        )
    )
    return np.array(values, dtype=np.int64).reshape(shape), seats


@given(case=small_costs(), seed=SEEDS)
@settings(deadline=None)
def test_people_are_seated_at_the_least_cost_or_refused(case, seed):
    costs, seats = case
    least = least_cost(costs, seats)
    if least >= SELF:
        with pytest.raises(PlanningError, match="validate their own selections"):
            seat_people(costs, seats=seats, generator=generator(seed))
        return
    seated = seat_people(costs, seats=seats, generator=generator(seed))
    assert seated.shape == (costs.shape[1], seats)
    assert sorted(seated[seated >= 0].tolist()) == list(range(len(costs)))
    assert sum(costs[person, place] for place, row in enumerate(seated) for person in row if person >= 0) == least


def test_people_of_the_paper_meet_nobody_whom_they_met_before():
    # 216 people of R2, 27 places at each of 8 annotators (Czech News 4.2.2); three people met each of 72 annotators.
    met = np.zeros((216, 8), dtype=np.int64)
    met[:24] = np.repeat(np.eye(8, dtype=np.int64), 3, axis=0) * PREVIOUSLY_RATED
    seated = seat_people(met, seats=27, generator=generator())
    assert sorted(seated.ravel().tolist()) == list(range(216))
    assert sum(met[seated[annotator], annotator].sum() for annotator in range(8)) == 0


def test_people_are_seated_at_random():
    costs = np.zeros((6, 3), dtype=np.int64)
    assert len({seat_people(costs, seats=2, generator=generator(seed)).tobytes() for seed in range(20)}) > 15
    one, other = (seat_people(costs, seats=2, generator=generator(7)) for _ in range(2))
    assert (one == other).all()


def test_nobody_to_seat():
    assert seat_people(np.zeros((0, 2), dtype=np.int64), seats=2, generator=generator()).tolist() == [
        [-1, -1],
        [-1, -1],
    ]


def test_more_people_than_places():
    with pytest.raises(PlanningError, match="but only 4 places"):
        seat_people(np.zeros((5, 2), dtype=np.int64), seats=2, generator=generator())


@given(extra=st.lists(st.sampled_from([0.0, 1.0, 3.0, 5.0, 6.0]), max_size=20), seed=SEEDS)
def test_calibration_has_the_expected_values_and_no_pair_twice(extra, seed):
    values = generator(seed).permutation(np.array([*EXPECTED, *extra]))
    drawn = draw_calibration(values, EXPECTED, generator(seed))
    assert tuple(values[drawn]) == EXPECTED
    assert len(set(drawn)) == len(EXPECTED)
    assert drawn == draw_calibration(values, EXPECTED, generator(seed))


def test_calibration_with_too_few_pairs():
    with pytest.raises(PlanningError, match="There are not enough pairs for calibration"):
        draw_calibration(np.array([0.0, 0, 3, 3, 6, 5.9]), EXPECTED, generator())


def test_calibration_of_no_pairs_at_all():
    with pytest.raises(PlanningError, match="There are not enough pairs for calibration"):
        draw_calibration(np.array([]), EXPECTED, generator())


@given(rated=st.lists(st.integers(1, 1000), unique=True, max_size=30), size=st.integers(0, 6), seed=SEEDS)
def test_intra_draws_some_of_what_was_rated(rated, size, seed):
    drawn = draw_intra(np.array(rated, dtype=np.int64), size, generator(seed)).tolist()
    assert len(drawn) == len(set(drawn)) == min(size, len(rated))
    assert set(drawn) <= set(rated)
    assert drawn == draw_intra(np.array(rated, dtype=np.int64), size, generator(seed)).tolist()


@given(main=st.lists(st.integers(0, 10_000), unique=True, max_size=60), size=st.integers(0, 60), seed=SEEDS)
def test_repeats_are_of_the_first_half_or_the_first_that_suffice(main, size, seed):
    drawn = draw_repeats(np.array(main, dtype=np.int64), size, generator(seed)).tolist()

    assert len(set(drawn)) == len(drawn) == min(size, len(main))
    assert set(drawn) <= set(main[: max((len(main) + 1) // 2, size)])
