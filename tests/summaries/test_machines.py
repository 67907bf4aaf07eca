"""The part of a run about models that answered as annotators."""

from dataclasses import replace

import numpy as np
import pytest

from scoring.summaries.parts import compute, parts_for
from scoring.summaries.storing import from_bytes, to_bytes
from scoring.summaries.tables import CONTEXTS, MachineAnswers, Machines
from tests.summaries.snapshots import FEW, chosen_snapshot, integers, items_of, ratings_of, snapshot_of

ITEMS, PEOPLE = 60, 5


def rated_by_a_model(seed=1, *, bias=0.0, noise=0.1, repeats=1, backwards=None):
    """People who rate the same items, and a model whose ratings rise with the number of words by `bias`."""
    chance = np.random.default_rng(seed)
    truth, words = chance.uniform(0, 4, ITEMS), chance.integers(2, 12, ITEMS)
    rows = [
        (item, person, float(np.clip(truth[item] + chance.normal(0, 0.5), 0, 4)))
        for person in range(PEOPLE)
        for item in range(ITEMS)
    ]
    texts = tuple(" ".join(f"w{item}" for _ in range(number)) + " a" for item, number in enumerate(words.tolist()))
    asked = [(repeat, False) for repeat in range(1, repeats + 1)] + ([(1, True)] if backwards is not None else [])
    answers = [
        (item, repeat, turned, truth[item] + bias * words[item] + chance.normal(0, noise) + turned * (backwards or 0))
        for repeat, turned in asked
        for item in range(ITEMS)
    ]
    items, repeat, turned, values = zip(*answers, strict=True)
    number = len(answers)
    none = np.full(number, -1)
    table = MachineAnswers(
        ids=np.arange(1, number + 1),
        arms=np.zeros(number, np.int64),
        repeats=integers(*repeat),
        backwards=np.array(turned),
        contexts=np.full(number, CONTEXTS.index("free")),
        items=integers(*items),
        tuples=none,
        values=np.array(values),
        best=none,
        worst=none,
        best_positions=none,
        worst_positions=none,
    )
    snapshot = snapshot_of(items_of(ITEMS, sentence1=texts, sentence2=texts[::-1]), ratings=ratings_of(rows))
    return replace(snapshot, machines=arm(number), machine_answers=table)


def arm(screens):
    counts = (integers(screens), integers(2), integers(1))
    return Machines(("judge",), ("model 1",), integers(0), *counts, np.array([0.15]), np.array([0.5]))


def found_in(snapshot):
    (found,) = compute("machines", snapshot, FEW, 1)["arms"]
    return found


def test_a_good_model_is_one_more_annotator():
    found = found_in(rated_by_a_model())

    assert {name: found[name] for name in ("name", "model", "round", "screens", "answers", "invalid", "given_up")} == {
        "name": "judge",
        "model": "model 1",
        "round": "main",
        "screens": ITEMS,
        "answers": ITEMS,
        "invalid": 2,
        "given_up": 1,
    }
    own = found["ratings"]["free"]
    assert own["agreement"]["pearson"] > 0.9
    assert own["raters"]["alpha_with_model"] == pytest.approx(own["raters"]["alpha_people"], abs=0.05)
    assert (own["alternative"]["people"], own["alternative"]["items"]) == (PEOPLE, [ITEMS] * PEOPLE)
    assert own["alternative"]["passed"] is True
    assert own["alternative"]["advantage"] > 0.6
    assert own["bias"]["length"]["r_p"] > 0.01
    assert own["stability"]["items"] == 0 and own["stability"]["same"] is None
    assert own["bias"]["position"]["estimate"] is None


def test_bias_by_length_and_order_is_found_and_repeats_are_compared():
    own = found_in(rated_by_a_model(bias=0.3, repeats=3, backwards=0.5))["ratings"]["free"]

    assert own["bias"]["length"]["r"] > 0.4 and own["bias"]["length"]["r_p"] < 0.001
    assert own["bias"]["mean"]["estimate"] > 1 and own["bias"]["mean"]["p"] < 0.001
    assert own["bias"]["position"]["estimate"] == pytest.approx(0.5, abs=0.25)
    assert own["bias"]["position"]["p"] < 0.001
    assert own["alternative"]["passed"] is False
    assert (own["stability"]["repeats"], own["stability"]["items"], own["stability"]["same"]) == (3, ITEMS, 0.0)
    assert own["stability"]["pearson"] > 0.9


def chosen_by_a_model(position=None):
    """People who compare tuples, and a model that chooses as the first of them, or always the same places."""
    snapshot = chosen_snapshot()
    choices = snapshot.every_choice
    _, rows = np.unique(choices.tuples, return_index=True)
    items, number = choices.items[rows], len(rows)
    best = choices.best[rows] if position is None else items[:, position]
    worst = choices.worst[rows] if position is None else items[:, position - 1]
    table = MachineAnswers(
        ids=np.arange(1, number + 1),
        arms=np.zeros(number, np.int64),
        repeats=np.ones(number, np.int64),
        backwards=np.zeros(number, bool),
        contexts=np.zeros(number, np.int64),
        items=np.full(number, -1),
        tuples=choices.tuples[rows],
        values=np.full(number, np.nan),
        best=best,
        worst=worst,
        best_positions=np.argmax(items == best[:, None], axis=1),
        worst_positions=np.argmax(items == worst[:, None], axis=1),
    )
    return replace(snapshot, machines=arm(number), machine_answers=table)


def test_choices_are_compared_as_labels_and_scores():
    own = found_in(chosen_by_a_model())["choices"]

    assert own["scores"]["spearman"] > 0.5
    assert own["alternative"]["people"] > 0
    assert own["alternative"]["advantage"] > 0.5
    assert own["bias"]["positions"]["best"]["p"] > 0.001
    assert own["stability"]["same_best"] is None


def test_a_model_that_looks_at_the_place_is_found_out():
    own = found_in(chosen_by_a_model(position=1))["choices"]

    assert own["bias"]["positions"]["best"]["p"] < 0.001
    assert own["bias"]["positions"]["best"]["counts"][1] == own["tuples"]
    assert own["alternative"]["passed"] is False


def test_no_other_part_of_a_run_changes_by_models():
    with_model = rated_by_a_model()
    without = replace(with_model, machines=Machines(), machine_answers=MachineAnswers())

    assert set(parts_for(with_model, FEW)) - set(parts_for(without, FEW)) == {"machines"}
    for key in parts_for(without, FEW):
        assert compute(key, with_model, FEW, 1) == compute(key, without, FEW, 1)


def test_models_come_back_from_the_file_and_projects_without_them_keep_their_bytes():
    with_model = rated_by_a_model()
    without = replace(with_model, machines=Machines(), machine_answers=MachineAnswers())

    again = from_bytes(to_bytes(with_model))
    assert again.machines.names == ("judge",)
    np.testing.assert_array_equal(again.machine_answers.values, with_model.machine_answers.values)
    assert b"machine" not in to_bytes(without)
    assert from_bytes(to_bytes(without)).machines.names == ()
