"""Incomplete designs planned: every pair is rated by so many people, nobody rates more than their share."""

from collections import Counter

import pytest

from annotation.domain.planning.rounds import plan_round
from annotation.models import Assignment, Participation, Project
from tests.domain.test_assigning import refusal_of
from tests.factories import add_pairs, make_project

pytestmark = pytest.mark.django_db


def project_with(pairs: int, *, key: str = "project", calibration: int = 0, **numbers: str) -> Project:
    project = make_project("rating", key, **numbers)
    add_pairs(project, pairs, calibration=calibration)
    return project


def hands(project: Project, block: str = "main") -> list[list[str]]:
    """The keys of the pairs of each place, in the order of its screens."""
    screens = Assignment.objects.filter(participation__project=project, block=block)
    found: dict[int, list[str]] = {}
    for seat, key in screens.order_by("participation__seat", "position").values_list(
        "participation__seat", "item__key"
    ):
        found.setdefault(seat, []).append(key)
    return list(found.values())


@pytest.mark.parametrize(
    ("ratings", "most", "people", "places"),
    [("3", "4", None, 8), ("3", "0", None, 3), ("2", "100", None, 2), ("3", "4", 5, 5), ("1", "3", None, 4)],
)
def test_every_pair_has_its_ratings_by_different_people(ratings, most, people, places):
    project = project_with(10, ratings=ratings, items_a_person=most)

    plan_round(project=project, round_key="main", people=people)

    own = hands(project)
    assert len(own) == places == project.participations.count()
    assert all(len(set(hand)) == len(hand) for hand in own)
    assert set(Counter(key for hand in own for key in hand).values()) == {int(ratings)}
    assert max(map(len, own)) - min(map(len, own)) <= 1


def test_everybody_begins_with_the_calibration_pairs():
    project = project_with(6, calibration=2, ratings="2", items_a_person="2")

    plan_round(project=project, round_key="main")

    assert hands(project, "calibration") == [["p1", "p2"]] * 4
    assert sorted({key for hand in hands(project) for key in hand}) == ["p3", "p4", "p5", "p6"]


def test_the_same_seed_deals_the_same():
    dealt = []
    for key in ("one", "two"):
        project = project_with(10, key=key, ratings="3", items_a_person="4")
        plan_round(project=project, round_key="main")
        dealt.append(hands(project))
    assert dealt[0] == dealt[1]


def test_new_pairs_go_to_new_places():
    project = project_with(4, ratings="2", items_a_person="4")
    plan_round(project=project, round_key="main")
    before = hands(project)

    project.items.create(key="late", position=5, sentence1="One.", sentence2="Two.")
    outcome = plan_round(project=project, round_key="main")

    assert hands(project) == [*before, ["late"], ["late"]]
    assert (outcome["pairs"], outcome["new pairs"], outcome["new places"]) == (5, 1, 2)


def test_a_plan_that_cannot_be_is_refused():
    project = project_with(4, ratings="3")
    assert "Plan 3 to 12 people in all." in refusal_of(project, "main", people=2)
    assert "Wrong number of people (13)" in refusal_of(project, "main", people=13)
    plan_round(project=project, round_key="main")
    assert "already has all its places" in refusal_of(project, "main")
    assert "Import" in refusal_of(make_project("rating", "empty"), "main")
    assert Participation.objects.count() == 3
