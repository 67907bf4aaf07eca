from dataclasses import asdict

import numpy as np
import pytest

from scoring.stats.alpha import choices_alpha
from scoring.stats.choices import Choices
from scoring.stats.disagreement import tuple_disagreement
from scoring.stats.models import BestWorst
from scoring.stats.pairs import implied_pairs
from scoring.stats.people import same_choice_shares
from tests.scoring.choosing import choices_of


def parts():
    return {
        "items": np.array([[0, 1, 2], [2, 3, -1]]),
        "best": np.array([1, 3]),
        "worst": np.array([0, 2]),
        "tuples": np.array([0, 2]),
        "annotators": np.array([0, 0]),
        "number": 5,
    }


def test_choices_derive_positions_and_shown_items():
    choices = Choices(**parts())

    assert choices.judgments == 2
    assert choices.tuple_number == 3
    assert choices.best_position.tolist() == [1, 1]
    assert choices.worst_position.tolist() == [0, 0]
    assert [column.tolist() for column in choices.shown()] == [[0, 0, 0, 1, 1], [0, 1, 2, 2, 3]]
    assert choices.valid.all()
    assert choices.same_items


def test_choices_may_be_empty():
    none = np.zeros(0, np.int64)

    assert Choices(np.zeros((0, 4), np.int64), none, none, none, None, 3).tuple_number == 0


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("items", np.array([0, 1]), "a table"),
        ("best", np.array([1]), "best must have one entry"),
        ("annotators", np.array([1]), "annotators must have one entry"),
        ("worst", np.array([0.0, 2.0]), "integers"),
        ("tuples", np.array([0, -1]), "not be negative"),
        ("items", np.array([[0, 1, 2], [2, 3, 5]]), "from 0 to 4"),
        ("items", np.array([[0, 1, 2], [2, 3, -2]]), "from 0 to 4"),
        ("best", np.array([3, 3]), "best of every judgment"),
        ("worst", np.array([0, 0]), "worst of every judgment"),
    ],
)
def test_choices_that_do_not_fit_are_refused(name, value, message):
    with pytest.raises(ValueError, match=message):
        Choices(**{**parts(), name: value})


def test_invalid_rows_are_known_and_can_be_left_out():
    choices = choices_of([([0, 1, 2], 0, 0), ([0, 0, 2], 0, 2), ([0, 1], 1, 0)], annotators=[5, 6, 7])

    kept = choices.keep(choices.valid)

    assert choices.valid.tolist() == [False, False, True]
    assert (kept.items.tolist(), kept.annotators.tolist(), kept.number) == ([[0, 1, -1]], [7], 3)


def test_kept_rows_without_annotators_have_none():
    assert choices_of([([0, 1], 0, 1)]).keep(np.array([0])).annotators is None


def test_the_order_of_items_makes_no_other_tuple():
    assert choices_of([([0, 1], 0, 1), ([1, 0], 0, 1)], tuples=[0, 0]).same_items
    assert not choices_of([([0, 1], 0, 1), ([1, 2], 1, 2)], tuples=[0, 0]).same_items


def test_small_integers_are_enough_for_many_items_and_tuples():
    """Products of indexes exceed 32 bits from some 46,000 items and as many tuples."""
    number, rows = 100_000, np.repeat(np.arange(50_000), 2)
    items = np.stack([rows + 1, rows + 2, rows + 3, rows + 4], axis=1) + 40_000
    wide = Choices(items, items[:, 0], items[:, 1], rows, rows % 2, number)
    narrow = Choices(*(column.astype(np.int32) for column in (items, items[:, 0], items[:, 1], rows)), rows % 2, number)

    assert narrow.keys(narrow.best).max() > 2**32
    for of in (choices_alpha, tuple_disagreement, implied_pairs):
        np.testing.assert_equal(*(asdict(of(one)) for one in (narrow, wide)))
    np.testing.assert_array_equal(*(BestWorst(one).loss(np.zeros(number))[1] for one in (narrow, wide)))
    np.testing.assert_array_equal(
        *(same_choice_shares(one.tuples, one.best, np.ones(len(rows), np.bool_)) for one in (narrow, wide))
    )


def test_keeping_all_choices_copies_nothing():
    choices = Choices(**parts())
    assert choices.keep(np.ones(2, np.bool_)) is choices
    assert choices.keep(np.array([True, False])).judgments == 1
