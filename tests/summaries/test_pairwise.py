import numpy as np
import pytest

from scoring.summaries.pairwise import COMPARED_PEOPLE, SHOWN_ITEMS, SINGLE_PEOPLE
from scoring.summaries.parts import compute
from tests.scoring.choosing import choices_of
from tests.summaries.snapshots import CHOOSING, FEW, choice_rows, items_of, ratings_of, snapshot_of


def rated(rows):
    """The part of a table of people and items."""
    found = [(item, rater, value) for rater, row in enumerate(rows) for item, value in enumerate(row)]
    snapshot = snapshot_of(items_of(len(rows[0])), ratings=ratings_of(found))
    return compute("pairwise", snapshot, FEW, 1)["main"]["free"]


def test_small_projects_have_a_row_for_everybody_and_the_table_of_all_ratings():
    found = rated([[3, 1, 0, 2], [3, 1, 0.5, 2.5], [0, 3, 3, 1]])

    assert sorted(name for group in found["groups"] for name in group) == ["p0", "p1", "p2"]
    assert {len(group) for group in found["groups"]} == {1}
    assert found["pairs"]["number"] == 3
    order = [group[0] for group in found["groups"]]
    assert order[1] != "p2"  # who contradicts both is not between them
    assert found["agreement"][order.index("p0")][order.index("p1")] == pytest.approx(0.9761871)
    assert found["matrix"]["item"] == ["i2", "i1", "i3", "i0"]
    assert found["matrix"]["annotator"] == order
    row = found["matrix"]["value"][found["matrix"]["item"].index("i2")]
    assert dict(zip(order, row, strict=True)) == {"p0": 0, "p1": 0.5, "p2": 3}


def test_many_people_are_joined_into_groups_and_their_table_is_not_made():
    values = np.random.default_rng(2).uniform(0, 4, (SINGLE_PEOPLE + 5, 6)).round(1).tolist()

    found = rated(values)

    assert len(found["groups"]) == len(found["overlap"]) == len(found["agreement"]) == SINGLE_PEOPLE
    assert sum(map(len, found["groups"])) == SINGLE_PEOPLE + 5
    assert (found["matrix"], found["matrix_reason"]) == (None, "more than 30 annotators or 60 items")
    assert found["pairs"]["number"] == 35 * 34 / 2


def test_many_items_have_no_table():
    values = np.random.default_rng(2).uniform(0, 4, (2, SHOWN_ITEMS + 1)).round(1).tolist()

    assert rated(values)["matrix"] is None


def test_thousands_of_people_are_not_compared(monkeypatch):
    monkeypatch.setattr("scoring.summaries.pairwise.COMPARED_PEOPLE", 2)

    found = rated([[1, 2, 3]] * 3)

    assert found["groups"] is None
    assert found["groups_reason"] == f"more than {COMPARED_PEOPLE:,} annotators"


def test_choices_have_the_tuples_in_common_and_the_mean_choice_of_each_item():
    rows = [((0, 1, 2), 0, 2), ((2, 1, 0), 0, 1)]
    choices = choices_of(rows, number=3, tuples=[0, 0], annotators=[0, 1])
    snapshot = snapshot_of(items_of(3), choices=choice_rows(choices), tuples=np.array([[0, 1, 2]]), facts=CHOOSING)

    found = compute("choice_pairwise", snapshot, FEW, 1)

    assert found["overlap"] == [[0, 1], [1, 0]]
    assert found["agreement"][0][1] == pytest.approx((1 / 2 - 1 / 3) / (2 / 3))
    table = found["matrix"]
    assert dict(zip(table["item"], table["value"], strict=True)) in (
        {"i0": [1, 1], "i1": [0.5, 0], "i2": [0, 0.5]},
        {"i0": [1, 1], "i1": [0, 0.5], "i2": [0.5, 0]},
    )
