"""Selection, sequences and complete designs planned: who gets which screens, and what is refused."""

from collections import Counter, defaultdict

import pytest

from annotation.domain.errors import Refusal
from annotation.domain.participation.lifecycle import exclude, leave
from annotation.domain.planning.rounds import plan_round
from annotation.models import Assignment, Participation, Project, RoundPlan
from tests.factories import (
    NOON,
    add_incidents,
    add_pairs,
    answer_all,
    make_project,
    news_project,
    seat_outsider,
    select_next,
)

Rows = list[tuple]


def sessions_of(place: Participation) -> list[Rows]:
    """Block and item (or sentence) of every screen in order, a list a session."""
    rows = defaultdict(list)
    for screen in place.assignments.order_by("session", "position"):
        assert screen.position == len(rows[screen.session]) + 1
        rows[screen.session].append((screen.block, screen.item_id or screen.sentence_id))
    return [rows[session] for session in sorted(rows)]


def places_of(project: Project, round_key: str) -> list[Participation]:
    return list(Participation.objects.filter(project=project, round=round_key).order_by("seat"))


def plan_of(project: Project, round_key: str) -> list[tuple]:
    """The whole plan, without ids of places."""
    return [(place.seat, place.pool, place.validates_id, sessions_of(place)) for place in places_of(project, round_key)]


def refusal_of(project: Project, round_key: str, **request: object) -> str:
    """What the refusal says; nothing must have been planned."""
    before = [model.objects.count() for model in (Participation, Assignment, RoundPlan)]
    with pytest.raises(Refusal) as refusal:
        plan_round(project=project, round_key=round_key, **request)
    assert [model.objects.count() for model in (Participation, Assignment, RoundPlan)] == before
    return str(refusal.value)


def selected(project: Project, owner: Participation) -> list[set[int]]:
    """The pairs of every sentence of the summary, in the order in which the owner's screens stand."""
    judgments = [screen.judgments.get() for screen in owner.assignments.order_by("position")]
    return [set(judgment.pairs.values_list("item", flat=True)) for judgment in judgments]


# Selection


def test_incidents_are_given_to_one_person_only(db):
    project = make_project("czech_news", R1__incidents="2")
    add_incidents(project, 7)

    outcome = plan_round(project=project, round_key="R1")

    owners = Counter(project.incidents.values_list("participation", flat=True))
    assert outcome == {"round": "R1", "places": 3, "new places": 3, "incidents given": 6, "incidents left": 1}
    assert owners == {None: 1} | {place.pk: 2 for place in places_of(project, "R1")}
    for place in places_of(project, "R1"):
        incidents = [screen.sentence.document.incident_id for screen in place.assignments.order_by("position")]
        assert incidents == [incidents[0]] * 3 + [incidents[3]] * 3
        assert set(incidents) == set(place.incidents.values_list("pk", flat=True))
        sentences = [screen.sentence.position for screen in place.assignments.order_by("position")]
        assert sentences == [0, 1, 2] * 2


def test_selection_is_extended_with_what_is_left(db):
    project = make_project("czech_news", R1__incidents="2")
    add_incidents(project, 5)
    plan_round(project=project, round_key="R1", people=1)
    first = plan_of(project, "R1")

    outcome = plan_round(project=project, round_key="R1", people=2)

    assert outcome == {"round": "R1", "places": 2, "new places": 1, "incidents given": 2, "incidents left": 1}
    assert plan_of(project, "R1")[:1] == first
    assert refusal_of(project, "R1") == "Nothing to plan: round R1 already has all its places."


@pytest.mark.parametrize(
    ("incidents", "people", "reason"),
    [
        (0, None, "There are no incidents yet. Import incidents first."),
        (5, 3, "3 people with 2 incidents each need 6 incidents. There are 5, enough for 2 people."),
        (5, 0, "A round can have 1 to 10000 people, not 0."),
    ],
)
def test_selection_is_refused(db, incidents, people, reason):
    project = make_project("czech_news", R1__incidents="2")
    add_incidents(project, incidents)

    assert refusal_of(project, "R1", people=people) == reason


def test_an_unknown_round_is_refused(db):
    assert refusal_of(make_project(), "R7") == "This protocol has no round “R7”. Its rounds: main."


# Sequences


def test_three_validators_cover_all_pairs_once_each_in_the_order_of_selection(db):
    project = news_project(people=2)

    outcome = plan_round(project=project, round_key="R2")

    assert outcome == {
        "round": "R2",
        "places": 6,
        "new places": 6,
        "annotators validated": 2,
        "pairs a person": 6,
    }
    for owner in places_of(project, "R1"):
        validators = [sessions_of(place) for place in owner.validators.order_by("seat")]
        assert len(validators) == 3
        assert all(free == dependent for free, dependent in validators)
        by_tuple = list(zip(*[free for free, _ in validators], strict=True))
        assert [{item for _, item in screens} for screens in by_tuple] == selected(project, owner)[:6]
        assert {block for screens in by_tuple for block, _ in screens} == {"main"}
    contexts = Assignment.objects.filter(participation__round="R2").values_list("session", "context")
    assert set(contexts) == {(1, "free"), (2, "dependent")}


def test_validators_overlap_in_some_selections(db):
    project = news_project(people=2, R2__overlap="2")

    outcome = plan_round(project=project, round_key="R2")

    assert (outcome["pairs a person"], outcome["selections with an overlap"]) == (8, 2)
    for owner in places_of(project, "R1"):
        validators = [sessions_of(place) for place in owner.validators.order_by("seat")]
        assert all(free == dependent and len(set(free)) == len(free) == 8 for free, dependent in validators)
        rated = Counter(item for free, _ in validators for _, item in free)
        tuples = selected(project, owner)[:6]
        assert set(rated) == set().union(*tuples)
        assert Counter(frozenset(rated[item] for item in own) for own in tuples) == {
            frozenset([1]): 4,
            frozenset([2]): 2,
        }
        for free, _ in validators:
            order = [next(at for at, own in enumerate(tuples) if item in own) for _, item in free]
            assert order[:6] == list(range(6)) and order[6:] == sorted(order[6:])


def test_sequences_are_extended_to_annotators_who_finish_later(db):
    project = make_project("czech_news", R1__incidents="2", R2__tuples="6")
    add_incidents(project, 6)
    plan_round(project=project, round_key="R1")
    answer_all(seat_outsider(project, "R1", "r1-1"))
    plan_round(project=project, round_key="R2")
    first = plan_of(project, "R2")
    answer_all(seat_outsider(project, "R1", "r1-2"))

    outcome = plan_round(project=project, round_key="R2", people=6)

    assert (outcome["places"], outcome["new places"], outcome["annotators validated"]) == (6, 3, 1)
    assert plan_of(project, "R2")[:3] == first
    assert Counter(place.validates.seat for place in places_of(project, "R2")) == {1: 3, 2: 3}
    for people in (None, 6, 3):
        assert refusal_of(project, "R2", people=people).startswith("Nothing to plan: round R2")


def test_sequences_wait_for_annotators_who_are_ready(db):
    project = make_project("czech_news", R1__incidents="2", R2__tuples="6")
    add_incidents(project, 2)
    plan_round(project=project, round_key="R1")

    ready = "Annotators of round R1 are ready once they have finished or left with at least 6 selections."
    assert refusal_of(project, "R2") == ready


@pytest.mark.parametrize(
    ("people", "reason"),
    [
        (4, "Round R2 needs 3 people for each annotator. Choose a multiple of 3 instead of 4."),
        (
            6,
            "6 people can validate 2 annotators, but round R1 has only 1 ready. "
            "Annotators of round R1 are ready once they have finished or left with at least 6 selections.",
        ),
    ],
)
def test_sequences_are_refused(db, people, reason):
    assert refusal_of(news_project(people=1), "R2", people=people) == reason


def test_selections_of_whoever_was_excluded_are_not_validated(db):
    project = news_project(people=2)
    first, second = places_of(project, "R1")
    exclude(participation_id=first.pk, reason="Careless.", actor=None, now=NOON)

    plan_round(project=project, round_key="R2")

    assert {place.validates_id for place in places_of(project, "R2")} == {second.pk}


def test_selections_of_whoever_left_are_validated_where_there_are_enough(db):
    project = make_project("czech_news", R1__incidents="2", R2__tuples="3")
    add_incidents(project, 2)
    plan_round(project=project, round_key="R1")
    place = seat_outsider(project, "R1", "r1-1")
    Participation.objects.update(consented_at=NOON, state="active")
    place.refresh_from_db()
    for _ in range(3):
        select_next(place)
    leave(participation_id=place.pk, reason="", now=NOON)

    plan_round(project=project, round_key="R2")

    assert {place.validates_id for place in places_of(project, "R2")} == {place.pk}


# Complete


def test_every_rater_gets_every_pair_calibration_first_in_an_order_of_their_own(db):
    project = make_project()
    items = [item.pk for item in add_pairs(project, 12, calibration=2)]

    outcome = plan_round(project=project, round_key="main", people=5)

    assert outcome == {
        "round": "main",
        "places": 5,
        "new places": 5,
        "pairs a person": 10,
        "calibration pairs": ["p1", "p2"],
    }
    orders = [sessions_of(place)[0] for place in places_of(project, "main")]
    for order in orders:
        assert order[:2] == [("calibration", item) for item in items[:2]]
        assert sorted(order[2:]) == [("main", item) for item in items[2:]]
    assert len({tuple(order) for order in orders}) == 5


def test_an_order_that_is_not_shuffled_is_that_of_the_file(db):
    project = make_project(shuffled="false")
    items = [("main", item.pk) for item in add_pairs(project, 6)]

    plan_round(project=project, round_key="main", people=2)

    assert [sessions_of(place) for place in places_of(project, "main")] == [[items]] * 2


@pytest.mark.parametrize(
    ("people", "pools"),
    [
        (None, {"students": 5, "crowd": 10}),
        (15, {"students": 5, "crowd": 10}),
        (3, {"students": 1, "crowd": 2}),
        (1, {"crowd": 1}),
        (4, {"students": 1, "crowd": 3}),
        (20, {"students": 7, "crowd": 13}),
    ],
)
def test_people_are_shared_out_to_the_pools_in_proportion(db, people, pools):
    project = make_project("dscs")
    add_pairs(project, 2)

    plan_round(project=project, round_key="main", people=people)

    assert Counter(place.pool for place in places_of(project, "main")) == pools


def test_a_complete_plan_is_extended_beside_refills(db):
    project = make_project("dscs")
    add_pairs(project, 2)
    plan_round(project=project, round_key="main", people=3)
    first = seat_outsider(project, "main", "W1")
    leave(participation_id=first.pk, reason="", now=NOON)

    outcome = plan_round(project=project, round_key="main", people=6)

    assert (outcome["places"], outcome["new places"]) == (7, 3)
    live = [place.pool for place in places_of(project, "main") if place.state != "left"]
    assert Counter(live) == {"students": 2, "crowd": 4}
    assert refusal_of(project, "main", people=6).startswith("Nothing to plan: round main")
    assert refusal_of(project, "main", people=2).startswith("Nothing to plan: round main")


def test_a_complete_plan_without_pairs_is_refused(db):
    assert refusal_of(make_project(), "main") == "There are no pairs yet. Import pairs first."


# Chance


def test_the_same_seed_gives_the_same_plan(db):
    plans = []
    for key, seed in (("one", 7), ("two", 7), ("three", 8)):
        project = make_project(key=key)
        Project.objects.filter(pk=project.pk).update(seed=seed)
        offset = add_pairs(project, 8)[0].pk
        plan_round(project=project, round_key="main", people=3)
        plan_round(project=project, round_key="main", people=5)
        plans.append([[item - offset for _, item in screens] for _, _, _, (screens,) in plan_of(project, "main")])

    assert plans[0] == plans[1] != plans[2]
    assert len({tuple(order) for order in plans[0]}) == 5


def test_a_plan_is_kept_with_its_seed_and_outcome(db):
    project = make_project()
    Project.objects.update(seed=7)
    add_pairs(project, 2)

    outcome = plan_round(project=project, round_key="main", people=1)

    assert list(project.plans.values_list("round", "seed", "outcome")) == [("main", 7, outcome)]
    assert str(project.plans.get()) == "project main"
