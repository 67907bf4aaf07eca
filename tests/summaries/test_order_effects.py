"""The part of a run about position and order."""

import numpy as np
import pytest

from scoring.summaries.parts import compute
from tests.scoring.choosing import choices_of
from tests.scoring.test_order import ITEMS, PEOPLE, simulated
from tests.summaries.snapshots import (
    CHOOSING,
    FEW,
    choice_rows,
    integers,
    items_of,
    ratings_of,
    screens_of,
    snapshot_of,
)


def effects_of(values, items, people, positions):
    rows = list(zip(items.tolist(), people.tolist(), values.tolist(), strict=True))
    columns = {"position": positions, "thinking_ms": np.exp(8 - 0.005 * positions)}
    snapshot = snapshot_of(items_of(ITEMS), ratings=ratings_of(rows, **columns))
    return compute("order_effects", snapshot, FEW, 1)["ratings"]["main"]["free"]


def test_ratings_that_drift_are_told_with_their_test():
    found = effects_of(*simulated(1, drift=0.01))

    assert found["drift"]["estimate"] == pytest.approx(0.01, abs=0.005)
    assert found["drift"]["p"] < 0.01
    assert (found["drift"]["p_degrees"], found["drift"]["people"]) == (PEOPLE - 1, PEOPLE)
    assert found["time"]["estimate"] == pytest.approx(-0.005)
    assert found["assimilation"]["p"] > 0.01
    session = found["session"]
    assert session["to_screen"] == list(range(6, 61, 6))
    assert session["ratings"] == [6 * PEOPLE] * 10
    assert session["deviation"][0] < -0.1 and session["deviation"][-1] > 0.1


def test_one_order_for_all_is_undefined_with_the_reason():
    values, _, people, positions = simulated(1)

    found = effects_of(values, positions - 1, people, positions)

    assert found["drift"]["estimate"] is None
    assert found["session"]["deviation"] == [None] * 10
    assert "same order" in found["drift"]["estimate_reason"] and "same order" in found["drift"]["p_reason"]


def test_choices_are_counted_by_position():
    rows = [((0, 1, 2), 0, 2), ((2, 1, 0), 2, 0), ((1, 0, 2), 1, 2), ((1, 2, 0), 2, 0)]
    choices = choices_of(rows, number=3, tuples=[0, 0, 0, 0], annotators=[0, 1, 2, 3])
    snapshot = snapshot_of(
        items_of(3),
        choices=choice_rows(choices),
        screens=screens_of(4),
        tuples=integers([0, 1, 2]),
        facts=CHOOSING,
        people=4,
    )

    found = compute("order_effects", snapshot, FEW, 1)

    (by_round,) = found["choices"].values()
    assert (by_round["best"]["counts"], by_round["worst"]["counts"]) == ([3, 1, 0], [0, 0, 4])
    assert by_round["worst"]["chi_squared"] == pytest.approx(8)
    assert by_round["worst"]["p_degrees"] == 2
    assert by_round["worst"]["p"] == pytest.approx(np.exp(-4))
