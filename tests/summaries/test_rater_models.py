"""Models of raters as parts of a run: what they hold, and what they say where they cannot be fitted."""

import json
from dataclasses import replace

import numpy as np
import pytest

from scoring.stats.raters.ordinal import TOO_MANY
from scoring.stats.raters.rated import SINGLE
from scoring.summaries.parts import compute
from tests.summaries.snapshots import CZECH, FEW, chosen_snapshot, items_of, participations_of, ratings_of, snapshot_of
from tests.summaries.snapshots import SINGLE as FACTS

PARTS = [f"rater_models.{name}" for name in ("effects", "ratings", "ordinal", "categories")]


def rated_snapshot(excluded=True, step=1.0):
    """Forty items rated by five of eight people, the first of whom answers at random and is excluded."""
    generator = np.random.default_rng(8)
    truth, rows = generator.normal(2, 1, 40), []
    for item in range(40):
        for rater in generator.choice(8, 5, replace=False).tolist():
            value = generator.uniform(0, 4) if rater == 0 else truth[item] + generator.normal(0, 0.6)
            rows.append((item, rater, float(np.clip(np.round(value / step) * step, 0, 4))))
    ratings = ratings_of(rows)
    if excluded:
        ratings = replace(ratings, counted=ratings.raters != 0)
    states = [(rater, 0, "raters", "excluded" if excluded and rater == 0 else "finished") for rater in range(8)]
    return snapshot_of(items_of(41), ratings=ratings, participations=participations_of(states))


def only(key, snapshot):
    found = compute(key, snapshot, FEW, 1)["main"]
    json.dumps(found, allow_nan=False)
    return found.get("free", found)


def test_scores_are_of_people_who_count_and_weights_of_everybody():
    snapshot = rated_snapshot()
    found = only("rater_models.ratings", snapshot)
    people, screening = found["people"], found["screening"]

    assert len(found["weighed"]) == 41 and found["weighed"][40] is found["mixed_error"][40] is None
    assert found["weighed_reason"] == "no annotator who rated the item shares an item with another annotator"
    assert found["converged"] and found["groups"] == 1
    assert people["excluded"] == [True, *[False] * 7]
    assert people["weight"].index(min(people["weight"])) == 0
    assert screening["excluded"] == 1
    assert screening["lowest"][0]["annotator"] == "p0"
    assert [(pair["one"], pair["other"]) for pair in screening["compared"]][:2] == [
        ("everyone", "screened"),
        ("everyone", "weighed"),
    ]
    assert all(0.5 < pair["pearson"] < 1 and pair["items"] == 40 for pair in screening["compared"])
    changed = screening["changed"]
    differences = np.abs(np.subtract(changed["screened"], changed["weighed_everyone"]))
    assert (np.diff(differences) <= 0).all() and len(differences) == 10


def test_without_exclusions_screened_and_everyone_are_the_same():
    screening = only("rater_models.ratings", rated_snapshot(excluded=False))["screening"]
    same = screening["compared"][0]
    assert (screening["excluded"], same["largest_change"]) == (0, 0)
    assert screening["compared"][-1]["largest_change"] == 0


def test_the_same_seed_gives_the_same_result():
    snapshot = rated_snapshot()
    one, again, other = (compute("rater_models.ratings", snapshot, FEW, seed)["main"]["free"] for seed in (1, 1, 2))
    assert one == again and one["weighed"] == other["weighed"] and one["weighed_error"] != other["weighed_error"]


def test_ordinal_and_categories_need_few_values():
    fine = rated_snapshot(step=0.1)
    for part, name in (("ordinal", "ordinal"), ("categories", "mace")):
        assert only(f"rater_models.{part}", fine)[f"{name}_reason"] == TOO_MANY
    coarse = rated_snapshot()
    ordinal, categories = (only(f"rater_models.{part}", coarse) for part in ("ordinal", "categories"))
    assert ordinal["category"] == [0, 1, 2, 3, 4] and len(ordinal["thresholds"]) == 4
    means = np.array(only("rater_models.ratings", coarse)["weighed"][:40])
    for scores in (ordinal["ordinal"], categories["dawid_skene"], categories["mace"]):
        assert np.corrcoef(scores[:40], means)[0, 1] > 0.85
    assert set(categories["mace_category"][:40]) <= {0, 1, 2, 3, 4}
    assert len(categories["competence"]) == 7


def test_effects_have_reasons_where_nothing_varies():
    found = compute("rater_models.effects", rated_snapshot(), FEW, 1)["main"]
    assert found["context"]["estimate_reason"] == "all ratings of the round were made in one context"
    assert found["screen"]["error"] > 0
    assert found["item_variance"] > found["rater_variance"]


@pytest.mark.parametrize("part", PARTS)
def test_single_ratings_and_empty_rounds_have_a_reason(part):
    facts = replace(FACTS, rounds=("main", "more"), contexts=(("free",),) * 2)
    snapshot = snapshot_of(items_of(3), ratings=ratings_of([(0, 0, 1.0), (1, 1, 2.0), (2, 2, 3.0)]), facts=facts)
    result = compute(part, snapshot, FEW, 1)
    for round_ in ("main", "more"):
        found = result[round_].get("free", result[round_])
        assert {value for name, value in found.items() if name.endswith("_reason")} == {SINGLE}


def test_contexts_of_a_round_are_an_effect():
    generator = np.random.default_rng(2)
    truth = generator.normal(3, 1, 30)
    rows = [
        (
            item,
            rater,
            float(np.clip(round(truth[item] + (context == "dependent") + generator.normal(0, 0.5)), 0, 6)),
            0,
            context,
        )
        for item in range(30)
        for rater in range(4)
        for context in ("free", "dependent")
    ]
    found = compute("rater_models.effects", snapshot_of(items_of(30), ratings=ratings_of(rows), facts=CZECH), FEW, 1)
    effect = found["R2"]["context"]
    assert effect["estimate"] == pytest.approx(1, abs=3 * effect["error"])


def test_choices_have_utilities_with_errors_and_the_least_reliable_annotators():
    snapshot = chosen_snapshot()
    found = compute("rater_models.choices", snapshot, FEW, 1)
    json.dumps(found, allow_nan=False)

    assert found["utility"] == compute("models.best_worst_annotators", snapshot, FEW, 1)["utility"]
    assert all(0 < error < 2 for error in found["error"])
    assert found["screening"]["excluded"] == 0
    reliabilities = [person["reliability"] for person in found["screening"]["lowest"]]
    assert reliabilities == sorted(reliabilities) and len(reliabilities) == 6
