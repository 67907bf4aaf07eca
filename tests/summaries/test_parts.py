import json
import random
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.summaries.merge import merge
from scoring.summaries.parts import PARTS, SLICED, Parameters, compute, parts_for
from scoring.summaries.storing import from_bytes, to_bytes
from scoring.summaries.tree import SHAPE, as_json
from tests.properties import examples
from tests.scoring.choosing import any_choices
from tests.summaries.snapshots import (
    CHOOSING,
    FEW,
    SINGLE,
    choice_rows,
    chosen_snapshot,
    czech_snapshot,
    items_of,
    ratings_of,
    results_of,
    snapshot_of,
)
from tests.summaries.test_machines import chosen_by_a_model, rated_by_a_model

ROOT = Path(__file__).resolve().parents[2]
RATED = {
    *("overview", "scores", "coverage", "agreement", "split_half_ratings"),
    *("raters", "pairwise", "people", "order_effects", "texts", "corpus", "contested"),
    *(f"rater_models.{name}" for name in ("effects", "ratings", "ordinal", "categories")),
}
CHOSEN = {
    "overview",
    "choice_scores",
    "choice_errors.judgment",
    "choice_errors.annotator",
    "choice_agreement",
    "choice_pairwise",
    "choice_people",
    "disagreement",
    "contested",
    "order_effects",
    "models.bradley_terry",
    "models.best_worst",
    "models.best_worst_annotators",
    "rater_models.choices",
    "design",
    "texts",
    "corpus",
    *(name for name in SLICED if name not in ("split_half_ratings", "by_group.split_half")),
}
GROUPED = {"by_group.agreement", "by_group.choice_agreement", "by_group.split_half"}
SELECTED = {"intra", "context_shift", "correlations", "filters", "datasets", "effort"} | {
    f"curves.{name}" for name in ("thinking_time", "practice", "waiting")
}


def names(snapshot):
    return {key.partition(":")[0] for key in parts_for(snapshot, FEW)}


def test_each_kind_of_project_has_its_own_parts():
    single = snapshot_of(items_of(2), ratings=ratings_of([(0, 0, 1.0), (1, 0, 2.0)]))
    labelled = replace(single, items=items_of(2, gold=np.array([1.0, np.nan])))

    assert names(single) == RATED
    assert names(labelled) == RATED | {"screening"}
    assert names(czech_snapshot()) == RATED | SELECTED
    assert names(chosen_snapshot()) == CHOSEN
    assert names(snapshot_of(items_of(0))) == {"overview"}
    assert names(snapshot_of(items_of(1), facts=CHOOSING)) == {"overview", "texts", "corpus"}
    others = {"screening", "machines", "subgroups", "registration"}
    assert RATED | SELECTED | CHOSEN | others | GROUPED == {*PARTS, *SLICED}


def test_slices_are_laid_out_by_the_parameters_alone():
    keys = parts_for(chosen_snapshot(), Parameters(splits=120, slices=8))

    assert [key for key in keys if key.startswith("split_half.tuple")] == [
        f"split_half.tuple:{place}/3" for place in range(3)
    ]
    assert max(map(len, keys)) <= 50


@pytest.mark.parametrize("make", [chosen_snapshot, czech_snapshot])
def test_results_are_the_same_in_any_order_and_back_from_a_file_and_from_json(make):
    snapshot = make()
    keys = parts_for(snapshot, FEW)
    expected = as_json(merge(results_of(snapshot)))

    shuffled = random.Random(3).sample(keys, len(keys))
    again = from_bytes(to_bytes(snapshot))
    results = {key: json.loads(json.dumps(compute(key, again, FEW, 1), allow_nan=False)) for key in shuffled}

    assert as_json(merge(results)) == expected
    assert as_json(json.loads(expected)) == expected


@pytest.mark.parametrize("slices", [1, 2, 3])
def test_results_do_not_depend_on_the_slices(slices):
    snapshot = chosen_snapshot()

    one, other = (as_json(merge(results_of(snapshot, replace(FEW, slices=number)))) for number in (slices, 4))

    assert one == other


@settings(max_examples=examples(0.25))
@given(any_choices(), st.randoms(use_true_random=False), st.integers(1, 4))
def test_any_choices_give_the_same_json_in_any_order_and_slices(choices, chance, slices):
    tuples = np.zeros((choices.tuple_number, 4), np.int64)
    snapshot = snapshot_of(items_of(choices.number), choices=choice_rows(choices), tuples=tuples, facts=CHOOSING)
    parameters = replace(FEW, slices=slices)
    keys = parts_for(snapshot, parameters)

    results = results_of(snapshot, parameters, keys=chance.sample(keys, len(keys)))

    assert as_json(merge(results)) == as_json(merge(results_of(snapshot)))
    assert not re.search(r"-0\.0[],}]", as_json(merge(results)))


@settings(max_examples=examples(0.3))
@given(
    st.lists(
        st.tuples(
            st.integers(0, 3),
            st.integers(0, 2),
            st.sampled_from([0.0, 0.1, 2.0, 4.0, float("nan")]),
            st.just(0),
            st.sampled_from(["free", "dependent"]),
            st.sampled_from(["main", "calibration", "intra"]),
        ),
        max_size=12,
        unique_by=lambda row: (row[0], row[1], *row[4:]),
    ),
    st.randoms(use_true_random=False),
)
def test_any_ratings_give_the_same_json_in_any_order(rows, chance):
    facts = replace(SINGLE, contexts=(("free", "dependent"),), roles=("A",), expected=(4.0,))
    items = items_of(
        4,
        gold=np.array([1, 0, np.nan, 1]),
        calibration=np.arange(4) == 3,
        roles=np.array([0, 0, -1, 0]),
        selected=np.array([3, 1, np.nan, 2]),
    )
    snapshot = snapshot_of(items, ratings=ratings_of(rows), facts=facts, people=4)
    keys = parts_for(snapshot, FEW)

    results = results_of(snapshot, keys=chance.sample(keys, len(keys)))

    assert as_json(merge(results)) == as_json(merge(results_of(snapshot)))
    assert not re.search(r"-0\.0[],}]", as_json(merge(results)))


def test_another_seed_gives_other_splits_and_the_same_scores():
    one, other = (merge(results_of(chosen_snapshot(), seed=seed)) for seed in (1, 2))

    assert one["split_half"]["tuple"]["values"] != other["split_half"]["tuple"]["values"]
    assert one["choice_errors"]["judgment"]["error"] != other["choice_errors"]["judgment"]["error"]
    assert one["choice_scores"] == other["choice_scores"]


def test_names_with_a_dot_go_one_level_down():
    results = merge({"overview": {"items": 2}, "models.best_worst": {"utility": [1.0]}})

    assert results == {"shape": SHAPE, "overview": {"items": 2}, "models": {"best_worst": {"utility": [1.0]}}}


def test_a_missing_slice_is_refused():
    results = results_of(chosen_snapshot(), keys=["split_half.tuple:0/3", "split_half.tuple:2/3"])

    with pytest.raises(ValueError, match=r"slices \[1\] of “split_half.tuple” are missing"):
        merge(results)


@pytest.mark.parametrize("key", ["nothing", "split_half.tuple", "scores:0/1", "nothing:0/1"])
def test_a_part_that_is_none_is_refused(key):
    with pytest.raises(ValueError, match="There is no part"):
        compute(key, chosen_snapshot(), FEW, 1)


def test_parameters_are_read_and_told():
    assert Parameters.read({}) == Parameters()
    assert Parameters.read({"splits": 10}).as_json() == {"splits": 10, "replicates": 1000, "subsets": 200, "slices": 4}


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"workers": 2}, "There is no parameter “workers”. Use one of: splits, replicates, subsets, slices"),
        ({"splits": 0}, "“splits” must be a whole number from 1 to 100000, not 0"),
        ({"replicates": 1}, "from 2 to"),
        ({"slices": True}, "not True"),
        ({"subsets": "5"}, "not '5'"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(chosen, message):
    with pytest.raises(ValueError, match=message):
        Parameters.read(chosen)


def test_the_overview_counts_what_there_is():
    ratings = ratings_of([(0, 0, 1.0), (1, 0, 2.0), (1, 1, 2.0)], counted=np.array([True, True, False]))
    snapshot = snapshot_of(items_of(3, calibration=np.arange(3) == 2), ratings=ratings, people=3)

    assert compute("overview", snapshot, FEW, 0) == {
        "items": 3,
        "calibration_items": 1,
        "withdrawn_items": 0,
        "people": 3,
        "people_counted": 1,
        "tuples": 0,
        "judgments": 0,
        "not_counted": {},
        "ratings": 3,
        "ratings_counted": 2,
        "choices": 0,
        "choices_counted": 0,
        "pairs_selected": 0,
        "choices_invalid": 0,
        "parameters": {"splits": 120, "replicates": 20, "subsets": 5},
    }


def paths(tree):
    """Every key of a tree."""
    for key, value in tree.items():
        yield key
        for below in value if isinstance(value, list) else [value]:
            if isinstance(below, dict):
                yield from paths(below)


@pytest.mark.parametrize("make", [chosen_snapshot, czech_snapshot, rated_by_a_model, chosen_by_a_model])
def test_every_key_of_the_results_is_described(make):
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    words = set(re.findall(r"[A-Za-z0-9_.]+", page))
    words |= {part for word in words for part in word.split(".")}
    data = {"R2", "R3", "A", "B", "C", "pairs_together"}

    unknown = {key for key in paths(merge(results_of(make()))) if not key.endswith("_reason")} - words - data

    assert {key for key in unknown if not key.isdigit()} == set()
