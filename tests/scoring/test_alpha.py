import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from scoring.stats.alpha import Alphas, all_alphas, choices_alpha, krippendorff_alpha, slots_alpha, table_rows
from scoring.stats.choices import Choices
from tests.scoring.choosing import any_choices, choices_of, simulated

LEVELS = ["nominal", "ordinal", "interval", "ratio"]
MISSING = np.nan

# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", example C: observers A to D, units 1 to 12.
EXAMPLE = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, MISSING, MISSING, MISSING],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, MISSING, 3],
        [MISSING, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, MISSING],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, MISSING],
    ]
).T

tables = arrays(
    np.float64, st.tuples(st.integers(1, 8), st.integers(1, 5)), elements=st.sampled_from([*range(6), 2.5, MISSING])
)


def alpha_of(table, level):
    return krippendorff_alpha(*table_rows(table), level)


def test_alpha_of_krippendorffs_example():
    found = all_alphas(*table_rows(EXAMPLE))

    rounded = Alphas(*(round(value, 3) for value in (found.nominal, found.ordinal, found.interval, found.ratio)))
    assert rounded == Alphas(nominal=0.743, ordinal=0.815, interval=0.849, ratio=0.797)


def peer_alpha(table, level):
    """The krippendorff package, which raises where alpha is not defined."""
    pairable = table[(~np.isnan(table)).sum(axis=1) > 1]
    values = pairable[~np.isnan(pairable)]
    if not len(values) or np.ptp(values) == 0:
        return np.nan
    return krippendorff.alpha(reliability_data=pairable.T, level_of_measurement=level)


@pytest.mark.parametrize("level", LEVELS)
@given(tables)
def test_alpha_equals_the_krippendorff_package(level, table):
    assert alpha_of(table, level) == pytest.approx(peer_alpha(table, level), abs=1e-10, nan_ok=True)


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_of_a_scale_without_steps_equals_the_krippendorff_package(level):
    generator = np.random.default_rng(0)
    table = generator.random((80, 1)) * 5 + generator.random((80, 4))

    assert alpha_of(table, level) == pytest.approx(peer_alpha(table, level), abs=1e-10)


@pytest.mark.parametrize("level", LEVELS)
@given(tables)
def test_alpha_is_at_most_one(level, table):
    found = alpha_of(table, level)

    assert np.isnan(found) or found <= 1 + 1e-12


@pytest.mark.parametrize("level", LEVELS)
@given(tables, st.randoms())
def test_alpha_does_not_depend_on_the_order_of_units_raters_and_rows(level, table, random):
    shuffled = table[random.sample(range(len(table)), len(table))][
        :, random.sample(range(table.shape[1]), table.shape[1])
    ]
    units, values = table_rows(shuffled)
    order = np.array(random.sample(range(len(units)), len(units)), np.int64)

    found = krippendorff_alpha(units[order], values[order], level)

    assert found == pytest.approx(alpha_of(table, level), abs=1e-12, nan_ok=True)


@given(tables)
def test_nominal_alpha_does_not_depend_on_the_names_of_values(table):
    assert alpha_of(7.5 - table, "nominal") == pytest.approx(alpha_of(table, "nominal"), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("level", LEVELS)
@given(tables)
def test_alpha_of_raters_who_agree_is_one(level, table):
    assume(len(np.unique(table[:, 0][~np.isnan(table[:, 0])])) > 1)

    assert alpha_of(np.repeat(table[:, :1], 3, axis=1), level) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "table",
    [np.zeros((0, 3)), np.full((3, 2), MISSING), np.array([[1.0, MISSING], [2, MISSING]]), np.full((3, 3), 0.1)],
)
def test_alpha_without_pairs_or_differences_is_not_defined(level, table):
    assert np.isnan(alpha_of(table, level))


def test_alpha_of_a_ratio_below_zero_is_not_defined():
    table = np.array([[-1.0, 1.0], [2.0, 2.0]])

    assert np.isnan(alpha_of(table, "ratio"))
    assert not np.isnan(alpha_of(table, "interval"))


def test_integers_that_are_no_codes_are_labels_too():
    units, values = table_rows(EXAMPLE)
    named = values.astype(np.int64) * 1000 - 2000

    assert krippendorff_alpha(units, named, "nominal") == alpha_of(EXAMPLE, "nominal")


def test_missing_values_may_stand_in_rows():
    units = np.repeat(np.arange(12), 4)

    assert krippendorff_alpha(units, EXAMPLE.ravel(), "nominal") == alpha_of(EXAMPLE, "nominal")


def test_alpha_takes_integers():
    units, values = table_rows(EXAMPLE)

    assert all_alphas(units, values.astype(np.int64)) == all_alphas(units, values)


def choice_table(choices, labels):
    """Tuples by judgments."""
    table = np.full((choices.tuple_number, choices.judgments), MISSING)
    table[choices.tuples, np.arange(choices.judgments)] = labels
    return table


@given(any_choices())
def test_alpha_of_choices_is_nominal_alpha_of_tuples(choices):
    found = choices_alpha(choices)

    for value, labels in (
        (found.best.item, choices.best),
        (found.best.position, choices.best_position),
        (found.worst.item, choices.worst),
        (found.worst.position, choices.worst_position),
    ):
        assert value == pytest.approx(peer_alpha(choice_table(choices, labels), "nominal"), abs=1e-10, nan_ok=True)


def test_labels_by_item_and_by_position_differ():
    # Both people choose the same items, shown to them in different orders.
    rows = [([0, 1], 0, 1), ([1, 0], 0, 1), ([2, 3], 3, 2), ([3, 2], 3, 2)]

    found = choices_alpha(choices_of(rows, tuples=[0, 0, 1, 1]))

    assert found.best.item == found.worst.item == 1
    assert found.best.position == found.worst.position == -0.5


def test_a_slot_is_the_same_item_for_everybody():
    # As above: shown in different orders, but designed as 0, 1 and 2, 3.
    rows = [([0, 1], 0, 1), ([1, 0], 0, 1), ([2, 3], 3, 2), ([3, 2], 3, 2)]
    choices = choices_of(rows, tuples=[0, 0, 1, 1])

    assert slots_alpha(choices, np.array([[0, 1], [2, 3]])) == (1, 1)
    assert choices_alpha(choices).best.position == -0.5


def test_alpha_of_no_choices_is_not_defined():
    choices = choices_of([([0, 1], 0, 1)])

    assert np.isnan(choices_alpha(choices.keep(np.zeros(1, np.bool_))).worst.position)


def test_alpha_of_choices_without_a_second_judgment_is_not_defined():
    assert np.isnan(choices_alpha(choices_of([([0, 1], 0, 1)])).best.item)


def test_alpha_of_choices_does_not_depend_on_names():
    choices = simulated()
    names = np.random.default_rng(0).permutation(choices.number)

    other = choices_alpha(
        Choices(names[choices.items], names[choices.best], names[choices.worst], choices.tuples, None, choices.number)
    )

    assert other == choices_alpha(choices)
