"""Choices of which nobody knows who made them: what needs to know is not defined, all else is as it would be."""

from dataclasses import replace

import numpy as np

from scoring.summaries.merge import merge
from scoring.summaries.tables import Raters
from tests.summaries.snapshots import chosen_snapshot, results_of, screens_of

UNSIGNED = "some choices have no known annotator"


def signed():
    snapshot = chosen_snapshot()
    return replace(snapshot, screens=screens_of(len(snapshot.choices.best)))


def unsigned(snapshot, names):
    return replace(snapshot, raters=Raters(names))


NOBODY = tuple(f"unknown {number}" for number in range(1, 7))
BY_PERSON = {
    *("choice_people", "choice_errors", "choice_agreement", "choice_pairwise", "choice_scores"),
    *("split_half", "models", "rater_models", "overview"),
}
BY_EFFECT = {"interval_low", "interval_high", "design_effect"}


def test_what_needs_no_person_is_as_it_was():
    known, unknown = (merge(results_of(snapshot)) for snapshot in (signed(), unsigned(signed(), NOBODY)))

    assert {name for name in known if known[name] != unknown[name]} == BY_PERSON
    for name, key in (
        ("split_half", "tuple"),
        ("split_half", "judgment"),
        ("models", "bradley_terry"),
        ("models", "best_worst"),
    ):
        assert unknown[name][key] == known[name][key]
    scores = known["choice_scores"]
    assert {name for name in scores if scores[name] != unknown["choice_scores"][name]} == BY_EFFECT
    errors = (np.array(found["choice_errors"]["judgment"]["error"], float) for found in (known, unknown))
    assert np.nanstd(np.divide(*errors)) < 1e-9  # they differ by the design effect of annotators alone
    assert unknown["choice_agreement"] == known["choice_agreement"] | {
        "annotators": None,
        "annotators_reason": UNSIGNED,
        "annotators_per_tuple": {"min": None, "min_reason": UNSIGNED, "max": None, "max_reason": UNSIGNED},
    }
    assert unknown["overview"] == known["overview"] | {
        "people": None,
        "people_reason": UNSIGNED,
        "people_counted": None,
        "people_counted_reason": UNSIGNED,
    }


def test_what_is_told_by_person_is_not_defined():
    found = merge(results_of(unsigned(signed(), NOBODY)))

    errors, halves = found["choice_errors"]["annotator"], found["split_half"]["annotator"]
    assert (errors["error"], errors["error_reason"], errors["replicates"]) == (None, UNSIGNED, None)
    assert (halves["splits"], halves["splits_reason"]) == (None, UNSIGNED)
    assert halves["spearman"] == halves["pearson"]
    assert halves["spearman"]["mean_reason"] == halves["spearman"]["low_reason"] == UNSIGNED
    assert halves["values"] == {"items": [], "spearman": [], "pearson": []}
    model = found["models"]["best_worst_annotators"]
    assert model == {"utility": None, "utility_reason": UNSIGNED, "left_out": 0}


def test_nothing_is_told_of_people_whom_nobody_knows():
    snapshot = unsigned(signed(), ("ann", *NOBODY[:5]))

    people = merge(results_of(snapshot))["choice_people"]["main"]

    known = merge(results_of(signed()))["choice_people"]["main"]
    assert people[0] == known[0] | {"annotator": "ann"}
    assert [own["annotator"] for own in people[1:]] == list(NOBODY[:5])
    figures = {name for name in known[0] if not name.endswith("_reason")} - {"annotator", "pool", "state"}
    for own in people[1:]:
        assert {own[name] for name in figures} == {None}
        assert {own[f"{name}_reason"] for name in figures} == {UNSIGNED}


def test_choices_that_do_not_count_need_not_tell():
    snapshot = unsigned(signed(), (*"abcde", "unknown 1"))
    counted = snapshot.choices.annotators != 5
    without = replace(snapshot, choices=replace(snapshot.choices, counted=counted))

    found = merge(results_of(without))

    assert found["split_half"]["annotator"]["splits"] == 120
    assert found["choice_errors"]["annotator"]["error"]
    assert found["choice_agreement"]["annotators"] == 5
    assert found["overview"]["people"] is None


def test_invalid_choices_that_count_are_counted():
    snapshot = signed()
    best, counted = snapshot.choices.best.copy(), np.ones(len(snapshot.choices.best), bool)
    best[:3], counted[0] = snapshot.choices.worst[:3], False

    found = merge(results_of(replace(snapshot, choices=replace(snapshot.choices, best=best, counted=counted))))

    assert found["overview"]["choices_invalid"] == 2
    assert found["models"]["best_worst"]["left_out"] == found["models"]["bradley_terry"]["left_out"] == 2
