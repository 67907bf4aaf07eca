"""Simulated people: the same by the same seed, each behaviour with its effect, and nobody else's places."""

from collections import Counter
from datetime import timedelta

import numpy as np
import pytest

from annotation.domain.errors import Refusal
from annotation.domain.participation.lifecycle import leave
from annotation.domain.planning.rounds import plan_round
from annotation.domain.simulation.answers import CONTEXT_SHIFT, Behaviour, Person, hidden_similarity, some_of
from annotation.domain.simulation.rounds import FIRST_DAY, simulate_person, simulate_round
from annotation.models import Judgment, Participation, Project, SelectedPair
from tests.factories import NOON, add_incidents, add_pairs, join, make_project, news_project, rate_next, seat_outsider
from tests.presets import STSS131

SCALE = STSS131.scale
EXACT = Behaviour(noise=0)


def planned(key: str = "project", pairs: int = 6, people: int = 3) -> Project:
    project = make_project(key=key)
    add_pairs(project, pairs)
    plan_round(project=project, round_key="main", people=people)
    return project


def simulate(project: Project, round_key: str = "main", **values: object) -> list[Participation]:
    usual = {"people": None, "behaviour": Behaviour(), "seed": 1, "now": NOON}
    return list(simulate_round(project=project, round_key=round_key, **usual | values))


def answers(project: Project) -> list[tuple]:
    rows = Judgment.objects.filter(assignment__participation__project=project)
    return list(
        rows.order_by("assignment__participation__seat", "assignment__position").values_list(
            "assignment__participation__seat", "assignment__item__key", "value", "saved_at", "active_ms", "key"
        )
    )


def person(behaviour: Behaviour, seed: int = 1, screens: int = 10) -> Person:
    return Person.draw(behaviour, np.random.default_rng(seed), screens)


def mean_answer(behaviour: Behaviour, truth: float, given: int = 0) -> float:
    one = person(behaviour)
    return float(np.mean([one.answer(SCALE, truth, given) for _ in range(400)]))


def test_the_same_seed_gives_the_same_answers(db):
    one, two, other = (planned(key) for key in ("one", "two", "other"))

    for project, seed in ((one, 1), (two, 1), (other, 2)):
        simulate(project, seed=seed)

    assert answers(one) == answers(two)
    assert [row[2] for row in answers(one)] != [row[2] for row in answers(other)]
    assert len(answers(one)) == 18


def test_without_noise_everybody_answers_the_truth(db):
    project = planned()

    simulate(project, behaviour=EXACT)

    rows = Judgment.objects.select_related("assignment__item")
    for row in rows:
        item = row.assignment.item
        truth = hidden_similarity(1, item.sentence1, item.sentence2)
        assert row.value == SCALE.nearest(4 * truth)


def test_noise_spreads_the_answers():
    spread = [
        float(np.std([person(Behaviour(noise=noise), seed).answer(SCALE, 0.5, 0) for seed in range(300)]))
        for noise in (0, 0.05, 0.1)
    ]

    assert spread[0] == 0
    assert spread[1:] == pytest.approx([0.2, 0.4], rel=0.15)


def test_drift_raises_the_answers_with_their_number():
    drifting = Behaviour(noise=0, drift=0.25)

    assert [mean_answer(drifting, 0.5, given) for given in (0, 40, 100, 1000)] == pytest.approx([2.0, 2.4, 3.0, 4.0])


def test_a_contrary_person_takes_the_scale_the_wrong_way_round():
    assert [mean_answer(Behaviour(noise=0, contrary=1), truth) for truth in (0.0, 0.25, 1.0)] == [4.0, 3.0, 0.0]


def test_a_careless_person_answers_anything_and_fast():
    careless = Behaviour(careless=1)

    assert mean_answer(careless, 0.0) == mean_answer(careless, 1.0) == pytest.approx(2.0, abs=0.2)
    assert person(careless).seconds(10) == pytest.approx(person(Behaviour()).seconds(10) / 10)


def test_shares_are_those_of_the_people():
    people = [person(Behaviour(careless=0.3, contrary=0.2, leaving=0.5), seed) for seed in range(1000)]

    shares = [
        sum(one.careless for one in people),
        sum(one.contrary for one in people),
        sum(one.leaves_after is not None for one in people),
    ]
    assert shares == pytest.approx([300, 200, 500], rel=0.15)
    assert {one.leaves_after for one in people} == {None, *range(10)}


def test_nobody_leaves_a_place_without_screens():
    assert person(Behaviour(leaving=0.99), screens=0).leaves_after is None


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"noise": -1}, "Noise must be 0 to 10 times the length of the scale"),
        ({"drift": 11}, "drift -10 to 10"),
        ({"careless": 1.1}, "The share of careless people lies between 0 and 1."),
        ({"contrary": -0.1}, "The share of contrary people lies between 0 and 1."),
        ({"leaving": 2}, "The share of leaving people lies between 0 and 1."),
    ],
)
def test_a_behaviour_that_cannot_be_is_refused(values, reason):
    with pytest.raises(Refusal, match=reason):
        Behaviour(**values)


def test_everybody_leaving_needs_a_number_of_people(db):
    project = planned(people=1)

    with pytest.raises(Refusal, match="If everybody leaves, the round never ends"):
        simulate(project, behaviour=Behaviour(leaving=1))

    assert [one.state for one in simulate(project, people=3, behaviour=Behaviour(leaving=1))] == ["left"] * 3


def test_some_of_keeps_what_is_not_given():
    assert some_of(Behaviour(drift=0.2), noise=0.5, drift=None) == Behaviour(noise=0.5, drift=0.2)


def test_a_negative_seed_is_refused(db):
    with pytest.raises(Refusal, match="The random seed must be a whole number"):
        simulate(planned(), seed=-1)


def test_hidden_similarity_is_fixed_by_texts_and_seed():
    values = [hidden_similarity(1, f"{number}", "other") for number in range(500)]

    assert values == [hidden_similarity(1, f"{number}", "other") for number in range(500)]
    assert values != [hidden_similarity(2, f"{number}", "other") for number in range(500)]
    assert 0 <= min(values) < 0.05 < 0.95 < max(values) <= 1


def test_context_moves_the_similarity_upwards_a_little():
    moved = [
        hidden_similarity(1, f"{number}", "b", in_context=True) - hidden_similarity(1, f"{number}", "b")
        for number in range(500)
    ]

    assert np.mean(moved) == pytest.approx(CONTEXT_SHIFT, abs=0.01)


@pytest.mark.parametrize(("gold", "low", "high"), [(True, 0.6, 1.0), (False, 0.0, 0.4)])
def test_known_labels_bound_the_similarity(gold, low, high):
    values = [hidden_similarity(1, f"{number}", "b", gold=gold) for number in range(100)]

    assert low <= min(values) and max(values) <= high


def test_whoever_leaves_is_replaced_until_all_is_answered(db):
    project = planned(people=6)

    ended = simulate(project, behaviour=Behaviour(leaving=0.5), seed=3)

    states = Counter(participation.state for participation in ended)
    assert states["finished"] == 6 and states["left"] > 0
    assert Judgment.objects.count() == 36
    assert set(Participation.objects.values_list("state", flat=True)) == {"finished", "left"}
    assert set(Participation.objects.filter(state="left").values_list("reason", flat=True)) == {"Left (simulated)."}


def test_so_many_places_as_asked_for(db):
    project = planned()

    first, rest = simulate(project, people=2), simulate(project)

    assert ([one.seat for one in first], [one.seat for one in rest]) == ([1, 2], [3])
    assert simulate(project) == []


def test_places_of_real_people_are_left_alone(user):
    project = planned()
    mine = join(project, "main", user)
    rate_next(mine)
    before = Participation.objects.values().get(pk=mine.pk)

    simulate(project)

    assert Participation.objects.values().get(pk=mine.pk) == before
    assert mine.assignments.filter(answered_at__isnull=False).count() == 1
    assert Counter(project.participations.values_list("state", flat=True)) == {"active": 1, "finished": 2}


def test_a_place_given_up_half_way_is_finished_by_simulated_people(user):
    project = planned(people=1)
    mine = join(project, "main", user)
    rate_next(mine)
    leave(participation_id=mine.pk, reason="", now=NOON)

    (refill,) = simulate(project)

    assert (refill.replaces, refill.state, Judgment.objects.count()) == (mine, "finished", 6)


def test_a_closed_project_is_refused(db):
    planned()
    Project.objects.update(closed_at=NOON - FIRST_DAY - timedelta(days=30))

    with pytest.raises(Refusal, match="This project is closed"):
        simulate(Project.objects.get())


def test_a_place_without_screens_is_passed_over(db):
    project = planned(people=2)
    Participation.objects.get(seat=1).assignments.all().delete()

    assert [(one.seat, one.state) for one in simulate(project)] == [(1, "active"), (2, "finished")]


def test_simulated_times_stay_behind_the_real_ones_and_in_order(db):
    project = planned()

    simulate(project, people=2)
    first = list(Judgment.objects.values_list("saved_at", flat=True))
    simulate(project)

    later = list(Judgment.objects.filter(assignment__participation__seat=3).values_list("saved_at", flat=True))
    assert min(first) >= NOON - FIRST_DAY and max(first) <= min(later) and max(later) < NOON
    for shown, answered in Participation.objects.values_list("assignments__shown_at", "assignments__answered_at"):
        assert shown < answered


def test_selection_takes_the_sentences_that_the_roles_expect(db):
    project = make_project("czech_news", R1__incidents="2")
    add_incidents(project, 4, sentences=20)
    plan_round(project=project, round_key="R1")

    ended = simulate(project, "R1", behaviour=EXACT)

    values = SelectedPair.objects.values_list("role", "value")
    means = {role: np.mean([value for name, value in values if name == role]) for role in "ABC"}
    assert [one.state for one in ended] == ["finished"] * 2
    assert len(values) == 4 * 3 * 3
    assert means["A"] > 5 and 2.5 < means["B"] < 3.5 and means["C"] < 1


def test_validating_rounds_keep_the_pause_where_it_is_enforced(db):
    project = news_project(people=2, R3__calibration="0,3,6")
    waits = {}
    for round_key in ("R2", "R3"):
        plan_round(project=project, round_key=round_key)
        simulate(project, round_key)
        for place in project.participations.filter(round=round_key):
            sessions = [place.assignments.filter(session=session).order_by("position") for session in (1, 2)]
            pause = sessions[1].first().shown_at - sessions[0].last().answered_at
            waits.setdefault(round_key, []).append(pause >= timedelta(hours=72))

    assert set(project.participations.exclude(round="R1").values_list("state", flat=True)) == {"finished"}
    assert all(waits["R3"]) and set(waits["R2"]) == {True, False}
    dependent = Judgment.objects.filter(assignment__context="dependent", assignment__participation__round="R3")
    assert dependent.count() == 12 * 9 + 6 * 2


def test_simulate_person_answers_for_the_person_given(user):
    project = planned()
    mine = join(project, "main", user)

    ended = simulate_person(mine, behaviour=Behaviour(), seed=1, start=NOON)

    assert (ended.annotator.user, ended.state, Judgment.objects.count()) == (user, "finished", 6)


def test_people_known_by_an_outside_id_who_have_finished_stay_as_they_are(db):
    project = planned(people=2)
    place = seat_outsider(project, "main", "W1")
    Participation.objects.filter(pk=place.pk).update(state="finished", finished_at=NOON)

    assert [one.seat for one in simulate(project)] == [2]
