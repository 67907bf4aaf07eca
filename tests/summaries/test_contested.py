"""The contested items of a run: how many, by which rule, and which ones."""

from dataclasses import replace

import numpy as np
import pytest

from scoring.exports.report import contested as tables
from scoring.figures.figure import FigureError
from scoring.figures.modes import plot_modes
from scoring.stats.contested import Steps, describe_ratings
from scoring.summaries.parts import compute
from tests.scoring.choosing import choices_of
from tests.summaries.snapshots import CHOOSING, FEW, SINGLE, choice_rows, items_of, ratings_of, snapshot_of

FIVE = replace(SINGLE, minimum=1.0, maximum=5.0, step=1.0)


def rated():
    """Pair 0 divides everybody, on pair 1 all agree, pair 2 is wide, and pair 3 has too few ratings."""
    answers = [[1.0] * 10 + [5.0] * 10, [3.0] * 20, [1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 5.0]]
    rows = [(item, rater, value) for item, own in enumerate(answers) for rater, value in enumerate(own)]
    return snapshot_of(items_of(4), ratings=ratings_of(rows), facts=FIVE)


def chosen():
    """Item 0 is best on two of five screens and worst on two."""
    rows = [((0, 1, 2), *own) for own in ((0, 1), (0, 2), (1, 0), (1, 0), (1, 2))]
    choices = choices_of(rows)
    items = items_of(3)
    return snapshot_of(items, choices=choice_rows(choices), tuples=choices.items, facts=CHOOSING)


def test_contested_pairs_with_their_rules():
    found = compute("contested", rated(), FEW, 1)["ratings"]["main"]["free"]

    numbers = {name: found[name] for name in ("items", "tested", "contested", "by_spread", "by_modes")}
    assert numbers == {"items": 4, "tested": 3, "contested": 2, "by_spread": 2, "by_modes": 1}
    assert found["share"] == pytest.approx(2 / 3)
    assert found["even_sd"] == pytest.approx(np.std([1, 2, 3, 4, 5]))
    assert [one["item"] for one in found["most"]] == ["i0", "i2"]
    assert found["most"][0]["p_adjusted"] == pytest.approx(3 * 0.0005)
    assert (found["modes"]["tested"], sum(found["modes"]["p_counts"])) == (3, 3)
    assert found["modes"]["p_at_most_05"] == pytest.approx(1 / 3)


def test_contested_items_of_choices():
    found = compute("contested", chosen(), FEW, 1)["choices"]

    assert (found["items"], found["tested"], found["contested"]) == (3, 3, 1)
    assert {name: found["most"][0][name] for name in ("item", "judgments", "best", "middle", "worst")} == {
        **{"item": "i0", "judgments": 5},
        **{"best": 2, "middle": 1, "worst": 2},
    }


def test_without_enough_ratings_nothing_is_tested_or_drawn():
    found = compute("contested", snapshot_of(items_of(1), ratings=ratings_of([(0, 0, 1.0)])), FEW, 1)

    own = found["ratings"]["main"]["free"]
    assert (own["tested"], own["share"], own["share_reason"]) == (0, None, "no item has 5 judgments")
    assert own["modes"]["p_at_most_05"] is None
    with pytest.raises(FigureError, match="No item has enough ratings"):
        plot_modes(np.array(own["modes"]["p_counts"]), 0)


def test_tables_of_ratings_and_choices():
    own = {"ratings": rated(), "choices": chosen()}
    results = {name: compute("contested", snapshot, FEW, 1)[name] for name, snapshot in own.items()}

    found = list(tables.contested({"contested": results}))

    assert [table.title for table in found] == [
        "Contested items by ratings",
        "main: items with the widest ratings",
        "Contested items by choices",
        "Items chosen both as best and as worst",
    ]
    assert [row.label for row in found[1].rows] == ["i0", "i2"]
    assert "at least 1.414" in found[0].note
    assert not list(tables.contested({}))


def test_the_figure_says_how_many_items_have_several_modes():
    figure = plot_modes(np.array([3, 1] + [0] * 18), 1)

    assert figure.rows[0] == (0.0, 0.05, 3, 0.75)
    assert "75% of the p-values are at most 0.05" in figure.description
    assert figure.description.endswith("1 item has more than one mode.")


def test_no_ratings_have_no_items():
    found = describe_ratings(np.array([], dtype=np.int64), np.array([]), Steps(1.0, 5.0, 1.0))

    assert (len(found.places), len(found.judgments), found.by_modes.sum()) == (0, 0, 0)
