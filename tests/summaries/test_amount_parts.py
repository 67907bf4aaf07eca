"""How much was collected: ratings of a pair, man-hours, and datasets (Czech News 6 and table 2)."""

from dataclasses import replace
from statistics import fmean, stdev, variance

import numpy as np
import pytest
from scipy.stats import ttest_ind

from scoring.summaries.coverage import enough_of
from scoring.summaries.parts import compute, parts_for
from scoring.summaries.storing import from_bytes, to_bytes
from scoring.summaries.tables import BLOCKS, CONTEXTS, Efforts
from tests.summaries.snapshots import (
    CZECH,
    FEW,
    SINGLE,
    czech_snapshot,
    integers,
    items_of,
    ratings_of,
    snapshot_of,
)


def part(key, snapshot):
    return compute(key, snapshot, FEW, 1)


def rated_by(*stacks, **facts):
    """A snapshot in which the pairs have so many ratings each."""
    rows = [(item, rater, 1.0) for item, number in enumerate(stacks) for rater in range(number)]
    return snapshot_of(items_of(len(stacks)), ratings=ratings_of(rows), facts=replace(SINGLE, **facts))


def test_21_of_1200_pairs_have_fewer_than_seven_ratings():
    stacks = [9] * 1000 + [8] * 100 + [7] * 79 + [6] * 15 + [5] * 6

    found = part("coverage", rated_by(*stacks, pairs=(1200,), wanted=(9,)))["main"]["free"]

    assert found == {
        "pairs": 1200,
        "ratings": [5, 6, 7, 8, 9],
        "number": [6, 15, 79, 100, 1000],
        "wanted": 9,
        "enough": 7,
        "below": 21,
    }


@pytest.mark.parametrize(("wanted", "enough"), [(1, 1), (2, 2), (3, 3), (5, 4), (9, 7), (15, 12), (32, 25)])
def test_few_ratings_are_fewer_than_seven_of_nine_or_that_share(wanted, enough):
    assert enough_of(wanted) == enough


def test_pairs_that_nobody_rated_have_no_rating():
    found = part("coverage", rated_by(2, 0, 3, pairs=(4,), wanted=(3,)))["main"]["free"]

    assert (found["pairs"], found["ratings"], found["number"], found["below"]) == (4, [0, 2, 3], [2, 1, 1], 3)


def test_pairs_rated_in_one_context_have_no_rating_in_the_other():
    rows = [(0, 0, 1.0), (0, 0, 1.0, 0, "dependent", "main"), (1, 0, 1.0)]
    facts = replace(SINGLE, contexts=(CONTEXTS,), pairs=(2,), wanted=(1,))

    found = part("coverage", snapshot_of(items_of(2), ratings=ratings_of(rows), facts=facts))["main"]

    assert (found["free"]["ratings"], found["free"]["number"]) == ([1], [2])
    assert (found["dependent"]["ratings"], found["dependent"]["number"]) == ([0, 1], [1, 1])


def test_ratings_that_do_not_count_are_not_in_it():
    snapshot = rated_by(3, 3, pairs=(2,), wanted=(3,))
    counted = np.array([True, True, False, True, True, True])

    found = part("coverage", replace(snapshot, ratings=replace(snapshot.ratings, counted=counted)))["main"]["free"]

    assert (found["ratings"], found["number"], found["below"]) == ([2, 3], [1, 1], 1)


def test_a_snapshot_of_an_earlier_version_does_not_know_what_was_wanted():
    found = part("coverage", rated_by(2, 3))["main"]["free"]

    assert (found["pairs"], found["number"], found["wanted"], found["below"]) == (2, [1, 1], None, None)
    assert "earlier version" in found["below_reason"]


def working(*hours_by_round):
    """A snapshot with efforts: rows of (round, people, answers, timed, hours, counted hours)."""
    rounds, people, answers, timed, hours, counted = zip(*hours_by_round, strict=True)
    milliseconds = [integers(*(round(3_600_000 * each) for each in column)) for column in (hours, counted)]
    return snapshot_of(
        items_of(1), efforts=Efforts(rounds, integers(*people), integers(*answers), integers(*timed), *milliseconds)
    )


def test_man_hours_of_every_round_and_of_all():
    # Czech News 6: R1 took 876 man-hours of 269 annotators, 3.26 each, and the test set 141 of 216, about 0.66 each.
    found = part("effort", working(("R1", 269, 9000, 9000, 876, 870), ("R3", 216, 500, 499, 141, 140)))

    assert found["rounds"]["R1"] == {
        "people": 269,
        "answers": 9000,
        "timed": 9000,
        "hours": 876.0,
        "hours_counted": 870.0,
        "hours_per_person": pytest.approx(3.26, abs=0.005),
    }
    assert found["rounds"]["R3"]["hours_per_person"] == pytest.approx(0.65, abs=0.01)
    assert found["total"] == {"answers": 9500, "timed": 9499, "hours": 1017.0, "hours_counted": 1010.0}


def test_man_hours_are_not_defined_where_nothing_was_timed():
    found = part("effort", working(("R1", 0, 3, 0, 0, 0), ("R2", 0, 0, 0, 0, 0)))

    assert list(found["rounds"]) == ["R1"]
    assert found["rounds"]["R1"]["hours"] is None and found["rounds"]["R1"]["hours_per_person"] is None
    assert found["total"]["hours_reason"] == "no answer has an active time"


def test_efforts_are_stored_and_files_before_them_have_none():
    snapshot = working(("R1", 1, 2, 2, 0.5, 0.5))

    assert from_bytes(to_bytes(snapshot)).efforts.active_ms.tolist() == [1_800_000]
    assert "effort" not in parts_for(snapshot_of(items_of(1)), FEW)


def test_datasets_have_number_mean_and_spread():
    snapshot = czech_snapshot()
    own, items, values = snapshot.ratings, snapshot.items, {}
    main = (own.blocks == BLOCKS.index("main")) & (own.rounds == 1)
    for item, context, value in zip(own.items[main], own.contexts[main], own.values[main], strict=True):
        values.setdefault(int(item), ([], []))[context].append(float(value))
    means = {item: (fmean(free), fmean(dependent)) for item, (free, dependent) in values.items()}
    shifted = [item for item, both in values.items() if ttest_ind(*both).pvalue <= 0.05]

    found = part("datasets", snapshot)

    assert list(found["test"]) == ["R3"] and len(shifted) > 1
    for place, name in enumerate(("free", "dependent")):
        assert found["test"]["R3"][name] == spread([means[item][place] for item in means])
        assert found["test"]["R3"][f"sig_{name}"] == spread([means[item][place] for item in shifted])
    expected = np.array(CZECH.expected)[items.roles]
    for name, distance in (("RAW", 6), ("N2", 2), ("N1", 1)):
        kept = items.unvalidated & (abs(items.selected - expected) <= distance)
        assert found["train"][name] == spread(items.selected[kept].tolist())


def spread(scores):
    return {
        "pairs": len(scores),
        "mean": pytest.approx(fmean(scores)),
        "sd": pytest.approx(stdev(scores)),
        "variance": pytest.approx(variance(scores)),
    }


def test_a_dataset_of_few_pairs_says_what_is_not_defined():
    selected, chosen = np.array([6.0, 0.0]), np.array([True, False])
    items = items_of(2, selected=selected, roles=integers(0, 0), unvalidated=np.ones(2, bool))

    raw = part("datasets", snapshot_of(items, facts=CZECH))["train"]
    single = part("datasets", snapshot_of(replace(items, unvalidated=chosen), facts=CZECH))["train"]["RAW"]
    none = part("datasets", snapshot_of(replace(items, unvalidated=~chosen), facts=CZECH))["train"]["N1"]

    assert (raw["RAW"]["pairs"], raw["N1"]["pairs"]) == (2, 1)
    assert (single["mean"], single["sd"], single["sd_reason"]) == (
        6.0,
        None,
        "the standard deviation of a single pair is not defined",
    )
    assert (none["pairs"], none["mean"], none["mean_reason"]) == (0, None, "the dataset has no pairs")
