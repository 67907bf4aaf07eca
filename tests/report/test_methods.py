"""The methods paragraph, word by word, for every family of protocols and for what is not defined."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from annotation.protocols.scale import labels
from annotation.protocols.settings import with_settings
from scoring.exports.collected import Amount, Collected
from scoring.exports.report.collection import Collection, People
from scoring.exports.report.designs import describe
from scoring.exports.report.methods import methods
from scoring.exports.report.ratings import context
from scoring.presets.registry import publication_of
from tests.presets import PRESETS

COUNTS = {"items": 150, "calibration_items": 6, "people": 3, "people_counted": 3, "tuples": 0}
COUNTS |= {"ratings": 0, "ratings_counted": 0, "choices": 0, "choices_counted": 0}
PARAMETERS = {"splits": 1000, "replicates": 1000, "subsets": 200}


def collection(preset: str, **results) -> Collection:
    overview = COUNTS | results.pop("overview", {}) | {"parameters": PARAMETERS}
    return Collection(
        protocol=PRESETS[preset],
        paper=publication_of(PRESETS[preset]).paper,
        results={"overview": overview, **results},
        people={},
        languages=["Czech"],
        groups=0,
        run=3,
        seed=2021,
        code_version="1.2",
        as_of=datetime(2026, 3, 1, 12, 30, 5, tzinfo=UTC),
    )


def told(own: Collection) -> dict[str, str]:
    return {paragraph.title: paragraph.text for paragraph in methods(own)}


def agreement(**figures) -> dict:
    defined = {"pearson": 0.861, "spearman": 0.84, "rmse": 1.017, "mse": 1.035}
    return {
        "items": 150,
        "annotators": 27,
        "ratings": 1350,
        "inter": defined,
        "leave_one_out": defined | {"pearson": 0.83},
        "alpha": {"interval": 0.7, "interval_low": 0.65, "interval_high": 0.74},
        "icc": {"icc1": 0.71, "icc1k": 0.95},
        **figures,
    }


def test_selection_of_czech_news():
    protocol = PRESETS["czech_news"]
    assert describe(protocol, protocol.rounds[0]) == (
        "R1 (selection): Under the protocol, each annotator is assigned 6 complete incidents that no other annotator "
        "is assigned. For every summary sentence, the annotator selects 3 report sentences, A (most similar), B (in "
        "between) and C (least similar), and rates how similar each is to the summary sentence."
    )


def test_exploration_of_czech_news():
    protocol = PRESETS["czech_news"]
    assert describe(protocol, protocol.rounds[1]) == (
        "R2 (exploration): Under the protocol, each annotator’s selections are validated by 3 other annotators. Each "
        "validator rates one of the 3 pairs of each of the first 30 selections, in the order of R1; the 3 validators "
        "in a group never rate the same pair and together rate all pairs. Annotation takes place in 2 sessions with "
        "the same screens in the same order, first without context, then with context. A pause of at least 72 hours "
        "between the sessions is recommended and measured but not enforced."
    )


def test_exploration_with_an_overlap():
    protocol = with_settings(PRESETS["czech_news"], {"R2.overlap": "5"})
    assert (
        "in the order of R1; the 3 validators in a group together rate all pairs. In 5 of these selections, drawn at "
        "random, each pair is also rated by a second validator in the group. Annotation takes place in 2 sessions"
    ) in describe(protocol, protocol.rounds[1])


def test_validation_of_czech_news():
    protocol = PRESETS["czech_news"]
    assert describe(protocol, protocol.rounds[2]) == (
        "R3 (validation): Under the protocol, the selections of 8 annotators are validated. For each of these "
        "annotators, the pairs in the first 50 selections are rated by 27 validators, who are randomly assigned to "
        "stacks of 9. Each validator first rates 6 calibration pairs, with R1 values of 0, 3, 6, 0, 3 and 6. Finally, "
        "each validator rates up to 5 pairs again that they had rated in R2; replacements do not. "
        "If a validator leaves, the pairs not yet "
        "rated in every session are reassigned to another person, who rates them in all sessions; only the "
        "replacement’s ratings of these pairs are included in the analysis. Annotation takes place in 2 sessions with "
        "the same screens in the same order, first without context, then with context. The server enforces a pause of "
        "at least 72 hours between the sessions."
    )


@pytest.mark.parametrize(
    ("preset", "beginning", "end"),
    [
        (
            "semrel",
            "Best-worst scaling: under the protocol, annotators are shown 4-tuples of pairs, twice as many as there "
            "are pairs, and choose the pair that is most related and the pair that is least related. Each tuple is "
            "judged by 4 different annotators,",
            "chosen as worst; tables and figures show it on a scale from 0 to 1.",
        ),
        (
            "giccs",
            "Best-worst scaling: under the protocol, annotators are shown all possible 3-tuples of the utterances in "
            "a dialogue, but at most twice as many tuples as the dialogue has utterances, and choose the utterance "
            "that is most similar and the utterance that is least similar. Each tuple is judged by 5 different",
            "chosen as worst; tables and figures show it on a scale from 0 to 1.",
        ),
        (
            "dscs",
            "Under the protocol, every pair is rated by 5 annotators (students) and 10 annotators (crowd); each "
            "annotator rates all pairs, in a random order drawn for each annotator.",
            "Annotators (crowd) are excluded and replaced if more than 80% of their answers contradict the known "
            "labels. This is checked when they finish, and when they leave after answering at least 10 pairs with a "
            "known label.",
        ),
        (
            "stss131",
            "Under the protocol, every pair is rated by 32 annotators; each annotator rates all pairs,",
            "in a random order drawn for each annotator.",
        ),
    ],
)
def test_single_rounds(preset, beginning, end):
    protocol = PRESETS[preset]
    text = describe(protocol, protocol.rounds[0])
    assert text.startswith(beginning) and text.endswith(end)


@pytest.mark.parametrize(("factor", "many"), [(1, "as many"), (1.5, "1.5 times as many"), (2, "twice as many")])
def test_as_many_tuples_as_the_factor_says(factor, many):
    protocol = PRESETS["semrel"]
    round_ = replace(protocol.rounds[0], design=replace(protocol.rounds[0].design, factor=factor))

    assert f"annotators are shown 4-tuples of pairs, {many} as there are pairs, and" in describe(protocol, round_)


def test_scale_and_question_are_told():
    assert told(collection("czech_news"))["Protocol"].startswith(
        "Judgments were collected following the protocol of the Czech News Dataset for Semantic Textual Similarity. "
        "The question was “How similar in meaning are the two sentences?” Ratings are on a scale from 0 to 6 in steps "
        "of 1 (0 = “nothing in common”, 6 = “the same meaning”). R1 (selection):"
    )


def test_a_protocol_without_a_paper_claims_none():
    own = replace(collection("dscs"), paper="")
    assert told(own)["Protocol"].startswith("Judgments were collected with Semblance. The question was “To what")


def test_people_and_exclusions_by_round():
    own = replace(
        collection("czech_news"),
        people={
            "R1": People(finished=8),
            "R2": People(finished=20, going_on=3, left=1, not_begun=2),
            "R3": People(finished=211, excluded={"by the managers": 1, "contradicted known labels": 4}),
        },
    )
    assert told(own)["Annotators"] == (
        "8 annotators took part in R1: 8 finished. 24 annotators took part in R2: 20 finished, 3 had not yet finished "
        "and 1 left before finishing. 2 further annotators had a place but had not started. 216 annotators took part "
        "in R3: 211 finished and 5 were excluded."
    )
    assert told(own)["Exclusions"] == (
        "In R3, 1 annotator was excluded by the managers and 4 annotators were excluded because they contradicted "
        "known labels. Judgments by excluded annotators are kept in the data but enter no score or agreement "
        "statistic."
    )


def test_people_above_the_limit_who_count_are_named():
    states = [("excluded", True), ("left", True), ("finished", False), ("finished", True)]
    people = [{"state": state, "too_many": too_many} for state, too_many in states]
    own = replace(
        collection("dscs", screening={"people": people}),
        people={"main": People(finished=2, left=1, excluded={"contradicted known labels": 1})},
    )
    assert told(own)["Exclusions"].endswith(
        "2 annotators exceeded the limit for contradicting known labels but were not excluded; their ratings are "
        "included in the analysis."
    )


def test_nothing_is_said_of_nothing():
    own = told(collection("stss131"))
    assert own["Annotators"] == "No annotators took part."
    assert own["Judgments"] == "No judgments have been collected yet."
    assert own["Exclusions"] == "No annotators were excluded."
    assert own["Reliability"] == "No agreement can be reported yet, because no item was judged by two annotators."
    assert "Pauses" not in own


def test_reliability_of_ratings_has_what_n_and_interval():
    own = collection("stss131", agreement={"main": {"free": agreement()}}, overview={"ratings": 1350})
    assert told(own)["Reliability"] == (
        "Inter-annotator agreement in the main block (n = 1,350 ratings of 150 pairs): Pearson’s r between each "
        "rating and the mean of its pair = 0.861; Pearson’s r between each rating and the mean of the other ratings "
        "(leave-one-out) = 0.830; Krippendorff’s α (interval) = 0.700 (95% CI 0.650 to 0.740, by resampling pairs); "
        "ICC(1,1) = 0.710; ICC(1,k) = 0.950."
    )


def test_undefined_figures_are_told_with_their_reason_once():
    empty = {"icc1": None, "icc1_reason": "no variance", "icc1k": None, "icc1k_reason": "no variance"}
    alpha = {"interval": None, "interval_reason": "no item twice", "interval_low": None, "interval_high": None}
    own = collection("stss131", agreement={"main": {"free": agreement(icc=empty, alpha=alpha)}})
    assert told(own)["Reliability"].endswith(
        "0.830; not defined: Krippendorff’s α (interval) (no item twice), ICC(1,1) and ICC(1,k) (no variance)."
    )


def test_single_ratings_have_no_agreement():
    own = collection("stss131", agreement={"main": {"free": agreement(ratings=150)}})
    assert told(own)["Reliability"] == (
        "In the main block, no pair was rated by two annotators, so there is no agreement to report."
    )


def test_correlations_of_ratings_have_intervals_by_resampling_pairs():
    inter = {"pearson": 0.861, "pearson_low": 0.85, "pearson_high": 0.871}
    compared = {"items_compared": 150, "ratings_compared": 1350}
    own = collection("stss131", agreement={"main": {"free": agreement(inter=inter, **compared)}})
    assert "the mean of its pair = 0.861 (95% CI 0.850 to 0.871, by resampling pairs); " in (told(own)["Reliability"])


def test_pairs_rated_once_are_named():
    own = collection("stss131", agreement={"main": {"free": agreement(items_compared=149, ratings_compared=1349)}})
    assert told(own)["Reliability"].startswith(
        "Inter-annotator agreement in the main block (n = 1,349 ratings of 149 pairs; 1 pair rated only once excluded):"
    )


def test_pairs_without_a_test_do_not_count_as_equal():
    gains = {"number": 60, "mean": 0.268, "mean_low": 0.2395, "mean_high": 0.2971}
    none = {"tested": 0, "0.05": None, "0.05_reason": "fewer than two ratings in a context"}
    some = {"tested": 40, "0.05": 0.075}
    shift = {
        "R2": {"gains": gains, "rejected": {"student": none}},
        "R3": {"gains": gains, "rejected": {"student": some}},
    }
    first, second = told(collection("czech_news", context_shift=shift))["Reliability"].split(" The mean gain in R3 ")
    assert first.endswith("by Student’s t).")
    assert second.endswith(
        " Student’s t-test gives a p-value for only 40 of the pairs; the others count as not different."
    )


def test_of_an_earlier_run_pairs_without_a_test_do_not_count_as_equal_either():
    gains = {"number": 3, "mean": 0.268, "mean_low": 0.2395, "mean_high": 0.2971}
    rejected = {"student": {"0.05": 1 / 3, "curve": [1 / 3]}, "paired": {"0.05": 0.0, "curve": [0.0]}}
    p_values = {"student": [0.01, None, 0.5], "paired": [None, None, None]}
    shift = {"R3": {"gains": gains, "rejected": rejected, "p_values": p_values}}

    sentences = told(collection("czech_news", context_shift=shift))["Reliability"]
    *_, table = context({"context_shift": shift})

    assert sentences.endswith(
        "33.3% of pairs by Student’s t-test for independent samples, as in Czech News, Section 5.1. Student’s t-test "
        "gives a p-value for only 2 of the pairs; the others count as not different."
    )
    assert {row.label: [(cell.text, cell.reason) for cell in row.cells][:3:2] for row in table.rows} == {
        "Student": [("2", ""), ("0.333", "")],
        "Paired": [("0", ""), ("n/a", "no pair has a p-value")],
    }


@pytest.mark.parametrize(("shape", "how"), [(2, "by Fisher’s z"), (3, "by resampling annotators and pairs")])
def test_the_interval_of_intra_annotator_agreement_says_how_it_was_computed(shape, how):
    both = {"pearson": 0.746, "pearson_low": 0.6442, "pearson_high": 0.8217}
    intra = {"R3": {"R2": {"ratings": 100, "annotators": 10, "both": both}}}
    assert told(collection("czech_news", shape=shape, intra=intra))["Reliability"] == (
        "Intra-annotator agreement of 10 annotators who rated pairs in R3 that they had rated in R2 (n = 100 "
        f"ratings): Pearson’s r = 0.746 (95% CI 0.644 to 0.822, {how})."
    )


def test_runs_of_earlier_versions_have_no_interval_to_tell():
    intra = {"R3": {"R2": {"ratings": 100, "annotators": 10, "both": {"pearson": 0.746}}}}
    assert told(collection("czech_news", intra=intra))["Reliability"].endswith("Pearson’s r = 0.746.")


@pytest.mark.parametrize(
    ("shape", "how"),
    [(2, "by Fisher’s z over annotators"), (3, "by a jackknife over annotators")],
)
def test_the_interval_of_the_average_person_says_how_it_was_computed(shape, how):
    average = {"average_rater": 0.825, "average_rater_low": 0.79, "average_rater_high": 0.86}
    compared = {"items_compared": 150, "ratings_compared": 1350}
    own = collection("stss131", shape=shape, agreement={"main": {"free": agreement(**average, **compared)}})
    assert told(own)["Reliability"].endswith(
        "ICC(1,k) = 0.950. On average, an annotator’s ratings correlate with the mean of the others at r = 0.825 (95% "
        f"CI 0.790 to 0.860, {how})."
    )


def test_what_was_found_in_the_texts_is_told():
    clean = {"items": 150, "items_found": 0, "kind": [], "found_in": []}
    found = clean | {"items_found": 7, "kind": ["e-mail", "repeated text"], "found_in": [2, 6]}
    looked_for = "The texts were checked for duplicates, lost or invisible characters, addresses and names;"
    assert told(collection("semrel", corpus=clean))["Material"].endswith(f"{looked_for} no problems were found.")
    assert told(collection("semrel", corpus=found))["Material"].endswith(
        f"{looked_for} problems were found in 7 of 150 items: email addresses (2) and texts that also occur in another "
        "item (6)."
    )


def test_split_half_and_alpha_of_choices():
    spread = {"mean": 0.9, "sd": 0.01, "low": 0.88, "high": 0.92}
    sides = {"best": {"item": 0.61}, "worst": {"item": None, "item_reason": "no tuple was judged twice"}}
    own = collection(
        "semrel",
        split_half={"tuple": {"splits": 1000, "spearman": spread}},
        choice_agreement={"alpha": sides, "judgments": 96, "tuples": 24},
    )
    assert told(own)["Reliability"] == (
        "Split-half reliability, splitting the choices of each tuple into two halves (1,000 random splits): mean "
        "Spearman’s ρ = 0.900 (95% of splits between 0.880 and 0.920). Krippendorff’s α (nominal) for the item chosen "
        "(n = 96 choices over 24 tuples): 0.610 for best, not defined (no tuple was judged twice) for worst."
    )


def test_a_part_without_a_figure_is_told_with_its_reason():
    parts = {
        "train": {"items": 15, "spearman": {"mean": 0.452}},
        "dev": {"items": 1, "spearman": {"mean": None, "mean_reason": "10 of 10 splits have no correlation."}},
    }
    own = collection("semrel", split_half_of_parts={"release": 1, "parts": parts})
    assert told(own)["Reliability"] == (
        "Split-half reliability by tuple for each part of release 1, mean Spearman’s ρ: 0.452 in train (n = 15 "
        "pairs); not defined (10 of 10 splits have no correlation) in dev (n = 1 pair)."
    )


def test_an_icc_of_all_ratings_is_not_told_as_one_of_those_compared():
    own = collection("stss131", agreement={"main": {"free": agreement(items_compared=149, ratings_compared=1349)}})
    assert told(own)["Reliability"].endswith(
        "; ICC(1,1) over all 1,350 ratings = 0.710; ICC(1,k) over all 1,350 ratings = 0.950."
    )


def test_values_of_the_scale_have_no_needless_zeros():
    changes = {
        "scale.maximum": "6",
        "scale.step": "0.5",
    }
    protocol = with_settings(PRESETS["stss131"], changes)
    own = labels(("0", "unrelated"), ("4.0", "alike"), ("6.0", "same"))
    protocol = replace(protocol, scale=replace(protocol.scale, labels=own))
    assert (
        "from 0 to 6 in steps of 0.5 (0 = “unrelated”, 4 = “alike”, 6 = “same”)."
        in (told(replace(collection("stss131"), protocol=protocol))["Protocol"])
    )


def test_split_half_of_ratings_with_its_full_length():
    spread = {"mean": 0.9, "sd": 0.01, "low": 0.88, "high": 0.92, "full_length": 0.947}
    own = {"splits": 1000, "ratings": 90, "spearman": spread}
    halves = {"R3": {"free": own, "dependent": {"ratings": 0}}}
    none = {"main": {"free": {"splits": None, "splits_reason": "no item has two ratings", "ratings": 0}}}
    assert told(collection("czech_news", split_half_ratings=halves))["Reliability"] == (
        "Split-half reliability in R3 without context, splitting the ratings of each pair into two halves (1,000 "
        "random splits): mean Spearman’s ρ = 0.900 (95% of splits between 0.880 and 0.920); Spearman–Brown corrected "
        "reliability = 0.947."
    )
    assert "Split-half" not in told(collection("stss131", split_half_ratings=none))["Reliability"]


def test_gain_has_students_interval():
    gains = {"number": 1200, "mean": 0.268, "mean_low": 0.2395, "mean_high": 0.2971}
    shares = {"student": 0.075, "student_bh": 0.0, "paired": 0.125, "paired_bh": 0.0225}
    shift = {"R3": {"gains": gains, "rejected": {name: {"tested": 1200, "0.05": of} for name, of in shares.items()}}}
    assert told(collection("czech_news", context_shift=shift))["Reliability"] == (
        "The mean gain in R3 (a pair’s mean rating with context minus that without) is 0.268 (n = 1,200 pairs; 95% CI "
        "0.239 to 0.297, by Student’s t). At the 5% level, the two means differ for 7.5% of pairs by Student’s t-test "
        "for independent samples, as in Czech News, Section 5.1 (0% after Benjamini–Hochberg correction) and 12.5% of "
        "pairs by the paired t-test over the annotators who rated in both contexts (2.2% after Benjamini–Hochberg "
        "correction)."
    )


@pytest.mark.parametrize(
    ("hours", "text"),
    [
        ([], "In R3, no annotator has returned for the second session yet."),
        (
            [70.0, 73.0, 80.5],
            "In R3, 3 annotators returned for the second session after a median of 73 hours (range 70.0 to 80.5), 2 "
            "of them after at least 72 hours.",
        ),
    ],
)
def test_pauses(hours, text):
    waiting = {"R3": {"people": len(hours), "hours": hours}}
    assert told(collection("czech_news", curves={"waiting": waiting}))["Pauses"] == text


def test_a_shortened_pause_is_told():
    waiting = {"R3": {"people": 1, "hours": [71.0]}}
    own = replace(collection("czech_news", curves={"waiting": waiting}), collected={"R3": Collected(shortened=2)})
    assert told(own)["Pauses"].endswith(
        ", none of them after at least 72 hours. The pause was shortened for 2 annotators."
    )


def test_pauses_that_were_not_measured_are_not_outstanding():
    contexts = tuple(Amount(name, 9, 9, 9, (1, 1.0, 1), 1, (9, 9)) for name in ("without context", "with context"))
    own = collection("czech_news", curves={"waiting": {"R3": {"people": 0, "hours": []}}})
    own = replace(own, collected={"R3": Collected(amounts=contexts)})
    assert told(own)["Pauses"] == "In R3, the pause between the sessions was not measured."


def test_ratings_of_repeated_pairs_are_told_apart():
    protocol = PRESETS["two_contexts"]
    amount = Amount("without context", 9, 9, 9, (1, 1.0, 1), 1, (9, 9))
    collected = Collected(amounts=[amount], things=9, wanted=9, items=9, repeated=3)
    text = describe(protocol, protocol.rounds[0], collected)
    assert text.endswith("1 for each of 9 pairs; 3 further ratings of repeated pairs are included.")


def test_material_of_dialogues():
    own = replace(collection("giccs", overview={"items": 15, "calibration_items": 0}), groups=3, languages=["German"])
    assert told(own)["Material"] == "The material comprises 15 utterances from 3 dialogues, in German."


def test_computation_names_what_it_takes_to_repeat_it():
    assert told(collection("semrel"))["Computation"] == (
        "All statistics were computed with Semblance 1.2 (scoring run 3) from the judgments as of 1 March 2026, "
        "12:30:05 UTC, using random seed 2021 and, where applicable, 1,000 random splits, 1,000 resamples and 200 "
        "random subsets."
    )
