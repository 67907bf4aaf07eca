import csv
from dataclasses import replace
from math import log2
from pathlib import Path
from statistics import fmean, stdev
from zlib import crc32

import numpy as np
import pytest

from annotation.planning.tuples import certificate
from scoring.stats.reliability import split_half
from scoring.summaries.merge import merge
from scoring.summaries.parts import Parameters, compute, split_half_of_parts
from scoring.summaries.tables import Groups, Origins, Raters
from tests.scoring.choosing import choices_of
from tests.summaries.snapshots import (
    CHOOSING,
    FEW,
    choice_rows,
    chosen_snapshot,
    integers,
    items_of,
    participations_of,
    ratings_of,
    results_of,
    screens_of,
    snapshot_of,
)

# Two tuples: three judgments of (0, 1, 2), of which two agree, and one of (1, 2, 3); item 4 is never shown.
ROWS = [((0, 1, 2), 0, 2), ((2, 1, 0), 0, 2), ((1, 0, 2), 1, 0), ((1, 2, 3), 1, 3)]
CHOICES = choices_of(ROWS, number=5, tuples=[0, 0, 0, 1], annotators=[0, 1, 2, 0])


def small(choices=CHOICES, **columns):
    tuples = integers([0, 1, 2], [1, 2, 3])
    return snapshot_of(
        items_of(5, sentence1=("",) * 5, sentence2=("a b", "", "a c", "a", "b")),
        choices=choice_rows(choices, **columns),
        tuples=tuples,
        facts=CHOOSING,
        people=3,
    )


def part(key, snapshot, parameters=FEW):
    return compute(key, snapshot, parameters, 1)


def test_scores_are_counted_and_rounded_from_exact_fractions():
    found = part("choice_scores", small())

    assert found["item"] == ["i0", "i1", "i2", "i3", "i4"]
    assert found["best"] == [2, 2, 0, 0, 0]
    assert found["worst"] == [1, 0, 2, 1, 0]
    assert found["appearances"] == [3, 4, 4, 1, 0]
    assert found["score"] == [1 / 3, 0.5, -0.5, -1, None]
    assert found["score_rounded"] == [0.333, 0.5, -0.5, -1, None]
    assert found["unit"] == [2 / 3, 0.75, 0.25, 0, None]
    assert found["unit_rounded"] == [0.67, 0.75, 0.25, 0, None]
    assert found["unit_reason"] == found["score_rounded_reason"] == "no counted choice includes this item"
    assert found["scores"]["mean"] == pytest.approx(fmean([1 / 3, 0.5, -0.5, -1]))


def test_choices_of_the_excluded_are_in_no_score():
    found = part("choice_scores", small(counted=np.array([True, True, True, False])))

    assert (found["appearances"], found["score"][3]) == ([3, 3, 3, 0, 0], None)


def test_errors_are_undefined_for_who_was_never_shown_and_for_one_person():
    found = {by: part(f"choice_errors.{by}", small()) for by in ("judgment", "annotator")}
    alone = part("choice_errors.annotator", small(annotators=integers(0, 0, 0, 0)))

    assert found["judgment"]["error"][4] is None
    assert found["judgment"]["error_reason"].startswith("the item is in the choices of fewer than 5 judgments")
    assert found["annotator"]["error_reason"].startswith("the item is in the choices of fewer than 5 annotators")
    assert found["annotator"]["degrees_reason"] == "the error is not defined"
    assert found["annotator"]["replicates"] == 20
    assert (alone["error"], alone["error_reason"]) == (None, "all judgments are by one annotator")


def test_errors_are_near_the_binomial_ones():
    # Each of many judgments of one tuple is best with p: the error of its score is sqrt(p (1 - p) / n), twice as much
    # where it is worst otherwise.
    rows = [((0, 1, 2), 0, 1)] * 150 + [((0, 1, 2), 1, 0)] * 50
    choices = choices_of(rows, tuples=[0] * 200, annotators=[0] * 200)
    snapshot = snapshot_of(items_of(3), choices=choice_rows(choices), tuples=integers([0, 1, 2]), facts=CHOOSING)

    error = part("choice_errors.judgment", snapshot, Parameters(replicates=2000))["error"]

    assert error == pytest.approx([2 * np.sqrt(0.75 * 0.25 / 200)] * 2 + [0], rel=0.1)


def test_errors_have_degrees_of_freedom():
    rows = [((0, 1, 2), 0, 1)] * 6 + [((0, 1, 3), 1, 0)] * 2
    choices = choices_of(rows, tuples=[0] * 6 + [1] * 2, annotators=[0, 1, 2, 3, 4, 4, 5, 5])
    snapshot = snapshot_of(
        items_of(4), choices=choice_rows(choices), tuples=integers([0, 1, 2], [0, 1, 3]), facts=CHOOSING
    )

    found = {by: part(f"choice_errors.{by}", snapshot) for by in ("judgment", "annotator")}

    assert found["judgment"]["degrees"] == [7, 7, 5, None]
    assert found["annotator"]["degrees"] == [5, 5, 4, None]


def test_agreement_of_choices():
    found = part("choice_agreement", small())

    assert (found["tuples"], found["tuples_judged_once"], found["judgments"], found["annotators"]) == (2, 1, 4, 3)
    assert found["judgments_per_tuple"] == found["annotators_per_tuple"] == {"min": 1, "max": 3}
    # Of the three judgments of the first tuple two agree, which is less than four of five; the second was judged once.
    assert found["strong"] == {"share": 0.8, "best": 0, "worst": 0}
    # Best, by item: values 0, 0, 1; D_o = 4 / 2, D_e = 4 / 2, so alpha = 1 - (2 / 3) / (4 / 6)
    assert found["alpha"]["best"]["item"] == pytest.approx(0)
    # By position 0, 2, 0: the same
    assert found["alpha"]["best"]["position"] == pytest.approx(0)
    assert found["alpha"]["best"]["slot"] == pytest.approx(0)


def test_judgments_per_tuple_are_those_that_count_and_people_are_counted_once():
    """Table 3 of SemRel2024 counts the annotators of a tuple."""
    found = part("choice_agreement", small(counted=np.array([True, False, True, True])))
    assert found["judgments_per_tuple"] == found["annotators_per_tuple"] == {"min": 1, "max": 2}

    again = part("choice_agreement", small(replace(CHOICES, annotators=np.array([0, 0, 2, 0]))))
    assert again["judgments_per_tuple"] == {"min": 1, "max": 3}
    assert again["annotators_per_tuple"] == {"min": 1, "max": 2}


def test_parts_of_the_items_are_compared_by_the_halves_of_the_run():
    snapshot, parameters = chosen_snapshot(), Parameters(splits=120)
    choices, everything = snapshot.counted_choices, np.arange(len(snapshot.items.keys))
    parts = {"train": everything[::2], "test": everything[1::2], "all": everything}

    found = split_half_of_parts(choices, parts, parameters, 1)

    whole = merge(results_of(snapshot, parameters))["split_half"]["tuple"]
    assert found["all"] == {"items": len(everything)} | {key: own for key, own in whole.items() if key != "values"}
    assert found["train"]["splits"] == found["test"]["splits"] == 120
    assert found["train"]["items"] + found["test"]["items"] == len(everything)
    assert found["train"]["spearman"]["mean"] != whole["spearman"]["mean"]


def test_choices_made_once_have_undefined_agreement():
    found = part("choice_agreement", small(counted=np.array([True, False, False, True])))

    assert found["strong"]["best"] is None
    assert found["strong"]["worst_reason"] == "no tuple was judged twice"
    assert found["alpha"]["worst"]["position_reason"].startswith("no tuple was judged twice")


def test_disagreement_is_the_entropy_of_tuples_and_of_their_items():
    entropy = -(2 / 3 * log2(2 / 3) + 1 / 3 * log2(1 / 3))

    found = part("disagreement", small(hard_to_say=np.array([True, True, False, False])))

    # The second tuple was judged once: nobody can have disagreed.
    assert (found["tuples"]["best"]["number"], found["tuples"]["best"]["mean"]) == (1, pytest.approx(entropy))
    assert found["best"] == pytest.approx([entropy, entropy, entropy, None, None])
    assert found["best_reason"] == "the item is in no tuple that was judged twice"
    assert found["most_disputed"] == ["i0", "i1", "i2"]
    assert found["hard_to_say"] == 2


def test_tuples_judged_once_have_no_disagreement():
    found = part("disagreement", small(counted=np.array([True, False, False, True])))

    assert (found["tuples"]["best"]["number"], found["tuples"]["best"]["mean"]) == (0, None)
    assert found["tuples"]["best"]["mean_reason"] == "no tuple was judged twice"
    assert (found["best"], found["most_disputed"]) == ([None] * 5, [])


@pytest.mark.parametrize("by", ["tuple", "judgment", "annotator"])
def test_split_half_joins_the_splits_of_its_blocks(by):
    snapshot = chosen_snapshot()
    name = f"split_half.{by}"

    found = merge(results_of(snapshot))["split_half"][by]

    blocks = [np.random.default_rng([1, crc32(name.encode()), block]) for block in range(3)]
    expected = [
        split_half(snapshot.counted_choices, generator, splits=splits, by=by)
        for generator, splits in zip(blocks, (50, 50, 20), strict=True)
    ]
    spearman = [r for part in expected for r in part.spearman.tolist()]
    assert (found["by"], found["splits"]) == (by, 120)
    assert found["values"]["spearman"] == spearman
    assert found["values"]["items"] == [items for part in expected for items in part.items.tolist()]
    assert found["spearman"]["mean"] == pytest.approx(fmean(spearman))
    assert found["spearman"]["sd"] == pytest.approx(stdev(spearman))
    assert found["pearson"]["low"] <= found["pearson"]["mean"] <= found["pearson"]["high"]
    assert "reason" not in found["spearman"]


def test_everybody_who_chose_is_held_against_the_others():
    # Of the first tuple: p0 and p1 chose alike, p2 otherwise; p0 alone judged the second.
    people = participations_of([(2, 0, "", "excluded"), (0, 0), (1, 0), (3, 0, "", "invited")])
    times = screens_of(4, thinking_ms=np.array([4000.0, np.nan, 9000.0, 6000.0]))
    snapshot = small(counted=np.array([True, True, False, True]), hard_to_say=np.array([True, False, False, False]))
    snapshot = replace(
        snapshot,
        items=replace(snapshot.items, gold=np.array([1.0, 1.0, 0.0, 1.0, np.nan])),
        raters=Raters(("p0", "p1", "p2", "p3")),
        participations=people,
        screens=times,
    )

    excluded, first, second, invited = part("choice_people", snapshot)["main"]

    assert first == {
        "annotator": "p0",
        "pool": "raters",
        "state": "finished",
        "choices": 2,
        "hard_to_say": 1,
        "shared": 1,
        "best_same": 1,
        "worst_same": 1,
        "agreement": 1,
        "best_position": 1,
        "best_position_share": 1,
        "best_chance": pytest.approx(3 * (1 / 3) ** 2),
        "worst_position": 3,
        "worst_position_share": 1,
        "worst_chance": pytest.approx(3 * (1 / 3) ** 2),
        "labelled": 4,
        "contradictions": 0.25,  # the worst of the second is similar though something dissimilar was shown
        "median_seconds": 5,
    }
    assert (second["best_same"], second["best_position"], second["median_seconds"]) == (1, 3, None)
    assert second["median_seconds_reason"] == "no times were recorded"
    # The others are held against nobody who was excluded; chance is a third.
    assert (excluded["state"], excluded["best_same"], excluded["worst_same"]) == ("excluded", 0, 0)
    assert (excluded["agreement"], excluded["contradictions"]) == (pytest.approx(-0.5), 0.5)
    assert (invited["choices"], invited["best_position"], invited["agreement"]) == (0, None, None)
    assert invited["best_position_reason"] == "there are no choices"
    assert invited["contradictions_reason"].startswith("no choice involves items")


def test_choices_that_were_only_marked_contradict_no_label():
    items = items_of(5, gold=np.array([1.0, 0.0, 0.0, 1.0, np.nan]))
    people = participations_of([(0, 0), (1, 0), (2, 0, "", "excluded")])
    snapshot = replace(
        small(counted=np.array([True, False, False, True])),
        items=items,
        participations=people,
        screens=screens_of(4),
    )

    found = part("choice_people", snapshot)["main"]

    # The second person's only choice does not count; the third's would if the person were not excluded.
    assert [(own["choices"], own["labelled"]) for own in found] == [(2, 4), (1, 0), (1, 2)]


def test_choices_are_told_by_the_round_they_were_made_in():
    facts = replace(CHOOSING, rounds=("one", "two", "three"), contexts=(("free",),) * 3)
    people = participations_of([(0, 0), (1, 1), (2, 2)])
    snapshot = replace(small(), facts=facts, participations=people, screens=screens_of(4, rounds=integers(0, 0, 1, 0)))

    found = part("choice_people", snapshot)

    assert {name: [(own["annotator"], own["choices"]) for own in reports] for name, reports in found.items()} == {
        "one": [("p0", 2)],
        "two": [("p1", 0)],
    }
    assert found["one"][0]["shared"] == 1


def test_split_half_that_is_not_defined_says_why():
    one = small(counted=np.array([False, False, False, True]))

    found = merge(results_of(one))["split_half"]["annotator"]["spearman"]

    assert found["mean"] is None
    assert found["mean_reason"] == found["reason"]
    assert "fewer than two items occur in both halves" in found["reason"]


def test_a_single_split_has_no_deviation():
    parameters = replace(FEW, splits=1)

    found = merge(results_of(chosen_snapshot(), parameters))["split_half"]["tuple"]["pearson"]

    assert found["mean"] == found["low"] == found["high"]
    assert (found["sd"], found["sd_reason"]) == (None, "the standard deviation of a single split is not defined")


def test_models_rank_balanced_data_as_counting_does():
    snapshot = chosen_snapshot(items=24, appearances=16, judgments=10)
    scores = part("choice_scores", snapshot)["score"]

    for name in ("bradley_terry", "best_worst", "best_worst_annotators"):
        found = part(f"models.{name}", snapshot)
        assert found["spearman_with_counting"] > 0.98
        assert (found["converged"], found["left_out"]) == (True, 0)
        assert np.corrcoef(found["utility"], scores)[0, 1] > 0.95
    reliabilities = found["reliability"]
    assert fmean(reliabilities) == pytest.approx(1)
    assert found["annotator"] == [f"p{place}" for place in range(6)]


def test_models_have_errors_and_leave_out_what_has_no_likelihood():
    choices = choices_of([*ROWS, ((0, 1, 2), 1, 1)], number=5, tuples=[0, 0, 0, 1, 0], annotators=[0, 1, 1, 0, 1])

    for name in ("bradley_terry", "best_worst"):
        found = part(f"models.{name}", small(choices))
        assert (found["left_out"], found["relative_error"]) == (1, 0)
        assert found["utility"][4] is found["error"][4] is None
        assert found["utility_reason"] == found["error_reason"] == "the item was never compared with another"
        assert all(error > 0 for error in found["error"][:4])
    people = part("models.best_worst_annotators", small(choices))
    assert (people["left_out"], people["reliability"][2]) == (1, None)
    assert people["reliability_reason"] == "the annotator has no counted choices"


def test_errors_that_could_not_be_solved_for_have_a_reason(monkeypatch):
    monkeypatch.setattr("scoring.stats.information.INVERSION_LIMIT", 1)
    monkeypatch.setattr("scoring.stats.information.MAXIMUM_STEPS", 1)

    found = part("models.best_worst", chosen_snapshot())

    assert (found["converged"], found["relative_error"], set(found["error"])) == (True, None, {None})
    assert found["relative_error_reason"].endswith("the equations for the standard errors")
    assert found["error_reason"].startswith("the item was never compared with another, or the comparisons are too")


def test_annotators_who_contradict_each_other_have_no_joint_model(monkeypatch):
    monkeypatch.setattr(
        "scoring.stats.reliabilities._maximise", lambda rows, start, *_: (start, np.array([1.0, -1.0, 0.0]), True)
    )

    found = part("models.best_worst_annotators", small())

    assert (found["utility"], found["left_out"]) == (None, 0)
    assert "contradict each other" in found["utility_reason"]


def test_one_annotator_has_no_joint_model():
    found = part("models.best_worst_annotators", small(annotators=integers(0, 0, 0, 0)))

    assert (found["utility"], found["utility_reason"][:34]) == (None, "all judgments are by one annotator")


def test_the_design_is_certified_from_its_tuples():
    snapshot = chosen_snapshot()
    seeded = replace(snapshot, facts=replace(CHOOSING, design_seed=7))
    expected = certificate(snapshot.tuples, 24, 7)

    found = part("design", seeded)["certificate"]

    assert (found["seed"], found["sha256"]) == (7, expected.sha256)
    assert (found["appearances_min"], found["appearances_max"]) == (4, 4)
    assert found["pairs_together"] == {str(times): pairs for times, pairs in expected.pairs_together.items()}
    assert part("design", snapshot)["certificate"]["seed"] is None


def test_the_design_of_groups_and_of_unequal_tuples():
    grouped = replace(
        small(),
        items=items_of(6, groups=integers(0, 0, 0, 1, 1, 1)),
        groups=Groups(("one", "two"), ("hotel", "cinema")),
        tuples=integers([0, 1, 2], [3, 4, 5]),
        facts=replace(CHOOSING, grouped=True),
    )
    unequal = replace(grouped, tuples=integers([0, 1, 2], [3, 4, -1]))

    assert part("design", grouped)["certificate"]["groups"] == 2
    assert part("design", unequal) == {
        "certificate": None,
        "certificate_reason": "the tuples are not all of the same size",
    }


def test_texts_overlap_with_spearman_against_the_scores():
    overlap = part("texts", small())["overlap"]

    assert overlap["dice"] == [0, None, 0, 0, 0]
    assert overlap["dice_reason"] == "neither text contains words"
    assert overlap["spearman"]["choices"]["items"] == 3
    assert overlap["spearman"]["choices"]["spearman_reason"] == "all scores, or all overlaps, are the same"


def test_texts_of_rated_pairs_are_held_against_the_means():
    # SemRel eq. 1: 2 * 1 / 4, 2 * 2 / 4, 0
    items = items_of(3, sentence1=("a b", "a b", "a b"), sentence2=("a c", "b a", "c d"))
    ratings = ratings_of([(0, 0, 2.0), (1, 0, 3.0), (2, 0, 1.0)])

    overlap = part("texts", snapshot_of(items, ratings=ratings))["overlap"]

    assert overlap["dice"] == [0.5, 1, 0]
    own = overlap["spearman"]["main"]["free"]
    assert (own["items"], own["spearman"], own["spearman_low"]) == (3, pytest.approx(1), None)


def test_readability_is_of_distinct_english_texts_alone():
    items = items_of(
        3,
        sentence1=("The cat sat on the mat.", "The cat sat on the mat.", "Die Katze saß auf der Matte."),
        sentence2=("The dog sat on the old mat.", " ", "Der Hund saß auf der Matte."),
        language=("en-GB", "EN", "de"),
    )

    found = part("texts", snapshot_of(items))["readability"]
    german = part("texts", snapshot_of(replace(items, language=("de", "", "ende"))))["readability"]

    assert found["texts"] == 2
    # Six one-syllable words in one sentence: -1.45; seven: .39 * 7 + 11.8 - 15.59 = -1.06 (DSCS eq. 4)
    assert found["indices"]["flesch_kincaid"]["mean"] == pytest.approx((-1.45 - 1.06) / 2, abs=0.1)
    assert list(found["indices"]) == [
        "flesch_kincaid",
        "coleman_liau",
        "automated_readability",
        "linsear_write",
        "gunning_fog",
        "text_standard",
    ]
    assert (german["texts"], german["indices"]) == (0, None)
    assert german["indices_reason"].startswith("no text is marked as English")


def test_diversity_is_told_in_all_and_by_domain():
    items = items_of(
        3,
        sentence1=("x y", "x y", ""),
        sentence2=("a b a", "c", "d d"),
        groups=integers(0, 0, -1),
    )

    found = part("texts", snapshot_of(items, groups=Groups(("one",), ("hotel",))))["diversity"]

    # x y a b a c d d: eight tokens, six kinds
    assert (found["all"]["texts"], found["all"]["tokens"]) == (4, 8)
    assert found["all"]["root_type_token_ratio"] == pytest.approx(6 / np.sqrt(8))
    assert found["domains"]["hotel"]["tokens"] == 6
    assert found["domains"]["hotel"]["mtld"] > 0
    empty = part("texts", snapshot_of(items_of(1, sentence1=("",), sentence2=("",))))["diversity"]["all"]
    assert (empty["root_type_token_ratio"], empty["mtld"]) == (None, None)
    assert empty["mtld_reason"] == "there are no words, or no word is repeated"


def corpus_of(*rows, **columns):
    """Items from pairs of texts."""
    one, other = zip(*rows, strict=True)
    return items_of(len(rows), sentence1=one, sentence2=other, **columns)


def test_what_stands_in_the_texts_is_counted_by_kind():
    items = corpus_of(
        ("Ask me@example.org, or me@example.com.", "Damn it."),
        ("damn it", "Ask me\u200b."),
        ("Damn  it.", "Ask me@example.org, or me@example.com."),
        ("same", "same"),
        language=("en", "de", "en-GB", "cs"),
    )

    found = part("corpus", snapshot_of(items))

    assert (found["items"], found["items_found"]) == (4, 4)
    kinds = dict(zip(found["kind"], zip(found["findings"], found["found_in"], strict=True), strict=True))
    assert kinds == {"invisible": (1, 1), "e-mail": (4, 2), "same sides": (1, 1), "repeated": (1, 1)} | {
        kind: own for kind, own in kinds.items() if kind == "repeated text"
    }
    # Three distinct English texts: the address, “Damn it.” and “Damn  it.”
    assert found["expletives"] == {"texts": 3, "share": pytest.approx(2 / 3)}


def test_without_english_texts_there_is_no_list_of_expletives():
    found = part("corpus", snapshot_of(corpus_of(("a", "b"), language=("cs",))))

    assert (found["items_found"], found["kind"], found["expletives"]["share"]) == (0, [], None)
    assert found["expletives"]["share_reason"].startswith("no text is marked as English")


def test_balance_is_told_of_lengths_overlaps_categories_and_scores():
    items = corpus_of(("a b", "b c"), ("a", "b"), ("a b", "b a"), ("a b c d e", "b"), groups=integers(0, 1, 0, -1))
    ratings = ratings_of([(0, 0, 0.3), (1, 0, 0.4), (2, 0, 4.0)])
    origins = Origins(("news", "news", "blog", ""), ("overlap", "random", "overlap", ""))
    groups = Groups(("one", "two"), ("hotel", "cinema"))

    found = part("corpus", snapshot_of(items, ratings=ratings, origins=origins, groups=groups))

    balance = found["balance"]
    assert list(balance) == ["words", "overlap", "language", "source", "domain", "heuristic"]
    assert balance["words"] == {
        "label": ["0 – 4", "5 – 9"],
        "number": [7, 1],
        "labels": 2,
        "largest_share": 0.875,
        "evenness": pytest.approx(-(0.875 * log2(0.875) + 0.125 * log2(0.125))),
    }
    assert (balance["source"]["label"], balance["source"]["number"]) == (["news", "", "blog"], [2, 1, 1])
    assert (balance["language"]["largest_share"], balance["language"]["evenness"]) == (1, 0)
    assert balance["domain"]["label"] == ["hotel", "", "cinema"]
    scores = found["scores"]["main"]["free"]
    assert (scores["number"], scores["label"][0]) == ([1, 1, 0, 0, 0, 0, 0, 0, 0, 1], "0 – 0.4")
    assert found["heuristics"] == {
        "heuristic": ["", "overlap", "random"],
        "number": [1, 2, 1],
        "overlap": pytest.approx([2 / 6, 0.75, 0]),
    }


def test_balance_of_choices_is_that_of_the_signed_scores():
    found = part("corpus", small())

    assert found["scores"]["choices"]["label"][5] == "0 – 0.2"
    assert found["scores"]["choices"]["number"] == [1, 0, 1, 0, 0, 0, 1, 1, 0, 0]
    assert (found["heuristics"]["heuristic"], list(found["balance"])) == ([], ["words", "overlap", "language"])


def test_items_without_a_score_have_no_bands():
    found = part("corpus", snapshot_of(items_of(1)))["scores"]["main"]["free"]

    assert (found["label"], found["evenness"], found["evenness_reason"]) == ([], None, "no item has a score")
    assert part("corpus", snapshot_of(items_of(1, language=("",))))["balance"].keys() == {"words", "overlap"}


def test_a_quarter_of_the_sentences_of_dscs_is_below_grade_10(outside_data):
    # DSCS 4.2, by the text standard.
    with (Path(outside_data) / "dscs.csv").open(encoding="utf-8", newline="") as file:
        pairs = [row[1:3] for row in csv.reader(file)][1:]
    first, second = zip(*pairs, strict=True)

    found = part("texts", snapshot_of(items_of(len(pairs), sentence1=first, sentence2=second)))["readability"]

    assert (found["texts"], found["below_grade"]["text_standard"]) == (52, 13)
    assert found["share_below_grade"]["text_standard"] == 0.25


def test_texts_below_a_grade_are_counted_and_of_none_there_is_no_share():
    hard = "Institutional considerations notwithstanding, heterogeneity characterises methodology."
    items = items_of(1, sentence1=("The cat sat on the mat.",), sentence2=(hard,))

    found = part("texts", snapshot_of(items))["readability"]
    german = part("texts", snapshot_of(replace(items, language=("de",))))["readability"]

    assert (found["grade"], found["below_grade"]["text_standard"]) == (10, 1)
    assert found["share_below_grade"]["text_standard"] == 0.5
    assert (german["below_grade"]["gunning_fog"], german["share_below_grade"]["gunning_fog"]) == (0, None)
