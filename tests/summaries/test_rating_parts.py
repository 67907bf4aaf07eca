from dataclasses import replace
from statistics import fmean, stdev
from zlib import crc32

import numpy as np
import pytest
from scipy import stats

from scoring.stats.intervals import correlations_of_repeats
from scoring.stats.rating_halves import split_half_of_ratings
from scoring.summaries.halves import join
from scoring.summaries.intervals import mean_bounds
from scoring.summaries.merge import merge
from scoring.summaries.parts import Parameters, compute
from tests.summaries.snapshots import (
    CZECH,
    FEW,
    SINGLE,
    czech_snapshot,
    integers,
    items_of,
    participations_of,
    ratings_of,
    results_of,
    snapshot_of,
)

NAN = np.nan
BOTH = replace(SINGLE, contexts=(("free", "dependent"),))


def table(rows, **columns):
    """A snapshot of one round and context from a table of values, a row for each rater, NaN for missing."""
    found = [(item, rater, value) for rater, row in enumerate(rows) for item, value in enumerate(row)]
    return snapshot_of(items_of(len(rows[0]), **columns), ratings=ratings_of(found))


def part(key, snapshot, parameters=FEW):
    return compute(key, snapshot, parameters, 1)


def only(key, snapshot):
    return part(key, snapshot)["main"]["free"]


def test_scores_are_mean_and_deviation_of_every_pair_without_calibration_pairs():
    # As STSS-131 prints them, X and S: by Python's statistics, independent of ours.
    rows = [[0.1, 2.5, 3.9, 4.0], [0.2, 3.0, NAN, 4.0], [0.2, 2.6, NAN, 4.0]]
    snapshot = table(rows, calibration=np.arange(4) == 3)

    found = only("scores", snapshot)

    assert found["item"] == ["i0", "i1", "i2"]
    assert found["mean"] == pytest.approx([fmean([0.1, 0.2, 0.2]), fmean([2.5, 3.0, 2.6]), 3.9])
    assert found["mean_rounded"] == [0.17, 2.7, 3.9]
    assert found["sd"] == pytest.approx([stdev([0.1, 0.2, 0.2]), stdev([2.5, 3.0, 2.6]), None])
    assert found["sd_rounded"] == [0.06, 0.26, None]
    assert (
        found["sd_reason"] == found["sd_rounded_reason"] == "the standard deviation of a single rating is not defined"
    )
    assert (found["ratings"], found["decimals"]) == ([3, 3, 1], 2)
    assert found["means"]["number"] == 3
    assert found["means"]["median"] == pytest.approx(2.7)


def test_a_mean_is_rounded_half_to_the_even_neighbour():
    # 2.67 and 2.68: their mean is exactly 2.675
    assert only("scores", table([[2.67], [2.68]]))["mean_rounded"] == [2.68]
    assert only("scores", table([[2.66], [2.67]]))["mean_rounded"] == [2.66]


def test_a_round_without_ratings_has_empty_scores_and_undefined_agreement():
    snapshot = replace(table([[1.0], [2.0]]), facts=replace(SINGLE, rounds=("main", "more"), contexts=(("free",),) * 2))

    scores, agreement = (part(key, snapshot)["more"]["free"] for key in ("scores", "agreement"))

    assert (scores["item"], scores["mean"], scores["means"]["mean"]) == ([], [], None)
    assert scores["means"]["mean_reason"] == scores["means"]["sd_reason"] == "no item was rated"
    assert (agreement["items"], agreement["annotators"], agreement["ratings"]) == (0, 0, 0)
    assert all(agreement["alpha"][level] is None for level in ("nominal", "ordinal", "interval", "ratio"))
    assert agreement["mse_bound_reason"] == "no item has more than three ratings"


def test_alpha_of_krippendorffs_own_example():
    # Krippendorff 2011, four observers and twelve units: .743, .815, .849, .797
    data = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]

    alpha = only("agreement", table(data))["alpha"]

    assert {level: round(alpha[level], 3) for level in ("nominal", "ordinal", "interval", "ratio")} == {
        "nominal": 0.743,
        "ordinal": 0.815,
        "interval": 0.849,
        "ratio": 0.797,
    }


def interval_without_each(data, pools, pool):
    """Of the mean correlation of a pool's raters with the others, by leaving out each item; data: raters by items."""

    def z(table):
        others = (table.sum(axis=0) - table) / (len(table) - 1)
        own = [one for one in range(len(pools)) if pools[one] == pool and np.ptp(table[one]) > 0]
        return np.arctanh(np.mean([stats.pearsonr(table[one], others[one]).statistic for one in own]))

    number = data.shape[1]
    each = np.array([z(np.delete(data, item, axis=1)) for item in range(number)])
    error = np.sqrt((number - 1) / number * np.sum((each - each.mean()) ** 2))
    return tuple(np.tanh(stats.t.interval(0.95, number - 1, z(data), error)))


def test_agreement_of_shrout_and_fleiss():
    # Shrout and Fleiss 1979, table 2: ICC(1,1) = .17 and ICC(1,4) = .44
    data = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=float)

    found = only("agreement", table(data.T.tolist()))

    assert (found["items"], found["annotators"], found["ratings"]) == (6, 4, 24)
    assert (round(found["icc"]["icc1"], 2), round(found["icc"]["icc1k"], 2)) == (0.17, 0.44)
    means = data.mean(axis=1, keepdims=True) * np.ones(4)
    others = (data.sum(axis=1, keepdims=True) - data) / 3
    assert found["inter"]["pearson"] == pytest.approx(stats.pearsonr(data.ravel(), means.ravel()).statistic)
    assert found["inter"]["mse"] == pytest.approx(np.mean((data - means) ** 2))
    assert found["leave_one_out"]["spearman"] == pytest.approx(stats.spearmanr(data.ravel(), others.ravel()).statistic)
    # Czech News 6: (n - 1) / (n - 3) s^2 / n with n = 4
    assert found["mse_bound"] == pytest.approx(np.mean(3 / 1 * data.var(axis=1, ddof=1) / 4))
    each = [stats.pearsonr(data[:, rater], others[:, rater]).statistic for rater in range(4)]
    assert found["average_rater"] == pytest.approx(np.mean(each))
    fewer = "fewer than 30 items"
    assert (found["average_rater_low"], "fewer than 20 items" in found["average_rater_low_reason"]) == (None, True)
    assert (found["alpha"]["interval_low"], fewer in found["alpha"]["interval_low_reason"]) == (None, True)
    for name in ("inter", "leave_one_out"):
        for r in ("pearson", "spearman"):
            assert (found[name][f"{r}_low"], fewer in found[name][f"{r}_high_reason"]) == (None, True)


def test_agreement_of_thirty_items_has_intervals():
    chance = np.random.default_rng(4)
    data = np.clip(chance.uniform(0, 6, 30) + chance.normal(0, 1, (4, 30)), 0, 6)

    found = only("agreement", table(data.tolist()))

    assert (found["average_rater_low"], found["average_rater_high"]) == pytest.approx(
        interval_without_each(data, "aaaa", "a")
    )
    assert found["alpha"]["interval_low"] < found["alpha"]["interval"] < found["alpha"]["interval_high"]
    for name in ("inter", "leave_one_out"):
        for r in ("pearson", "spearman"):
            assert -1 < found[name][f"{r}_low"] < found[name][r] < found[name][f"{r}_high"] < 1


def test_one_rater_has_undefined_agreement_with_reasons():
    found = only("agreement", table([[1.0, 2.0, 3.0]]))

    assert found["alpha"]["interval"] is None
    assert "no item has two ratings" in found["alpha"]["interval_reason"]
    assert (found["icc"]["icc1"], found["mse_bound"], found["average_rater"]) == (None, None, None)
    assert found["leave_one_out"]["mse_reason"].startswith("no item has two ratings")
    assert found["average_rater_reason"].startswith("no annotator shares")


def test_single_ratings_are_left_out_of_agreement():
    rows = [(0, 0, 1.0), (0, 1, 3.0), (1, 0, 2.0), (1, 1, 6.0), (2, 0, 0.0), (3, 1, 5.0)]

    found = only("agreement", snapshot_of(items_of(4), ratings=ratings_of(rows)))
    alone = only("agreement", snapshot_of(items_of(4), ratings=ratings_of(rows[4:])))

    assert (found["items"], found["ratings"]) == (4, 6)
    assert (found["items_compared"], found["ratings_compared"]) == (2, 4)
    assert found["inter"]["mse"] == pytest.approx((1 + 1 + 4 + 4) / 4)
    assert (alone["items_compared"], alone["inter"]["pearson"], alone["inter"]["mse"]) == (0, None, None)
    assert alone["inter"]["mse_reason"].startswith("no item has two ratings")


def test_ratings_of_the_excluded_are_in_no_score():
    ratings = ratings_of([(0, 0, 1.0), (0, 1, 2.0), (0, 2, 4.0)], counted=np.array([True, True, False]))
    snapshot = snapshot_of(items_of(1), ratings=ratings)

    assert only("scores", snapshot)["mean"] == [1.5]
    assert only("agreement", snapshot)["annotators"] == 2


def test_intra_compares_the_same_person_pair_and_context():
    rows = [
        *[(0, 0, 1.0, 0, "free"), (0, 0, 2.0, 0, "dependent"), (1, 0, 4.0, 0, "free"), (1, 0, 5.0, 0, "dependent")],
        *[(0, 1, 6.0, 0, "free"), (0, 1, 3.0, 1, "free")],
        (0, 0, 2.0, 1, "free", "intra"),
        (0, 0, 2.0, 1, "dependent", "intra"),
        (1, 0, 4.0, 1, "free", "intra"),
        (1, 0, 3.0, 1, "dependent", "intra"),
        (1, 1, 3.0, 1, "free", "intra"),
    ]
    snapshot = snapshot_of(items_of(2), ratings=ratings_of(rows), facts=CZECH)

    found = part("intra", snapshot)

    assert list(found) == ["R3"]
    own = found["R3"]["R2"]
    assert (own["ratings"], own["annotators"]) == (4, 1)
    assert own["both"]["mse"] == pytest.approx((1 + 0 + 0 + 4) / 4)
    assert own["free"]["pearson"] == pytest.approx(1)
    assert own["free"]["mse"] == pytest.approx(0.5)
    assert (own["free"]["ratings"], own["dependent"]["ratings"], own["free"]["pearson_low"]) == (2, 2, None)
    assert own["both"]["pearson_low_reason"] == "fewer than 12 annotators"
    assert own["dependent"]["pearson"] == pytest.approx(1)
    assert own["dependent"]["mse"] == pytest.approx(2)
    assert (
        "fewer than two ratings were repeated"
        in part("intra", replace(snapshot, ratings=ratings_of(rows[:6] + rows[-1:])))["R3"]["R2"]["both"][
            "pearson_reason"
        ]
    )


def test_intervals_of_intra_are_by_resampling_people_and_pairs():
    chance = np.random.default_rng(3)
    values = chance.integers(0, 7, (12, 30)).astype(float)
    again = np.clip(values + chance.normal(0, 1, values.shape), 0, 6)
    rows = [(item, rater, values[rater, item], 0) for rater in range(12) for item in range(30)]
    rows += [(item, rater, again[rater, item], 1, "free", "intra") for rater in range(12) for item in range(30)]
    snapshot = snapshot_of(items_of(30), ratings=ratings_of(rows), facts=CZECH)

    own = part("intra", snapshot)["R3"]["R2"]["both"]

    resampled, people = np.random.default_rng([1, crc32(b"intra")]), np.repeat(np.arange(12), 30)
    columns = people, np.tile(np.arange(30), 12), values.ravel(), again.ravel()
    expected = correlations_of_repeats(*columns, resampled, replicates=FEW.replicates)
    assert (own["pearson_low"], own["pearson_high"]) == pytest.approx(
        (expected["pearson"].low, expected["pearson"].high)
    )
    assert own["pearson_low"] < own["pearson"] < own["pearson_high"]


def shifted():
    free, dependent = [[1, 2, 1], [0, 0, 0]], [[2, 3, 4], [0, 0, 0]]
    rows = [
        (item, rater, float(value), 0, context)
        for context, values in (("free", free), ("dependent", dependent))
        for item, row in enumerate(values)
        for rater, value in enumerate(row)
    ]
    return snapshot_of(items_of(3), ratings=ratings_of([*rows, (2, 0, 1.0, 0, "free")]), facts=BOTH)


def test_context_shift_has_three_tests_gains_and_rejections():
    found = part("context_shift", shifted())["main"]

    assert found["item"] == ["i0", "i1"]
    assert found["gain"] == pytest.approx([3 - 4 / 3, 0])
    student, welch = (stats.ttest_ind([1, 2, 1], [2, 3, 4], equal_var=equal).pvalue for equal in (True, False))
    paired = stats.ttest_rel([1, 2, 1], [2, 3, 4]).pvalue
    assert found["p_values"]["student"] == pytest.approx([student, None])
    assert found["p_values"]["welch"] == pytest.approx([welch, None])
    assert found["p_values"]["paired"] == pytest.approx([paired, None])
    assert found["p_values"]["paired_reason"] == "no rating changed"
    assert found["p_values"]["student_bh"] == pytest.approx([student, None])  # one test that is defined
    assert found["rejected"]["paired_bh"]["0.10"] == found["rejected"]["paired"]["0.10"]
    assert found["gains"]["mean"] == pytest.approx(5 / 6)
    assert (found["gains"]["mean_low"], found["gains"]["mean_low_reason"]) == (None, "fewer than 64 values")
    assert found["means"]["mse"] == pytest.approx((5 / 3) ** 2 / 2)
    assert found["means"]["pearson_low_reason"] == "fewer than 10 pairs of values"
    assert found["gains"]["sd"] == pytest.approx(np.std([5 / 3, 0], ddof=1))
    assert found["gains"]["median"] == pytest.approx(5 / 6)
    assert (student < 0.1, student > 0.05) == (True, True)
    rejected = found["rejected"]["student"]
    assert (rejected["0.01"], rejected["0.05"], rejected["0.10"]) == (0, 0, 0.5)
    assert len(rejected["curve"]) == len(found["levels"]) == 101
    assert rejected["curve"][10] == rejected["0.10"]
    assert rejected["curve"][100] == 0.5  # a pair without a p-value is never rejected, and counts
    assert rejected["tested"] == 1


def test_single_ratings_in_both_contexts_have_no_rejections():
    rows = [(item, 0, float(item + place), 0, ("free", "dependent")[place]) for item in range(3) for place in (0, 1)]

    found = part("context_shift", snapshot_of(items_of(3), ratings=ratings_of(rows), facts=BOTH))["main"]

    assert found["rejected"]["student"]["tested"] == 0
    assert (found["rejected"]["student"]["0.05"], found["rejected"]["student"]["curve"]) == (None, None)
    assert found["rejected"]["student"]["0.05_reason"].startswith("fewer than two ratings in a context")
    assert found["rejected"]["paired"]["curve_reason"].startswith("fewer than two annotators rated the pair")


def test_a_round_without_pairs_in_both_contexts_has_no_rejections():
    found = part("context_shift", snapshot_of(items_of(1), ratings=ratings_of([(0, 0, 1.0)]), facts=BOTH))["main"]

    assert (found["item"], found["gains"]["mean"]) == ([], None)
    assert found["rejected"]["welch"]["0.05"] is None
    assert found["rejected"]["welch"]["curve_reason"] == "no pair was rated in both contexts"


def residual_correlation(one, other, given):
    """The partial correlation in another way: of what a straight line on the third leaves."""
    left = [values - np.polyval(np.polyfit(given, values, 1), given) for values in (one, other)]
    return stats.pearsonr(*left).statistic


def test_correlations_with_the_selection_pairwise_partial_and_filtered():
    snapshot = czech_snapshot(pairs=30, stack=5)
    scores = part("scores", snapshot)["R3"]
    free, dependent = (np.array(scores[context]["mean"]) for context in ("free", "dependent"))
    r1 = snapshot.items.selected[:30]

    found = part("correlations", snapshot)

    assert list(found) == ["R2", "R3"]
    own = found["R3"]["unfiltered"]
    assert own["pairs"] == 30
    assert own["r1_free"] == pytest.approx(stats.pearsonr(r1, free).statistic)
    assert own["r1_dependent"] == pytest.approx(stats.pearsonr(r1, dependent).statistic)
    assert own["free_dependent"] == pytest.approx(stats.pearsonr(free, dependent).statistic)
    assert own["partial"] == pytest.approx(residual_correlation(free, dependent, r1))
    interval = stats.pearsonr(free, dependent).confidence_interval(0.95)
    assert (own["free_dependent_low"], own["free_dependent_high"]) == pytest.approx(tuple(interval))
    # Fisher 1924: a variable that is held constant takes one from n
    reach = 1.959964 / np.sqrt(30 - 1 - 3)
    assert np.arctanh(own["partial_low"]) == pytest.approx(np.arctanh(own["partial"]) - reach, rel=1e-5)
    kept = np.abs(r1 - np.array([6, 3, 0])[snapshot.items.roles[:30]]) <= 1
    near = found["R3"]["N1"]
    assert 0 < near["pairs"] == kept.sum() < 30
    assert near["r1_free"] == pytest.approx(stats.pearsonr(r1[kept], free[kept]).statistic)
    random = found["R3"]["N1_rand"]
    assert random["pairs"] == kept.sum()
    assert -1 <= random["r1_free_low"] <= random["r1_free"] <= random["r1_free_high"] <= 1


def test_a_random_subset_of_all_pairs_is_all_pairs():
    snapshot = czech_snapshot(pairs=30, stack=5)
    everything = np.array([6.0, 3.0, 0.0])[snapshot.items.roles]
    snapshot = replace(snapshot, items=replace(snapshot.items, selected=everything))

    found = part("correlations", snapshot, Parameters(subsets=3))["R3"]

    assert found["N2"] == found["unfiltered"]
    for name in ("r1_free", "r1_dependent", "free_dependent", "partial"):
        assert [found["N2_rand"][name + end] for end in ("", "_low", "_high")] == pytest.approx(
            [found["unfiltered"][name]] * 3
        )


def test_a_filter_that_keeps_no_pair_leaves_correlations_undefined():
    items = items_of(2, roles=integers(0, 2), selected=np.array([0.0, 6.0]))
    rows = [
        (item, rater, item + rater, 0, context)
        for item in (0, 1)
        for rater in (0, 1)
        for context in ("free", "dependent")
    ]

    found = part("correlations", snapshot_of(items, ratings=ratings_of(rows), facts=CZECH))["R2"]

    assert (found["N1_rand"]["pairs"], found["N1_rand"]["r1_free"], found["N1_rand"]["partial"]) == (0, None, None)
    assert found["N1_rand"]["r1_free_reason"].startswith("the filter keeps no pair")
    assert found["unfiltered"]["partial_reason"].endswith("explains all variance")


def test_filters_count_all_training_pairs_and_roles():
    items = items_of(
        6,
        roles=integers(0, 0, 1, 2, 2, 0),
        selected=np.array([6, 4, 5, 1, 3, 6.0]),
        unvalidated=np.array([True, False, True, True, False, False]),
        calibration=np.arange(6) == 5,
    )

    found = part("filters", snapshot_of(items, facts=CZECH))

    assert found["all"] == {"raw": 5, "N2": 4, "N1": 2}
    assert found["unvalidated"] == {"raw": 3, "N2": 3, "N1": 2}
    assert found["roles"]["A"] == {
        "expected": 6.0,
        "raw": 2,
        "N2": 2,
        "N1": 1,
        "frequency": {"values": [4.0, 6.0], "pairs": [1, 1]},
    }
    assert found["roles"]["C"]["frequency"] == {"values": [1.0, 3.0], "pairs": [1, 1]}


def test_filters_without_roles_keep_nothing():
    items = items_of(1, selected=np.array([3.0]))
    from_elsewhere = snapshot_of(items, facts=replace(CZECH, roles=(), expected=()))

    assert part("filters", from_elsewhere) == {
        "all": {"raw": 0, "N2": 0, "N1": 0},
        "unvalidated": {"raw": 0, "N2": 0, "N1": 0},
        "roles": {},
    }


def test_curves_by_thinking_time_and_practice():
    items = items_of(3, selected=np.array([1.0, 3.0, NAN]))
    rows = [(0, 0, 2.0), (1, 0, 3.0), (2, 0, 1.0), (0, 1, 1.0), (1, 1, 5.0), (1, 2, 1.0, 0, "free", "intra")]
    ratings = ratings_of(rows, thinking_ms=np.array([900, 1500, 1600, 100, 1999, 50]))
    snapshot = snapshot_of(items, ratings=ratings)

    assert only("curves.thinking_time", snapshot) == {
        "seconds": [0, 1],
        "rmse": pytest.approx([np.sqrt((1 + 0) / 2), np.sqrt((0 + 4) / 2)]),
        "ratings": [2, 2],
    }
    practice = only("curves.practice", snapshot)
    assert practice == {
        "ratings_made": [0, 1],
        "pearson": [None, None],
        "pearson_reason": "fewer than two ratings at that point, or no variance among them",
        "ratings": [2, 2],
    }


def test_the_practice_curve_counts_calibration_pairs():
    found = part("curves.practice", czech_snapshot())["R3"]

    assert sum(found["free"]["ratings"]) == 30 * 9 + 2 * 10
    assert found["free"]["ratings_made"][0] == 0
    assert all(-1 <= r <= 1 for r in found["free"]["pearson"] if r is not None)


def test_calibration_counts_for_no_score_and_is_in_the_curve_unless_its_person_is_excluded():
    whole = czech_snapshot()
    own = whole.participations
    states = tuple("excluded" if rater == 0 else state for rater, state in zip(own.raters, own.states, strict=True))
    counted = ~whole.calibrating & (whole.ratings.raters != 0)
    snapshot = replace(
        whole, ratings=replace(whole.ratings, counted=counted), participations=replace(own, states=states)
    )

    found = part("curves.practice", snapshot)["R3"]["free"]["ratings"]

    ratings = whole.ratings
    others = (ratings.rounds == 1) & (ratings.contexts == 0) & (ratings.blocks != 2) & (ratings.raters != 0)
    assert sum(found) == others.sum() > (others & counted).sum()


def test_waiting_is_told_by_round():
    people = participations_of(
        [(0, 0, "", "finished", 30.0), (1, 0, "", "resting"), (0, 1), (2, 0, "", "finished", 3.5)]
    )
    snapshot = snapshot_of(items_of(1), ratings=ratings_of([(0, 2, 1.0)]), facts=CZECH, participations=people)

    found = part("curves.waiting", snapshot)

    assert (found["R2"]["people"], found["R2"]["hours"]) == (2, [3.5, 30.0])
    assert [found["R2"]["share"][hours] for hours in (0, 3, 4, 30, 31, 168)] == [0, 0, 0.5, 0.5, 1, 1]
    assert (found["R3"]["share"], found["R3"]["people"]) == (None, 0)
    assert found["R3"]["share_reason"] == "no annotator has started a second session yet"


def test_everybody_has_a_report_and_the_excluded_touch_nobody():
    rows = [(0, 0, 1.0), (1, 0, 1.0), (2, 0, 4.0), (0, 1, 2.0), (1, 1, 2.0), (0, 2, 4.0), (1, 2, 0.0)]
    times = np.array([1000, 2000, 6000, NAN, NAN, 500, 700])
    ratings = ratings_of(rows, thinking_ms=times, counted=np.array([True] * 5 + [False] * 2))
    people = participations_of(
        [(0, 0, "students"), (1, 0, "crowd"), (2, 0, "crowd", "excluded"), (3, 0, "crowd", "invited"), (4, 0)]
    )
    snapshot = snapshot_of(items_of(4), ratings=ratings, participations=people, people=5)

    first, second, excluded, invited, last = part("people", snapshot)["main"]

    assert first == {
        "annotator": "p0",
        "pool": "students",
        "state": "finished",
        "ratings": 3,
        "bias": -1.0,
        "rmse": 1.0,
        "correlation": None,
        "correlation_reason": (
            "fewer than three pairs in common with other annotators, or no variance among the ratings"
        ),
        "scale_used": 0.75,
        "longest_run": 2,
        "median_seconds": 2.0,
    }
    assert (second["bias"], second["median_seconds"]) == (1.0, None)
    assert (excluded["state"], excluded["ratings"], excluded["bias"]) == ("excluded", 2, pytest.approx(0.5))
    assert excluded["median_seconds"] == pytest.approx(0.6)
    assert (invited["ratings"], invited["bias_reason"]) == (0, "no other annotator rated the same pairs")
    assert (last["ratings"], last["longest_run"], last["scale_used"]) == (0, 0, None)


def test_means_of_pools_have_intervals():
    chance = np.random.default_rng(4)
    data, pools = chance.uniform(0, 4, 20) + chance.normal(0, 1, (4, 20)), ("a", "a", "b", "b")
    people = participations_of([(rater, 0, pool) for rater, pool in enumerate(pools)])

    found = only("raters", replace(table(data.tolist()), participations=people))

    typical, (_, second) = found["typical"], found["pools"]
    assert (typical["mean_low"], typical["mean_high"]) == pytest.approx(interval_without_each(data, "cccc", "c"))
    assert (second["mean_low"], second["mean_high"]) == pytest.approx(interval_without_each(data, pools, "b"))


def test_mean_gain_has_an_interval_within_the_scale():
    gains = np.concatenate([np.full(63, 4.0), [-4.0]])

    found = mean_bounds("mean", gains, 4.0)

    low, high = stats.t.interval(0.95, 63, gains.mean(), stats.sem(gains))
    assert (found["mean_low"], found["mean_high"]) == (pytest.approx(low), 4.0)
    assert high > 4


def test_raters_are_told_by_pool_and_pools_compared():
    # Two of the one pool follow the pairs, and two of the other half; the last is alone and always says the same.
    rows = [[0, 1, 2, 3, 4, 4], [0, 1, 3, 3, 4, 3], [1, 0, 2, 4, 3, 1], [2, 0, 1, 3, 0, 4], [2, 2, 2, 2, 2, 2]]
    pools = ("students", "students", "crowd", "crowd", "more")
    people = participations_of([(rater, 0, pool) for rater, pool in enumerate(pools)])
    snapshot = replace(table([[float(value) for value in row] for row in rows]), participations=people)
    data = np.array(rows, dtype=float)
    others = (data.sum(axis=0) - data) / 4
    each = [stats.pearsonr(data[rater], others[rater]).statistic for rater in range(4)]

    found = only("raters", snapshot)

    assert (found["annotator"], found["pool"], found["pairs"]) == ([f"p{one}" for one in range(5)], [*pools], [6] * 5)
    assert found["pearson"] == pytest.approx([*each, None])
    assert found["pearson_reason"] == "no variance among the ratings"
    assert found["pearson_p"] == pytest.approx(
        [*(stats.pearsonr(data[one], others[one]).pvalue for one in range(4)), None]
    )
    assert found["pearson_degrees"] == [4, 4, 4, 4, None]
    typical, mean = found["typical"], np.mean(each)
    closest = int(np.argmin(np.abs(np.array(each) - mean)))
    assert (typical["raters"], typical["mean"]) == (4, pytest.approx(mean))
    assert (typical["best"], typical["worst"]) == pytest.approx((max(each), min(each)))
    assert (typical["closest"], typical["closest_annotator"]) == (pytest.approx(each[closest]), f"p{closest}")
    _, more, students = found["pools"]
    assert [own["pool"] for own in found["pools"]] == ["crowd", "more", "students"]
    assert (students["number"], students["mean"]) == (2, pytest.approx(np.mean(each[:2])))
    assert (more["number"], more["mean"], more["mean_low_reason"]) == (0, None, "the mean is not defined")
    assert more["mean_reason"] == "no annotator in this pool has a defined correlation"
    tests = {(own["one"], own["other"]): own for own in found["compared"]}
    assert list(tests) == [("crowd", "more"), ("crowd", "students"), ("more", "students")]
    for name, equal in (("student", True), ("welch", False)):
        expected, own = stats.ttest_ind(each[2:], each[:2], equal_var=equal), tests["crowd", "students"][name]
        assert (own["t"], own["degrees"]) == (pytest.approx(expected.statistic), pytest.approx(expected.df))
        assert own["p_two_sided"] == pytest.approx(expected.pvalue)
        assert tests["crowd", "more"][name]["t_reason"].startswith("fewer than two annotators")


def test_the_same_pair_in_another_context_is_another_one_in_a_report():
    snapshot = snapshot_of(items_of(1), ratings=ratings_of([(0, 0, 1.0), (0, 1, 3.0, 0, "dependent")]), facts=BOTH)

    assert [report["bias"] for report in part("people", snapshot)["main"]] == [None, None]


def test_screening_tells_the_share_beside_the_limit_of_the_pool():
    items = items_of(4, gold=np.array([1.0, 0.0, 1.0, NAN]))
    values = [[1.0, 3.0, 2.0, 0.0], [4.0, 0.0, 3.0, 0.0], [0.0, 4.0, 0.0, 4.0]]
    rows = [(item, rater, value) for rater, row in enumerate(values) for item, value in enumerate(row)]
    facts = replace(SINGLE, limits=(("crowd", 0.8),))
    people = participations_of(
        [(0, 0, "crowd"), (1, 0, "students"), (2, 0, "crowd", "excluded"), (3, 0, "crowd", "invited")]
    )
    counted = np.array([rater != 2 for _, rater, _ in rows])
    ratings = ratings_of(rows, counted=counted)

    found = part("screening", snapshot_of(items, ratings=ratings, facts=facts, participations=people, people=4))

    assert found["midpoint"] == 2
    assert [own["share"] for own in found["people"]] == [pytest.approx(2 / 3), 0, 1, None]
    assert [own["limit"] for own in found["people"]] == [0.8, None, 0.8, 0.8]
    assert [own["too_many"] for own in found["people"]] == [False, False, True, False]
    assert found["people"][3]["share_reason"] == "no rating of a pair with a known label"
    assert found["people"][2] == {
        "round": "main",
        "annotator": "p2",
        "pool": "crowd",
        "state": "excluded",
        "answers": 3,
        "share": 1.0,
        "limit": 0.8,
        "too_many": True,
    }


def halves_of(snapshot, parameters=FEW):
    return merge(results_of(snapshot, parameters))["split_half_ratings"]


def test_split_half_of_ratings_joins_the_splits_of_its_blocks():
    chance = np.random.default_rng(4)
    rows = np.clip(np.round(chance.normal(2, 1, 12) + chance.normal(0, 0.5, (4, 12)), 1), 0, 4).tolist()
    snapshot = table([[*row, 2.0 if place == 0 else NAN] for place, row in enumerate(rows)])
    ratings = snapshot.ratings.keep(~np.isnan(snapshot.ratings.values))
    snapshot = replace(snapshot, ratings=ratings)

    found = halves_of(snapshot)["main"]["free"]

    own = snapshot.rated
    name = [1, crc32(b"split_half_ratings")]
    blocks = [
        split_half_of_ratings(own.items, own.values, np.random.default_rng([*name, block]), splits=splits)
        for block, splits in enumerate((50, 50, 20))
    ]
    spearman = np.concatenate([block.spearman for block in blocks])
    assert found["values"]["spearman"] == spearman.tolist()
    assert (found["by"], found["splits"], found["ratings"]) == ("item", 120, 48)  # the pair rated once is left out
    assert found["spearman"]["mean"] == spearman.mean()
    assert found["spearman"]["full_length"] == 2 * spearman.mean() / (1 + spearman.mean())
    assert set(found["values"]["items"]) == {12}


def test_split_half_of_ratings_is_of_every_round_and_context_whatever_the_slices():
    snapshot = czech_snapshot()
    found = halves_of(snapshot)
    assert {name: sorted(contexts) for name, contexts in found.items()} == {
        name: ["dependent", "free"] for name in ("R2", "R3")
    }
    assert found == halves_of(snapshot, replace(FEW, slices=1))


def test_split_half_of_ratings_that_is_not_defined_says_why():
    once = halves_of(table([[1, 2, 3]]))["main"]["free"]
    same = halves_of(table([[1, 1, 1], [1, 1, 1]]))["main"]["free"]

    assert (once["ratings"], once["splits"], once["splits_reason"]) == (0, None, "no item has two ratings")
    for name in ("mean", "full_length"):
        assert once["spearman"][name] is None and once["spearman"][f"{name}_reason"] == "no item has two ratings"
        assert "all scores in one half are equal" in same["spearman"][f"{name}_reason"]


def test_full_length_of_opposite_halves_is_not_defined():
    opposite = join([{"by": "item", "items": [2, 2], "spearman": [-1.0, -1.0], "pearson": [-1.0, -1.0]}])["spearman"]
    assert (opposite["mean"], opposite["full_length"]) == (-1, None)
    assert opposite["full_length_reason"] == "the mean correlation between halves is negative"


def test_screening_leaves_out_calibration_pairs():
    items = items_of(2, gold=np.array([1.0, 1.0]), calibration=np.array([True, False]))
    ratings = ratings_of([(0, 0, 0.0), (1, 0, 4.0)])

    (found,) = part("screening", snapshot_of(items, ratings=ratings, people=1))["people"]

    assert (found["answers"], found["share"]) == (1, 0)
