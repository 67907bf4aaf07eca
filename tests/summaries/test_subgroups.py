"""Agreement within groups of people and with the others, never of fewer than five people."""

from dataclasses import replace

import numpy as np
import pytest

from scoring.exports.report import subgroups as tables
from scoring.stats.alpha import choices_alpha, krippendorff_alpha
from scoring.stats.subgroups import subgroup_of_ratings
from scoring.summaries.demographics import Group, group_answers, label_of
from scoring.summaries.parts import compute, parts_for
from scoring.summaries.subgroups import agreement_of_groups, pools_of
from tests.summaries.snapshots import (
    FEW,
    chosen_snapshot,
    items_of,
    participations_of,
    ratings_of,
    snapshot_of,
)


def rated(experts=5, crowd=6):
    """Twelve pairs; everybody in the crowd rates one point higher than the experts do."""
    generator = np.random.default_rng(4)
    truth, people = generator.integers(0, 3, 12), experts + crowd
    rows = [
        (item, rater, float(truth[item] + generator.integers(0, 2) + (rater >= experts)))
        for item in range(12)
        for rater in range(people)
    ]
    pools = [(rater, 0, "experts" if rater < experts else "crowd") for rater in range(people)]
    return snapshot_of(items_of(12), ratings=ratings_of(rows), participations=participations_of(pools))


def test_a_group_agrees_within_itself_and_rates_higher_than_the_others():
    snapshot = rated()
    crowd = snapshot.rated.raters >= 5

    found = compute("subgroups", snapshot, FEW, 1)["pool"]["ratings"]

    own, other = found
    alpha = krippendorff_alpha(snapshot.rated.items[crowd], snapshot.rated.values[crowd], "interval")
    assert (own["group"], own["people"], own["ratings"], own["units"], own["shared"]) == ("crowd", 6, 72, 12, 12)
    assert own["alpha"] == pytest.approx(alpha)
    assert own["shift"] == pytest.approx(-other["shift"]) == pytest.approx(1, abs=0.3)
    assert own["pearson"] == pytest.approx(other["pearson"])


def test_a_group_below_five_people_is_not_told_and_neither_is_who_is_compared_with_it():
    found = compute("subgroups", rated(experts=4), FEW, 1)["pool"]["ratings"]

    crowd, experts = found
    assert (crowd["people"], crowd["pearson"], crowd["shift"]) == (6, None, None)
    assert crowd["pearson_reason"] == "fewer than 5 annotators outside of this group have judgments that count"
    assert crowd["alpha"] is not None
    assert {name: value for name, value in experts.items() if not name.endswith("_reason")} == {
        "group": "experts",
        **dict.fromkeys(("people", "ratings", "units", "alpha", "shared", "pearson", "shift")),
    }


def test_the_same_pair_in_another_context_is_another_unit():
    both = (("free", 1.0), ("dependent", 3.0))
    rows = [(0, rater, value, 0, context) for rater in range(5) for context, value in both]

    found = agreement_of_groups(snapshot_of(items_of(1), ratings=ratings_of(rows)), {"all": range(5)})

    assert (found["ratings"][0]["units"], found["ratings"][0]["alpha"]) == (2, 1.0)


def test_choices_of_a_group():
    snapshot = chosen_snapshot(people=12)
    own = snapshot.counted_choices.keep(snapshot.choices.annotators < 6)

    (found,) = agreement_of_groups(snapshot, {"half": range(6)})["choices"]

    assert (found["people"], found["choices"]) == (6, own.judgments)
    assert found["alpha_best"] == pytest.approx(choices_alpha(own).best.item)
    assert 0 < found["pearson"] <= 1


def test_somebody_in_two_pools_is_in_the_first_and_one_pool_has_no_such_part():
    people = participations_of([(0, 0, "b"), (0, 0, "a"), (1, 0, "a"), (2, 0, "")])
    snapshot = snapshot_of(items_of(1), ratings=ratings_of([(0, 0, 1.0)]), people=3, participations=people)
    one = replace(snapshot, participations=participations_of([(0, 0, "a")]))

    assert pools_of(snapshot) == {"a": [1], "b": [0]}
    assert "subgroups" in parts_for(snapshot, FEW)
    assert "subgroups" not in parts_for(one, FEW)


def test_a_group_without_ratings_has_no_agreement():
    found = subgroup_of_ratings(np.array([0, 1]), np.array([1.0, 2.0]), np.array([False, False]))

    assert (found.units, found.shared) == (0, 0)
    assert np.isnan([found.alpha, found.pearson, found.shift]).all()


def test_tables_of_pools_and_of_answers():
    groups = compute("subgroups", rated(), FEW, 1)["pool"]

    found = list(tables.agreement({"subgroups": {"pool": groups, "Native language?": groups}}))

    titles = ["Agreement of the ratings by pool", "Agreement of the ratings by answer to “Native language?”"]
    assert [table.title for table in found] == titles
    assert [row.label for row in found[0].rows] == ["crowd", "experts"]
    assert found[1].note.startswith("Only shown to members of the project")


def test_answers_are_in_the_groups_that_are_shown():
    answers = ["Czech"] * 5 + ["czech "] + ["German"] * 5 + ["Slovak", ""]
    groups = group_answers(answers)
    ages = group_answers(["21"] * 5 + ["29"] + ["34"] * 5, numbers=True)

    assert groups == (Group("Czech", 6), Group("all others", 7))
    labels = [label_of(answer, groups) for answer in answers]
    assert [labels.count(group.label) for group in groups] == [6, 7]
    assert [label_of(age, ages, numbers=True) for age in ("20", "34", "")] == ["20 to 29", "30 to 39", "all others"]
