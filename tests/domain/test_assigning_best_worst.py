"""Best-worst rounds planned: tuples stored and certified, dealt to people or put into a pool, extended."""

import re
from collections import Counter, defaultdict
from math import ceil

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.domain.errors import Refusal
from annotation.domain.planning.rounds import plan_round
from annotation.models import Assignment, Group, Item, Participation, Project, RoundPlan, Tuple, TuplePlace
from annotation.planning.tuples import certificate
from tests.factories import add_dialogues, add_pairs, make_project

pytestmark = pytest.mark.postgres

STORED = (Participation, Assignment, Tuple, TuplePlace, RoundPlan)
Rows = list[tuple[str, ...]]


def semrel(pairs: int = 12, key: str = "project", **changes: str) -> Project:
    project = make_project("semrel", key, **{"main__people": "2"} | changes)
    add_pairs(project, pairs)
    return project


def more_pairs(project: Project, number: int) -> None:
    last = project.items.count()
    Item.objects.bulk_create(
        Item(project=project, key=f"p{index}", position=index, sentence1=f"One {index}.", sentence2=f"Two {index}.")
        for index in range(last + 1, last + 1 + number)
    )


def add_dialogue(project: Project, key: str, utterances: int) -> None:
    """One dialogue more, of any size."""
    last = project.items.count()
    group = Group.objects.create(project=project, key=key, position=project.groups.count() + 1)
    Item.objects.bulk_create(
        Item(project=project, group=group, key=f"{key}/{number}", position=last + number, sentence1="x", sentence2="y")
        for number in range(1, utterances + 1)
    )


def plan(project: Project, **request: object) -> dict:
    return plan_round(project=project, round_key="main", **request)


def tuples_of(project: Project) -> Rows:
    """The keys of the items of every tuple, as designed."""
    found = defaultdict(list)
    for position, key in (
        TuplePlace.objects.filter(tuple__project=project)
        .order_by("tuple__position", "position")
        .values_list("tuple__position", "item__key")
    ):
        found[position].append(key)
    assert list(found) == list(range(1, len(found) + 1))
    return [tuple(found[position]) for position in found]


def hands_of(project: Project) -> list[list[int]]:
    """The positions of the tuples on each person's screens."""
    return [
        list(place.assignments.order_by("position").values_list("tuple__position", flat=True))
        for place in project.participations.order_by("seat")
    ]


def everything(project: Project) -> tuple:
    """The whole plan, without ids."""
    screens = Assignment.objects.filter(participation__project=project)
    ordered = screens.order_by("participation__seat", "position").values_list(
        "participation__seat", "position", "tuple__position", "order"
    )
    ranks = project.tuples.order_by("position").values_list("rank", "planned", "given")
    places = project.participations.order_by("seat").values_list("seat", "most")
    return tuples_of(project), list(ordered), list(ranks), list(places)


def refusal_of(project: Project, **request: object) -> str:
    before = [model.objects.count() for model in STORED]
    with pytest.raises(Refusal) as refusal:
        plan(project, **request)
    assert [model.objects.count() for model in STORED] == before
    return str(refusal.value)


# Tuples, their certificate, and who gets them


@pytest.mark.parametrize("open_", ["true", "false"])
@pytest.mark.parametrize("size", [3, 4, 8])
@pytest.mark.parametrize("factor", ["0.75", "1", "2.25"])
def test_any_size_and_factor_in_both_ways_of_giving_out(db, size, factor, open_):
    project = semrel(17, main__people="3", tuple_size=str(size), factor=factor, open=open_, tuples_a_person="5")

    outcome = plan(project)

    tuples = ceil(float(factor) * 17 - 0.5)
    people = max(3, ceil(tuples * 3 / 5))
    assert outcome == {
        "round": "main",
        "places": people,
        "new places": people,
        "items": 17,
        "tuples": tuples,
        "new tuples": tuples,
        "answers a tuple": 3,
    }
    assert {len(set(row)) for row in tuples_of(project)} == {size}
    wanted = Counter(dict.fromkeys(range(1, tuples + 1), 3))
    hands = hands_of(project)
    assert Counter(position for hand in hands for position in hand) == (Counter() if open_ == "true" else wanted)
    assert all(len(set(hand)) == len(hand) for hand in hands)
    assert set(project.tuples.values_list("planned", "given")) == {(3, 0 if open_ == "true" else 3)}
    for order in Assignment.objects.values_list("order", flat=True):
        assert sorted(order) == [str(place) for place in range(1, size + 1)]


@pytest.mark.parametrize("open_", ["true", "false"])
@pytest.mark.parametrize("people", [None, 2, 7, 48])
def test_people_are_given_or_come_from_the_usual_share(db, people, open_):
    project = semrel(open=open_, tuples_a_person="10")

    plan(project, people=people)

    places = project.participations.count()
    assert places == (people or 5)  # 24 tuples, 2 answers each, 10 a person
    most = set(project.participations.values_list("most", flat=True))
    assert most == ({max(10, ceil(48 / (people or 5)))} if open_ == "true" else {None})
    if open_ == "false":
        sizes = [len(hand) for hand in hands_of(project)]
        assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("open_", ["true", "false"])
@pytest.mark.parametrize(
    ("people", "reason"),
    [
        (1, r"Too few people \(1\): each "),
        (49, r"Too many people \(49\): the plan needs only 48 answers"),
        (0, "A round can have 1 to 10000 people, not 0"),
    ],
)
def test_too_few_or_too_many_people_are_refused(db, people, reason, open_):
    assert re.search(reason, refusal_of(semrel(open=open_), people=people))


@pytest.mark.parametrize(
    ("preset", "pairs", "changes", "reason"),
    [
        ("semrel", 0, {}, "There are no items yet. Import items first."),
        ("semrel", 3, {}, "Tuples of 4 items need at least 4 items, but there are 3."),
        ("semrel", 20, {"factor": "0.2"}, "4 tuples of 4 can link up to 13 items, but there are 20"),
        ("semrel", 5, {"factor": "3"}, "only 5 different tuples of 4 exist"),
        (
            "giccs",
            5,
            {},
            "Only utterances of dialogues have groups, and these items have none. Set `grouped` to false.",
        ),
    ],
)
def test_what_cannot_be_designed_is_refused(db, preset, pairs, changes, reason):
    project = make_project(preset, **changes)
    add_pairs(project, pairs)

    assert reason in refusal_of(project)


def test_the_certificate_is_that_of_the_stored_tuples(db):
    project = semrel()

    plan(project)

    index = {key: number for number, key in enumerate(project.items.order_by("position").values_list("key", flat=True))}
    stored = np.array([[index[key] for key in row] for row in tuples_of(project)])
    found = RoundPlan.objects.get().certificate
    expected = certificate(stored, 12, project.seed)
    assert (found["sha256"], found["seed"]) == (expected.sha256, 0)
    assert (found["appearances_min"], found["appearances_max"], found["groups"]) == (8, 8, None)
    assert found["pairs_together"] == {str(times): pairs for times, pairs in expected.pairs_together.items()}


@pytest.mark.parametrize("open_", ["true", "false"])
def test_the_same_seed_gives_the_same_plan_and_a_refused_plan_changes_none(db, open_):
    one, other = (semrel(key=key, open=open_) for key in ("one", "other"))
    plan(one)
    refusal_of(other, people=1)
    for state in (RoundPlan.State.CANCELLED, RoundPlan.State.FAILED, RoundPlan.State.WAITING, RoundPlan.State.RUNNING):
        RoundPlan.objects.create(project=other, round="main", seed=0, state=state)

    plan(other)

    assert everything(one) == everything(other)


def test_calibration_pairs_are_in_no_tuple(db):
    project = make_project("semrel")
    add_pairs(project, 12, calibration=2)

    plan(project)

    assert {key for row in tuples_of(project) for key in row} == {f"p{number}" for number in range(3, 13)}


# Groups


@pytest.mark.parametrize("open_", ["true", "false"])
def test_all_tuples_of_each_dialogue(db, open_):
    project = make_project("giccs", open=open_)
    add_dialogues(project, 6)

    outcome = plan(project)

    assert (outcome["tuples"], outcome["answers a tuple"]) == (60, 5)
    rows = [frozenset(row) for row in tuples_of(project)]
    assert Counter(next(iter(row)).split("/")[0] for row in rows) == {f"d{number}": 10 for number in range(1, 7)}
    assert len(set(rows)) == 60
    assert {len({key.split("/")[0] for key in row}) for row in rows} == {1}
    found = RoundPlan.objects.get().certificate
    assert (found["groups"], found["pairs_across_groups"], found["pairs_together"]) == (6, 0, {"3": 60})


def test_groups_of_unequal_size(db):
    project = make_project("giccs")
    for key, utterances in (("small", 3), ("middle", 5), ("large", 9)):
        add_dialogue(project, key, utterances)

    plan(project)

    counts = Counter(row[0].split("/")[0] for row in tuples_of(project))
    assert counts == {"small": 1, "middle": 10, "large": 18}


@pytest.mark.parametrize("before", [0, 2])
def test_a_dialogue_with_too_few_utterances_is_named(db, before):
    project = make_project("giccs")
    if before:
        add_dialogues(project, before)
        plan(project)
    add_dialogue(project, "short-one", 2)

    assert refusal_of(project) == "Group “short-one”: Tuples of 3 items need at least 3 items, but there are 2."


def test_new_dialogues_get_tuples_of_their_own(db):
    project = make_project("giccs")
    add_dialogues(project, 2)
    plan(project)
    before = tuples_of(project)
    add_dialogue(project, "a-new-one", 5)  # stands before the others in the alphabet

    outcome = plan(project)

    after = tuples_of(project)
    assert after[:20] == before
    assert {key.split("/")[0] for row in after[20:] for key in row} == {"a-new-one"}
    assert (outcome["tuples"], outcome["new tuples"]) == (30, 10)
    assert RoundPlan.objects.last().certificate["pairs_together"] == {"3": 30}


# Items that came in later


@pytest.mark.parametrize("open_", ["true", "false"])
@pytest.mark.parametrize("new", [1, 5, 20])
def test_new_items_extend_the_design_and_touch_no_tuple(db, new, open_):
    project = semrel(open=open_, tuples_a_person="10")
    plan(project)
    before, hands, ids = tuples_of(project), hands_of(project), list(project.tuples.values_list("pk", "planned"))
    more_pairs(project, new)

    outcome = plan(project)

    after = tuples_of(project)
    assert after[: len(before)] == before
    assert list(project.tuples.values_list("pk", "planned"))[: len(before)] == ids
    assert hands_of(project)[: len(hands)] == hands
    assert {key for row in after for key in row} == {f"p{number}" for number in range(1, 13 + new)}
    assert outcome["new tuples"] == len(after) - 24 == project.tuples.count() - 24
    assert outcome["new places"] == max(2, ceil(outcome["new tuples"] * 2 / 10))
    found = RoundPlan.objects.last().certificate
    assert (found["tuples"], found["items"], found["connected"]) == (len(after), 12 + new, True)
    if open_ == "true":
        assert set(project.participations.values_list("most", flat=True)) == {10}
    else:
        wanted = Counter(range(1, len(after) + 1))
        assert Counter(position for hand in hands_of(project) for position in hand) == wanted + wanted


def test_new_tuples_of_an_open_round_may_go_to_the_places_there_are(db):
    project = semrel()
    plan(project, people=4)
    more_pairs(project, 4)

    outcome = plan(project, people=4)

    assert (outcome["new places"], outcome["new tuples"]) == (0, project.tuples.count() - 24)
    assert outcome["new tuples"] > 0


def test_new_tuples_of_a_fixed_round_need_new_places(db):
    project = semrel(open="false")
    plan(project, people=4)
    more_pairs(project, 4)

    reason = refusal_of(project, people=5)

    assert reason.endswith("Plan at least 6 people in all.")


@pytest.mark.parametrize("open_", ["true", "false"])
@pytest.mark.parametrize("preset", ["semrel", "giccs"])
def test_without_anything_new_there_is_nothing_to_plan(db, preset, open_):
    project = make_project(preset, open=open_)
    add_dialogues(project, 3)
    plan(project)

    assert refusal_of(project) == "Nothing to plan: round main already has all its places."


def test_an_open_round_is_extended_to_more_people(db):
    project = semrel(tuples_a_person="10")
    plan(project)

    outcome = plan(project, people=9)

    assert (outcome["places"], outcome["new places"], outcome["new tuples"]) == (9, 4, 0)
    assert [one.certificate is None for one in project.plans.all()] == [False, True]


# The cost


def queries_of(project: Project) -> int:
    with CaptureQueriesContext(connection) as queries:
        plan(project)
    return len(queries)


@pytest.mark.parametrize("open_", ["true", "false"])
def test_queries_grow_by_batches_only(db, open_):
    small, large = (semrel(number, key=f"p{number}", open=open_) for number in (20, 200))

    few, more = queries_of(small), queries_of(large)

    rows = 400 + 1600 + (0 if open_ == "true" else 800)
    assert few <= 25
    assert more - few <= rows / 50
