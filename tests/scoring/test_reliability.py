import warnings
from collections import Counter
from itertools import permutations, product
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import pearsonr, spearmanr

from scoring.stats import joint
from scoring.stats.bws import best_worst_scores, count_choices
from scoring.stats.choices import Choices
from scoring.stats.halving import Dealer, half_patterns
from scoring.stats.reliability import halved_units, split_half, split_half_of_sets
from tests.scoring.choosing import any_choices, choices_of, simulated

WAYS = ["tuple", "judgment", "annotator"]


def one_by_one(choices, generator, splits, by):
    """Items, Spearman and Pearson of each split: the halves scored apart, and scipy."""
    units, groups = halved_units(choices, by)
    dealer = Dealer(groups)
    for side in dealer.sides(generator, splits).T:
        first = side[dealer.rows[units]] == 1
        halves = [best_worst_scores(count_choices(choices.keep(rows))) for rows in (first, ~first)]
        both = ~np.isnan(halves[0]) & ~np.isnan(halves[1])
        one, other = (half[both] for half in halves)
        if both.sum() < 2 or np.ptp(one) == 0 or np.ptp(other) == 0:
            yield both.sum(), np.nan, np.nan
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield both.sum(), spearmanr(one, other).statistic, pearsonr(one, other).statistic


def assert_every_split_equals_scipy(choices, splits, by, seed=3):
    found = split_half(choices, np.random.default_rng(seed), splits=splits, by=by)

    items, spearman, pearson = zip(*one_by_one(choices, np.random.default_rng(seed), splits, by), strict=True)
    assert found.items.tolist() == list(items)
    np.testing.assert_allclose(found.spearman, spearman, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.pearson, pearson, rtol=0, atol=1e-12)


@pytest.mark.parametrize("by", WAYS)
@pytest.mark.parametrize("judgments", [2, 3, 4, 5, 9, 12, 70])
def test_every_split_equals_scipy_with_equal_counts(judgments, by):
    assert_every_split_equals_scipy(simulated(judgments=judgments), 30, by)


def without(choices, share, seed=0):
    return choices.keep(np.random.default_rng(seed).random(choices.judgments) >= share)


@pytest.mark.parametrize("by", WAYS)
@pytest.mark.parametrize("missing", [0.05, 0.5, 0.9])
def test_every_split_equals_scipy_with_uneven_and_missing_counts(missing, by):
    assert_every_split_equals_scipy(without(simulated(items=60), missing), 30, by)


@pytest.mark.parametrize("by", WAYS)
def test_every_split_equals_scipy_with_mixed_sizes_and_appearances(by):
    generator = np.random.default_rng(2)
    rows, tuples = [], []
    for index in range(50):
        items = generator.choice(30, 2 + index % 4, replace=False).tolist()
        rows += [(items, *generator.choice(items, 2, replace=False).tolist())] * 4
        tuples += [index] * 4

    assert_every_split_equals_scipy(choices_of(rows, 31, tuples, generator.integers(0, 7, 200)), 30, by)


def test_every_split_equals_scipy_when_an_item_is_in_every_row():
    # A gold question: too many appearances for a table of fractions.
    choices = simulated(items=40, judgments=6)
    items = np.concatenate([choices.items, np.full((choices.judgments, 1), 40)], axis=1)

    assert_every_split_equals_scipy(Choices(items, choices.best, choices.worst, choices.tuples, None, 41), 20, "tuple")


def test_every_split_equals_scipy_when_all_items_are_shown_often():
    assert_every_split_equals_scipy(without(simulated(items=8, judgments=60), 0.1), 20, "judgment")


@pytest.mark.parametrize("by", WAYS)
def test_every_split_equals_scipy_when_sorted_in(by, monkeypatch):
    monkeypatch.setattr(joint, "TABLE_LIMIT", 3)

    assert_every_split_equals_scipy(without(simulated(judgments=2), 0.8), 20, by)


def test_every_split_equals_scipy_when_cells_would_be_too_many(monkeypatch):
    monkeypatch.setattr(joint, "MAXIMUM_CELLS", 10)

    assert_every_split_equals_scipy(simulated(), 20, "tuple")


def test_every_split_equals_scipy_when_a_tuple_shows_different_items():
    choices = simulated()

    assert_every_split_equals_scipy(
        Choices(choices.items, choices.best, choices.worst, choices.tuples // 2, None, choices.number), 20, "tuple"
    )


@settings(deadline=None)
@given(any_choices(), st.sampled_from(WAYS))
def test_every_split_equals_scipy_on_tiny_data(choices, by):
    assert_every_split_equals_scipy(choices, 5, by)


@pytest.mark.parametrize("by", WAYS)
def test_splits_do_not_depend_on_how_many_are_held_at_once(by):
    choices = without(simulated(judgments=10), 0.2)

    found = [split_half(choices, np.random.default_rng(8), splits=20, by=by, splits_at_once=at) for at in (1, 7, 64)]

    for other in found[1:]:
        np.testing.assert_array_equal(other.spearman, found[0].spearman)
        np.testing.assert_array_equal(other.pearson, found[0].pearson)


def test_halves_do_not_depend_on_names_of_tuples_that_keep_their_order():
    choices = simulated()
    names = Choices(choices.items, choices.best, choices.worst, 5 + 3 * choices.tuples, None, choices.number)

    one, other = (split_half(each, np.random.default_rng(0), splits=5) for each in (choices, names))

    np.testing.assert_array_equal(one.spearman, other.spearman)


@settings(deadline=None)
@given(any_choices(), st.sampled_from(WAYS), st.randoms())
def test_splits_do_not_depend_on_names_of_items_and_stay_in_range(choices, by, random):
    names = np.array(random.sample(range(choices.number), choices.number))
    items = np.where(choices.items < 0, -1, names[choices.items])
    renamed = Choices(
        items, names[choices.best], names[choices.worst], choices.tuples, choices.annotators, choices.number
    )

    one, other = (split_half(each, np.random.default_rng(0), splits=5, by=by) for each in (choices, renamed))

    for found, again in ((one.spearman, other.spearman), (one.pearson, other.pearson)):
        np.testing.assert_allclose(again, found, atol=1e-12)
        assert (np.isnan(found) | (np.abs(found) <= 1)).all()


def test_summary_of_defined_correlations():
    found = split_half(simulated(), np.random.default_rng(0), splits=200)

    spearman, pearson = found.summary()

    assert (spearman.mean, spearman.sd) == (found.spearman.mean(), found.spearman.std(ddof=1))
    assert (pearson.low, pearson.high) == tuple(np.percentile(found.pearson, [2.5, 97.5]))
    assert spearman.reason is None
    assert 0.5 < spearman.low < spearman.mean < spearman.high < 1


def test_one_split_has_no_deviation():
    spread, _ = split_half(simulated(), np.random.default_rng(0), splits=1).summary()

    assert np.isnan(spread.sd) and spread.mean == spread.low == spread.high
    assert spread.reason == "the standard deviation of a single split is not defined"


def test_one_judgment_has_no_reliability():
    spread, _ = split_half(choices_of([([0, 1, 2, 3], 0, 1)]), np.random.default_rng(0), splits=4).summary()

    assert np.isnan([spread.mean, spread.sd, spread.low, spread.high]).all()
    assert spread.reason == "no split has a correlation, because fewer than two items occur in both halves"


def test_equal_scores_have_no_reliability():
    rows = [([0, 1, 2], 0, 0), ([0, 1, 2], 1, 1)]

    spread, _ = split_half(choices_of(rows, tuples=[0, 0]), np.random.default_rng(0), splits=4).summary()

    assert spread.reason == "no split has a correlation, because all scores in one half are equal"


def test_some_undefined_splits_are_left_out_and_told():
    rows = [([0, 1], 0, 1), ([0, 1], 0, 1), ([0, 1], 0, 0), ([0, 1], 1, 1), ([2, 3], 2, 3)]
    found = split_half(choices_of(rows, tuples=[0] * 4 + [1]), np.random.default_rng(0), splits=50, by="tuple")

    undefined = int(np.isnan(found.spearman).sum())

    assert 0 < undefined < 50
    assert found.summary()[0].reason.startswith(f"{undefined} of 50 splits have no correlation, because all scores")


def test_split_half_without_a_base_is_refused():
    choices = simulated(people=3)
    nameless = Choices(choices.items, choices.best, choices.worst, choices.tuples, None, choices.number)

    with pytest.raises(ValueError, match="at least one judgment"):
        split_half(choices.keep(np.zeros(choices.judgments, np.bool_)), np.random.default_rng(0))
    with pytest.raises(ValueError, match="one split"):
        split_half(choices, np.random.default_rng(0), splits=0)
    with pytest.raises(ValueError, match="the annotator of every judgment"):
        split_half(nameless, np.random.default_rng(0), by="annotator")


@pytest.mark.parametrize("size", range(1, 9))
def test_patterns_are_all_ways_to_halve(size):
    patterns = half_patterns(size)

    assert len(set(patterns)) == len(patterns) == comb(size, size // 2) * (1 + size % 2)
    assert {pattern.bit_count() for pattern in patterns} == {size // 2, size - size // 2}


@pytest.mark.parametrize("size", [1, 2, 4, 5, 7, 8, 11, 64, 65, 200])
def test_groups_are_halved_and_every_unit_is_as_likely_in_either_half(size):
    groups = np.repeat([0, 4], size)
    dealer = Dealer(groups)

    sides = dealer.sides(np.random.default_rng(0), 4000)[dealer.rows]

    for group in (0, 4):
        assert set(sides[groups == group].sum(axis=0).tolist()) == {size // 2, size - size // 2}
    assert sides.mean(axis=1) == pytest.approx(0.5, abs=0.05)
    assert dealer.always_even == (size % 2 == 0)
    if size > 1:
        # Two units of the same group are together less often than not: (half - 1) / (size - 1).
        together = [comb(half, 2) + comb(size - half, 2) for half in (size // 2, size - size // 2)]
        assert np.mean(sides[0] == sides[1]) == pytest.approx(np.mean(together) / comb(size, 2), abs=0.05)


def dealt(size):
    """Every way to shuffle judgments and deal them in turn, from either half, as the rows of the first half."""
    return [order[start::2] for order in permutations(range(size)) for start in (0, 1)]


def test_reliability_is_that_of_all_ways_to_deal_the_judgments_of_each_tuple():
    # Tuples judged three, two and five times: one row is there twice, and one shows an item twice.
    tables = [(0, 1, 2, 3)] * 3 + [(1, 2, 4, 5)] * 2 + [(0, 3, 4, 4)] + [(0, 3, 4, 5)] * 4
    ends = [(0, 3), (0, 3), (2, 1), (1, 5), (4, 2), (0, 4), (0, 5), (5, 0), (3, 4), (0, 3)]
    rows = [(table, best, worst) for table, (best, worst) in zip(tables, ends, strict=True)]
    choices = choices_of(rows, tuples=[0] * 3 + [1] * 2 + [2] * 5)
    exact = []
    for parts in product(*(Counter(map(frozenset, dealt(size))).items() for size in (3, 2, 5))):
        first = np.zeros(10, np.bool_)
        for start, (part, _) in zip((0, 3, 5), parts, strict=True):
            first[[start + row for row in part]] = True
        halves = [best_worst_scores(count_choices(choices.keep(half))) for half in (first, ~first)]
        both = ~np.isnan(halves[0] + halves[1])
        exact += prod(times for _, times in parts) * [spearmanr(halves[0][both], halves[1][both]).statistic]

    found = split_half(choices, np.random.default_rng(5), splits=20_000).spearman

    assert len(exact) == 12 * 4 * 240 and len(set(np.round(exact, 9))) > 50
    assert found.mean() == pytest.approx(np.mean(exact), abs=4 * np.std(exact) / np.sqrt(20_000))
    for share in (0.1, 0.5, 0.9):
        at = np.quantile(exact, share) + 1e-9
        assert (found <= at).mean() == pytest.approx((np.array(exact) <= at).mean(), abs=0.015)


def test_progress_tells_how_many_splits_were_done():
    done = []

    split_half(simulated(), np.random.default_rng(0), splits=100, splits_at_once=40, progress=done.append)

    assert done == [40, 40, 20]


@pytest.mark.parametrize("missing", [0, 0.3])
@pytest.mark.parametrize("by", WAYS)
def test_sets_of_items_are_compared_by_the_halves_of_all_judgments(by, missing):
    choices = without(simulated(items=40), missing)
    sets = [np.arange(0, 30), np.arange(30, 40), np.array([7]), np.array([], dtype=np.int64)]

    found = split_half_of_sets(choices, np.random.default_rng(3), sets, splits=20, by=by)

    units, groups = halved_units(choices, by)
    dealer = Dealer(groups)
    sides = dealer.sides(np.random.default_rng(3), 20)
    for items, own in zip(sets, found, strict=True):
        for split, side in enumerate(sides.T):
            first = side[dealer.rows[units]] == 1
            halves = [best_worst_scores(count_choices(choices.keep(rows)))[items] for rows in (first, ~first)]
            both = ~np.isnan(halves[0]) & ~np.isnan(halves[1])
            if both.sum() < 2:
                assert np.isnan(own.spearman[split]) and own.items[split] < 2
            else:
                assert own.items[split] == both.sum()
                expected = spearmanr(halves[0][both], halves[1][both]).statistic
                assert own.spearman[split] == pytest.approx(expected, abs=1e-12)


def test_the_set_of_all_items_is_the_whole():
    choices = simulated(items=30)

    (found,) = split_half_of_sets(choices, np.random.default_rng(5), [np.arange(choices.number)], splits=10)

    whole = split_half(choices, np.random.default_rng(5), splits=10)
    assert found.spearman.tolist() == whole.spearman.tolist()
    assert found.pearson.tolist() == whole.pearson.tolist()
