"""Intervals by resampling items."""

import numpy as np
import pytest
from scipy import stats

from scoring.stats import intervals
from scoring.stats.agreement import inter_annotator, leave_one_out, with_others, with_stack
from scoring.stats.alpha import krippendorff_alpha
from scoring.stats.average_rater import average_rater
from scoring.stats.comparing import confidence_interval
from scoring.stats.intervals import alpha_with_interval, correlations_with_intervals
from scoring.stats.people import beside_others


def rated(items=40, raters=5, seed=3):
    """Ratings of items from 0 to 6, shape (items, raters)."""
    chance = np.random.default_rng(seed)
    values = chance.choice([0.0, 2.0, 3.0, 6.0], (items, 1)) + chance.normal(0, 1, (items, raters))
    return np.clip(np.round(values), 0, 6)


def columns(table, compared):
    return compared(np.repeat(np.arange(len(table)), table.shape[1]), table.ravel())


@pytest.mark.parametrize(("compared", "figure"), [(with_stack, inter_annotator), (with_others, leave_one_out)])
def test_intervals_are_those_of_resampled_items(compared, figure):
    items, values, means = columns(rated(), compared)
    chance, resampled = np.random.default_rng(1), []
    for _ in range(60):
        rows = np.concatenate([np.flatnonzero(items == item) for item in chance.integers(0, 40, 40)])
        drawn = values[rows], means[rows]
        resampled.append((stats.pearsonr(*drawn).statistic, stats.spearmanr(*drawn).statistic))
    reach = stats.t.ppf(0.975, 39) * np.arctanh(resampled).std(axis=0, ddof=1)
    whole = figure(items, values)
    centres = 2 * np.arctanh([whole.pearson, whole.spearman])
    centres -= np.arctanh(resampled).mean(axis=0)

    found = correlations_with_intervals(items, values, means, np.random.default_rng(1), replicates=60)

    for name, r, centre, own in zip(
        ("pearson", "spearman"), (whole.pearson, whole.spearman), centres, reach, strict=True
    ):
        assert found[name].value == pytest.approx(r)
        ends = np.tanh([centre - own, centre + own])
        assert (found[name].low, found[name].high) == pytest.approx(tuple(ends))


def test_ratings_of_an_item_are_not_independent():
    items, values, means = columns(rated(raters=9), with_stack)

    found = correlations_with_intervals(items, values, means, np.random.default_rng(1))["pearson"]

    alone = confidence_interval(found.value, len(values))
    assert found.low < alone.low and alone.high < found.high < 1


@pytest.mark.parametrize(
    "table", [rated(items=29), [[1, 1], [3, 3], [4, 4], [5, 5]] * 8, [[2, 2]] * 30, np.zeros((0, 2))]
)
def test_few_items_and_perfect_agreement_have_no_interval(table):
    found = correlations_with_intervals(
        *columns(np.array(table, dtype=float), with_stack), np.random.default_rng(1), replicates=20
    )

    assert np.isnan([[own.low, own.high] for own in found.values()]).all()


@pytest.mark.parametrize("items", [1, 2, 29])
def test_resamples_of_few_items_are_no_interval_of_alpha(items):
    table = rated(items=items)
    rows = np.repeat(np.arange(items), table.shape[1])

    found = alpha_with_interval(rows, table.ravel(), np.random.default_rng(1), replicates=20)

    assert not np.isnan(found.value) and np.isnan([found.low, found.high]).all()


def test_interval_of_alpha_is_that_of_resampled_items():
    table = rated(items=30)
    rows = np.repeat(np.arange(30), 5)

    found = alpha_with_interval(rows, table.ravel(), np.random.default_rng(1), replicates=400)

    chance, z = np.random.default_rng(2), np.arctanh(found.value)
    alphas = [krippendorff_alpha(rows, table[chance.integers(0, 30, 30)].ravel(), "interval") for _ in range(400)]
    spread = np.arctanh(alphas)
    reach = stats.t.ppf(0.975, 29) * spread.std(ddof=1) * np.array([-1, 1])
    assert np.arctanh([found.low, found.high]) == pytest.approx(2 * z - spread.mean() + reach, abs=0.06)


def average(table, pools=None, pool=0):
    """table: a row for each person."""
    people, items = table.shape
    pools = np.zeros(people, np.int64) if pools is None else np.array(pools)
    return average_rater(
        np.tile(np.arange(items), people), np.repeat(np.arange(people), items), table.ravel(), pools, pool
    )


def without_each(table, groups):
    """The interval of the average rater by leaving out groups of items; table: a row for each person."""
    parts = [np.arctanh(average(np.delete(table, group, axis=1)).value) for group in groups]
    error = np.sqrt((len(parts) - 1) / len(parts) * np.sum((parts - np.mean(parts)) ** 2))
    return tuple(np.tanh(stats.t.interval(0.95, len(parts) - 1, np.arctanh(average(table).value), error)))


def test_interval_of_the_average_rater_leaves_out_each_item_in_turn():
    table = rated(items=24).T

    found = average(table)

    each = [stats.pearsonr(own, (table.sum(axis=0) - own) / 4).statistic for own in table]
    assert found.value == pytest.approx(np.mean(each))
    assert (found.low, found.high) == pytest.approx(without_each(table, range(24)))
    assert average(table, [0, 1, 1, 1, 1]).value == pytest.approx(each[0])
    assert average(table, [0, 1, 1, 1, 1]).low < each[0] < average(table, [0, 1, 1, 1, 1]).high


def test_average_rater_of_few_items_has_no_interval():
    found = average(rated(items=19).T)

    assert 0 < found.value < 1 and np.isnan([found.low, found.high]).all()
    assert np.isnan(average(rated(items=24).T[:1]).value)


def test_of_many_items_groups_are_left_out():
    table = rated(items=250).T

    found = average(table)

    assert (found.low, found.high) == pytest.approx(without_each(table, [range(at, 250, 100) for at in range(100)]))


def test_without_answers_there_is_no_average_rater():
    nobody = np.zeros(0, np.int64)
    assert np.isnan(average_rater(nobody, nobody, np.zeros(0), np.array([-1]), 0).value)


def test_equal_ratings_of_an_item_are_counted_not_repeated(monkeypatch):
    items, values, means = columns(rated(items=30, raters=60), with_stack)

    found = correlations_with_intervals(items, values, means, np.random.default_rng(1), replicates=50)
    monkeypatch.setattr(intervals, "_distinct", lambda *columns: (slice(None), 1))
    plain = correlations_with_intervals(items, values, means, np.random.default_rng(1), replicates=50)

    for name, own in plain.items():
        assert (found[name].value, found[name].low, found[name].high) == pytest.approx((own.value, own.low, own.high))


def test_distinct_rows_and_how_often_they_occur():
    rows, times = intervals._distinct(*np.array([[0, 1, 0, 0, 1, 0], [2, 0, 2, 2, 0, 2], [1, 1, 1, 1, 1, 1]]))
    assert sorted(zip(rows.tolist(), times.tolist(), strict=True)) == [(0, 4), (1, 2)]
    assert intervals._distinct(np.array([0, 1, 1]), np.array([0, 0, 1])) == (slice(None), 1)


def test_a_person_with_two_pairs_has_no_correlation_with_the_others():
    units, people = np.array([0, 1, 2, 0, 1, 2, 0, 1]), np.array([0, 0, 0, 1, 1, 1, 2, 2])
    values = np.array([1.0, 2.0, 6.0, 2.0, 1.0, 5.0, 0.0, 6.0])

    beside = beside_others(units, people, values, np.ones(8, np.bool_), 3)

    assert np.isnan(beside.correlation).tolist() == [False, False, True]
    assert average_rater(units, people, values, np.zeros(3, np.int64), 0).value == pytest.approx(
        np.nanmean(beside.correlation)
    )
