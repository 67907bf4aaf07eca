"""Tables of the report from trees of results made by hand."""

import pytest

from scoring.exports.report.corpus import corpus
from scoring.exports.report.halves import halved_as_whole
from scoring.exports.report.people import behaviour, raters
from scoring.exports.report.ratings import agreement
from scoring.exports.report.tables import Line, across, around
from scoring.exports.uncounted import uncounted_sentence


def texts(table):
    """The cells of each row, by its label; with the mark of the note where there is one."""
    return {row.label: [cell.text + cell.mark for cell in row.cells] for row in table.rows}


def test_an_interval_stands_in_brackets_after_its_figure():
    own = {"r": 0.7463, "r_low": -0.1, "r_high": 0.9}
    earlier = {"r": 0.5}
    perfect = {"r": 1.0, "r_low": None, "r_low_reason": "it is 1", "r_high": None}
    missing = {"r": None, "r_reason": "no variance", "r_low": None, "r_high": None}
    columns = {"own": own, "earlier": earlier, "perfect": perfect, "missing": missing}

    table = across("Correlations", columns, [around("r", "r"), Line("plain", "r", 2)])

    assert texts(table) == {
        "r": ["0.746 (−0.100 to 0.900)", "0.500", "1.000 (n/a)a", "n/ab"],
        "plain": ["0.75", "0.50", "1.00", "n/ab"],
    }
    assert table.reasons == {"a": "it is 1", "b": "no variance"}


def test_pools_of_raters_stand_beside_each_other_with_their_tests():
    pool = {"number": 2, "mean": 0.5, "mean_low": 0.4, "mean_high": 0.6, "sd": 0.1}
    pool |= dict.fromkeys(("min", "q25", "median", "q75", "max"), 0.5)
    test = {"t": 2.5, "degrees": 2, "p_two_sided": 0.129}
    compared = [{"one": "crowd", "other": "students", "student": test, "welch": test | {"degrees": 1.7}}]
    found = {"pools": [{"pool": "crowd", **pool}, {"pool": "students", **pool}], "compared": compared}

    tables = list(raters({"raters": {"main": {"free": found}, "later": {"free": {"pools": [], "compared": []}}}}))

    assert [table.title for table in tables] == [
        "main: each rater and the mean of the others",
        "main: the raters of crowd compared with those of students",
    ]
    assert tables[0].columns == ("crowd", "students")
    assert texts(tables[0])["Mean"] == ["0.500 (0.400 to 0.600)"] * 2
    assert texts(tables[1]) == {"Student’s t": ["2.500", "2", "0.129"], "Welch’s t": ["2.500", "1.7", "0.129"]}


def test_intervals_of_average_raters_say_how_they_were_computed_and_where_they_fall_short():
    found = {"items_compared": 4, "ratings": 12}

    (now,), (table,), (earlier,) = (
        agreement({"shape": shape, "agreement": {"main": {"free": found}}}) for shape in (4, 3, 2)
    )

    assert "for the average rater by a jackknife over pairs." in now.note
    assert "for the same annotators and other pairs" in now.note and "careless" not in now.note
    assert "for the average rater by a jackknife over annotators." in table.note
    assert "by Fisher’s z over annotators." in earlier.note
    assert "the true value in 75% of simulated collections with 12 annotators" in table.note


def test_people_who_chose_are_told_by_their_spread():
    person = dict.fromkeys(("best_same", "worst_same", "best_position_share", "worst_position_share"), 0.5)
    person |= {"contradictions": None, "contradictions_reason": "no labels", "median_seconds": 4.0}
    reports = [person | {"agreement": agreement} for agreement in (0.2, 0.4, 0.9)]

    (table,) = behaviour({"choice_people": {"main": reports}})

    assert table.title == "main: each annotator compared with the others"
    assert texts(table)["Agreement with the others, above chance"] == ["3", "0.200", "0.400", "0.900"]
    assert texts(table)["Share contradicting known labels"] == ["0", "n/aa", "n/aa", "n/aa"]
    assert table.reasons == {"a": "no labels"}


def test_what_the_texts_hold_and_how_the_items_are_spread():
    spread = {"label": ["x", "", "y"], "number": [1, 3, 2], "labels": 3, "largest_share": 0.5, "evenness": 0.9}
    nothing = {"label": [], "number": [], "labels": 0, "largest_share": None, "largest_share_reason": "no scores"}
    found = {
        "items": 2000,
        "items_found": 2,
        "kind": ["e-mail"],
        "findings": [3],
        "found_in": [2],
        "expletives": {"texts": 1500, "share": 0.02},
        "balance": {"words": spread},
        "scores": {"main": {"free": nothing | {"evenness": None, "evenness_reason": "no scores"}}},
        "heuristics": {"heuristic": ["", "random"], "number": [1, 5], "overlap": [0.25, 0.125]},
    }

    holds, spreads, heuristics = corpus({"corpus": found})

    assert texts(holds) == {"Email addresses": ["3", "2"]}
    assert holds.note == "Problems were found in 2 of 2,000 items. Expletives: in 2.0% of 1,500 English texts."
    assert texts(spreads) == {
        "Words per text (bins of five)": ["3", "not given", "0.500", "0.900"],
        "Scores (ten bands), main": ["0", "n/aa", "n/aa", "n/aa"],
    }
    assert texts(heuristics) == {"Not given": ["1", "0.250"], "random": ["5", "0.125"]}


def test_scores_of_choices_have_one_place_and_pairs_without_heuristics_no_table():
    spread = {"label": ["x"], "number": [1], "labels": 1, "largest_share": 1, "evenness": 0}
    found = {
        "items": 1,
        "items_found": 0,
        "kind": [],
        "findings": [],
        "found_in": [],
        "expletives": {"texts": 0, "share": None, "share_reason": "no text is English"},
        "balance": {},
        "scores": {"choices": spread},
        "heuristics": {"heuristic": [], "number": [], "overlap": []},
    }

    holds, spreads = corpus({"corpus": found})

    assert holds.note.endswith("Expletives: not defined (no text is English).")
    assert list(texts(spreads)) == ["Scores (ten bands)"]


@pytest.mark.parametrize(
    ("once", "words"),
    [(0, []), (1, ["1 of 28 tuples was"]), (3, ["3 of 28 tuples were"]), (28, ["all 28 tuples were"])],
)
def test_tuples_that_cannot_be_split_are_counted(once, words):
    found = list(halved_as_whole({"choice_agreement": {"tuples": 28, "tuples_judged_once": once}}))

    assert found == [
        f"In splits by tuple, {start} judged only once; the only choice for such a tuple is assigned to one half at "
        "random."
        for start in words
    ]


def test_uncounted_judgments_of_one_reason_have_one_number():
    assert uncounted_sentence(329, {"excluded": 137}) == (
        "Of the 329 judgments stored, 137 are excluded from the analysis: all by excluded annotators."
    )
    assert uncounted_sentence(31, {"withdrawn": 1}) == (
        "Of the 31 judgments stored, 1 is excluded from the analysis: of withdrawn items."
    )
