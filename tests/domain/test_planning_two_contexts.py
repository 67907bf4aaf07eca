"""Imported pairs planned for two contexts: calibration, main and intra blocks, and what is refused."""

from collections import Counter

from annotation.domain.planning.rounds import plan_round
from annotation.models import Item, Project
from tests.domain.test_assigning import Rows, places_of, refusal_of, sessions_of
from tests.factories import add_pairs, add_pairs_in_context, make_project

SMALL = {"ratings": "3", "items_a_person": "6", "calibration": "0,3,6", "intra": "2"}


def small_project(pairs: int = 15, **changes: str) -> Project:
    """A project with pairs enough for three calibration pairs; with 15 there are 12 others."""
    project = make_project("two_contexts", **SMALL | changes)
    add_pairs_in_context(project, pairs)
    return project


def block(screens: Rows, name: str) -> list[int]:
    return [item for kind, item in screens if kind == name]


def calibration_of(project: Project) -> list[str]:
    marked = project.items.filter(calibration_order__isnull=False).order_by("calibration_order")
    return list(marked.values_list("key", flat=True))


def test_everybody_has_three_blocks_twice_in_the_same_order(db):
    project = small_project()

    outcome = plan_round(project=project, round_key="main")

    sessions = [sessions_of(place) for place in places_of(project, "main")]
    assert len(sessions) == 6  # 12 pairs, three ratings each, six by each person
    assert all(first == second for first, second in sessions)
    screens = [first for first, _ in sessions]
    assert [[kind for kind, _ in one] for one in screens] == [["calibration"] * 3 + ["main"] * 6 + ["intra"] * 2] * 6
    assert {tuple(block(one, "calibration")) for one in screens} == {
        tuple(Item.objects.get(key=key).pk for key in calibration_of(project))
    }
    assert Counter(item for one in screens for item in block(one, "main")) == Counter(
        dict.fromkeys(project.items.filter(calibration_order=None).values_list("pk", flat=True), 3)
    )
    assert outcome["calibration drawn by seed"] and outcome["calibration pairs"] == calibration_of(project)


def test_drawn_calibration_pairs_have_exactly_the_expected_earlier_values(db):
    project = small_project(30, calibration="0,3,6,0,3,6")

    plan_round(project=project, round_key="main")

    marked = project.items.filter(calibration_order__isnull=False).order_by("calibration_order")
    assert [item.earlier_value for item in marked] == [0, 3, 6, 0, 3, 6]


def test_pairs_are_repeated_from_the_first_half_of_the_main_block(db):
    project = small_project(31, items_a_person="14", intra="7")

    plan_round(project=project, round_key="main", people=6)

    for place in places_of(project, "main"):
        screens = sessions_of(place)[0]
        assert len(block(screens, "main")) == 14
        assert set(block(screens, "intra")) == set(block(screens, "main")[:7])


def test_more_repeated_pairs_than_half_the_block_are_the_first_ones(db):
    project = small_project(intra="5")

    plan_round(project=project, round_key="main")

    screens = sessions_of(places_of(project, "main")[0])[0]
    assert set(block(screens, "intra")) == set(block(screens, "main")[:5])


def test_no_pair_is_repeated_where_the_protocol_wants_none(db):
    project = small_project(intra="0")

    plan_round(project=project, round_key="main")

    assert not block(sessions_of(places_of(project, "main")[0])[0], "intra")


def test_named_calibration_pairs_are_taken_in_their_order(db):
    project = small_project()

    outcome = plan_round(project=project, round_key="main", calibration=["p8", "p2", "p10"])

    assert outcome["calibration pairs"] == calibration_of(project) == ["p8", "p2", "p10"]
    assert not outcome["calibration drawn by seed"]


def test_earlier_values_between_the_points_calibrate_when_named(db):
    project = small_project()
    keys = ["p1", "p2", "p3"]
    for key, value in zip(keys, (0.4, 2.6, 5.5), strict=True):
        project.items.filter(key=key).update(extra={"earlier_value": value})

    assert plan_round(project=project, round_key="main", calibration=keys)["calibration pairs"] == keys


def test_pairs_without_earlier_values_need_named_calibration_pairs(db):
    project = make_project("two_contexts", **SMALL)
    add_pairs(project, 15)

    assert refusal_of(project, "main").startswith("There are not enough pairs for calibration. Pairs rated exactly 0")
    assert plan_round(project=project, round_key="main", calibration=["p1", "p2", "p3"])["new places"] == 6


def test_calibration_pairs_that_do_not_fit_are_refused(db):
    project = small_project()

    assert refusal_of(project, "main", calibration=["p1"]) == "The calibration block needs 3 pairs, but 1 were chosen."
    assert refusal_of(project, "main", calibration=["p1", "p4", "p3"]) == (
        "The calibration pair p4 has the earlier value 2, but its "
        "position requires a value near 3. Choose another pair."
    )
    assert (
        refusal_of(project, "main", calibration=["p1", "x", "p3"])
        == "These calibration pairs do not exist: x. Check the keys."
    )


def test_later_pairs_get_new_places_with_the_same_calibration(db):
    project = small_project()
    plan_round(project=project, round_key="main", calibration=["p1", "p2", "p3"])
    Item.objects.create(project=project, key="new", position=99, sentence1="One.", sentence2="Two.")

    assert refusal_of(project, "main", calibration=["p1", "p2", "p10"]) == (
        "p3 is already calibration pair 3 of round main and can't be changed. List it in the same position."
    )
    outcome = plan_round(project=project, round_key="main")

    assert (outcome["new pairs"], outcome["new places"], outcome["places"]) == (1, 3, 9)
    assert outcome["calibration pairs"] == ["p1", "p2", "p3"]
    assert refusal_of(project, "main").startswith("Nothing to plan: round main")


def test_a_withdrawn_calibration_pair_can_be_replaced(db):
    project = small_project()
    plan_round(project=project, round_key="main", calibration=["p1", "p2", "p3"])
    project.items.filter(key="p2").update(withdrawn_at=project.created_at)
    for number in (1, 2):
        Item.objects.create(project=project, key=f"new{number}", position=98 + number, sentence1="A.", sentence2="B.")

    assert refusal_of(project, "main") == "The calibration block needs 3 pairs, but 2 were chosen."
    assert refusal_of(project, "main", calibration=["p1", "p9", "p3"]) == (
        "These calibration pairs are also in the main block: p9. Choose other pairs."
    )
    outcome = plan_round(project=project, round_key="main", calibration=["p1", "new1", "p3"])

    assert (outcome["calibration pairs"], outcome["new pairs"]) == (["p1", "new1", "p3"], 1)
