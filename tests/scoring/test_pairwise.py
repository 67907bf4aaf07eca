from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from scoring.stats.pairwise import Pairwise, grouped, pairwise_choices, pairwise_correlations, principal_order
from tests.scoring.choosing import choices_of

NAN = np.nan


def of_table(rows):
    """The pairwise correlations of a table of people and items, NaN for missing."""
    table = np.array(rows, dtype=float)
    people, items = np.nonzero(~np.isnan(table))
    return pairwise_correlations(items, people, table[people, items], len(table))


def test_correlations_of_every_two_people_are_those_of_scipy_over_the_items_of_both():
    rows = np.round(np.random.default_rng(3).uniform(0, 6, (7, 40)), 1)
    rows[np.random.default_rng(4).random(rows.shape) < 0.4] = NAN

    found = of_table(rows)

    for one in range(7):
        for other in range(one):
            both = ~np.isnan(rows[one]) & ~np.isnan(rows[other])
            assert found.overlap[one, other] == found.overlap[other, one] == both.sum()
            expected = stats.pearsonr(rows[one, both], rows[other, both]).statistic
            assert found.agreement[one, other] == pytest.approx(expected)
    assert np.isnan(np.diag(found.agreement)).all()
    assert not np.diag(found.overlap).any()


def test_correlations_of_two_items_or_of_equal_ratings_are_not_defined():
    found = of_table([[1, 2, NAN, NAN], [1, 2, 3, 4], [0.1, 0.1, 0.1, 0.1], [4, 3, 2, 1]])

    assert np.isnan(found.agreement[0]).all()
    assert np.isnan(found.agreement[2]).all()
    assert found.agreement[1, 3] == pytest.approx(-1)
    assert found.overlap[0].tolist() == [0, 2, 2, 2]


def test_repeated_ratings_of_an_item_are_their_mean():
    items, people = np.array([0, 0, 1, 2, 0, 1, 2]), np.array([0, 0, 0, 0, 1, 1, 1])
    found = pairwise_correlations(items, people, np.array([1.0, 3.0, 4.0, 6.0, 2.0, 4.0, 6.0]), 2)

    assert found.overlap[0, 1] == 3
    assert found.agreement[0, 1] == pytest.approx(1)


def test_choices_agree_above_chance_in_the_tuples_of_both():
    rows = [
        ((0, 1, 2, 3), 0, 3),
        ((4, 5, 6, 7), 4, 7),
        ((3, 2, 1, 0), 0, 2),
        ((4, 5, 6, 7), 5, 7),
        ((0, 1, 2, 3), 1, 0),
    ]
    choices = choices_of(rows, number=8, tuples=[0, 1, 0, 1, 0], annotators=[0, 0, 1, 1, 2])

    found = pairwise_choices(choices, 4, 3)

    assert found.overlap.tolist() == [[0, 2, 1], [2, 0, 1], [1, 1, 0]]
    # Of four answers the first two people share two: the best of one tuple and the worst of the other.
    assert found.agreement[0, 1] == pytest.approx((2 / 4 - 1 / 4) / (3 / 4))
    assert found.agreement[0, 2] == pytest.approx(-1 / 3)


def test_choices_without_annotators_are_refused():
    choices = replace(choices_of([((0, 1), 0, 1)], number=2, tuples=[0], annotators=[0]), annotators=None)

    with pytest.raises(ValueError, match="unknown"):
        pairwise_choices(choices, 2, 1)


def test_order_puts_people_who_agree_with_the_same_others_together():
    camps = np.array([0, 1, 0, 1, 1, 0])
    agreement = np.where(camps[:, None] == camps[None, :], 0.9, 0.1)
    np.fill_diagonal(agreement, NAN)

    order = principal_order(Pairwise(np.full((6, 6), 9), agreement))

    assert sorted(order) == list(range(6))
    assert len(set(camps[order][:3])) == len(set(camps[order][3:])) == 1


def test_order_without_differences_is_that_of_the_people():
    agreement = np.full((3, 3), 0.5)

    assert principal_order(Pairwise(np.full((3, 3), 9), agreement)).tolist() == [0, 1, 2]
    assert principal_order(Pairwise(np.zeros((3, 3), int), np.full((3, 3), NAN))).tolist() == [0, 1, 2]


def test_groups_add_overlaps_and_average_agreement_by_them():
    overlap = np.array([[0, 10, 2], [10, 0, 6], [2, 6, 0]])
    agreement = np.array([[NAN, 0.5, 0.2], [0.5, NAN, 0.6], [0.2, 0.6, NAN]])

    found = grouped(Pairwise(overlap, agreement), [np.array([0, 1]), np.array([2])])

    assert found.overlap.tolist() == [[10, 8], [8, 0]]
    assert found.agreement[0, 0] == pytest.approx(0.5)
    assert found.agreement[0, 1] == pytest.approx((2 * 0.2 + 6 * 0.6) / 8)
    assert np.isnan(found.agreement[1, 1])
